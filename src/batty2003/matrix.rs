//! The matrix in textures, and its product with a vector.
//!
//! The entry for a neighbour before a cell is stored with the cell as well: using symmetry would halve the memory
//! at the price of further index computations.

use std::rc::Rc;

use super::system::{System, convert};
use crate::solver::Operator;
use crate::stream::{Format, Kernel, Machine, Part, Pass, Source, Stream, StreamError, source};

use super::operation::{Operation, PRECONDITION, SEPTDIAGMUL};
use super::placement::{DIAGONALS, Placement};
use super::settings::{Entries, Index, Offsets, Settings, Storage};
use super::space::PressureSpace;

/// The listing's names of the diagonals: at −z, −y, −x, centre, +x, +y, +z.
pub const NAMES: [&str; DIAGONALS] =
    ["mat_0", "mat_1", "mat_2", "mat_3", "mat_4", "mat_5", "mat_6"];

/// The parts of a program that find a neighbour.
pub fn index_parts(settings: &Settings) -> [Part; 2] {
    let index = match (settings.storage, settings.index) {
        (Storage::Slices, _) => source!(part "batty2003/pressure/matrix/index_slices"),
        (_, Index::Frac) => source!(part "batty2003/pressure/matrix/index_frac"),
        (_, Index::Skew) => source!(part "batty2003/pressure/matrix/index_skew"),
        (_, Index::Divmod) => source!(part "batty2003/pressure/matrix/index_divmod"),
        (_, Index::Carry) => source!(part "batty2003/pressure/matrix/index_carry"),
    };
    let is_skewed = matches!(settings.index, Index::Frac | Index::Skew);
    let offsets = match settings.offsets {
        Offsets::Built if is_skewed && settings.storage != Storage::Slices => {
            source!(part "batty2003/pressure/matrix/offsets_built")
        }
        _ => source!(part "batty2003/pressure/matrix/offsets_prebuilt"),
    };
    [index, offsets]
}

/// The program of the product.
pub fn product_source(settings: &Settings) -> Source {
    let matrix = match settings.storage {
        Storage::Seven | Storage::Slices => source!(part "batty2003/pressure/matrix/matrix_seven"),
        Storage::One => source!(part "batty2003/pressure/matrix/matrix_one"),
    };
    let entries = match settings.entries {
        Entries::Float => source!(part "batty2003/pressure/matrix/entries_float"),
        Entries::Byte => source!(part "batty2003/pressure/matrix/entries_byte"),
    };
    let [index, offsets] = index_parts(settings);
    SEPTDIAGMUL.with([index, offsets, entries, matrix])
}

/// Sets the sizes that the index of a program needs.
pub fn set_sides(pass: Pass<'_>, width: u32) -> Pass<'_> {
    let width = width as f32;
    pass.set_if_declared("width", width).set_if_declared("inv_width", 1.0 / width)
}

/// The seven diagonals in textures.
///
/// The row of one cell, where each neighbour counts −1 and the cell itself 6:
///
/// ```
/// use fragstream::batty2003::{Placement, PressureSpace, SevenDiagonals, Settings, System};
/// use fragstream::solver::{Operator, VectorSpace};
/// use fragstream::stream::Machine;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (machine, settings) = (Machine::headless()?, Settings::default());
/// let mut system = System::zeros([4; 3]);
/// system.diagonal.fill(6.0);
/// system.upper.iter_mut().for_each(|diagonal| diagonal.fill(-1.0));
/// let placement = Placement::new(&machine, system.size, &settings)?;
/// let space = PressureSpace::new(&machine, placement.layout(), &settings)?;
/// let matrix = SevenDiagonals::new(&machine, placement, &settings)?;
/// matrix.write(&system)?;
/// // p = x² at the centre of each cell: −∇²p = −2, wherever all six neighbours are in the box.
/// let p: Vec<f32> = (0..64).map(|cell| ((cell % 4) * (cell % 4)) as f32).collect();
/// let (p, mut product) = (space.textures().vector(&p)?, space.zeros()?);
/// matrix.apply(&space, &p, &mut product)?;
/// assert_eq!(product.read()?[16 + 4 + 1], -2.0);
/// # Ok(())
/// # }
/// ```
pub struct SevenDiagonals {
    /// Seven, or one, with their names in the program.
    streams: Vec<(&'static str, Stream)>,
    kernel: Rc<Kernel>,
    placement: Placement,
    entries: Entries,
}

impl SevenDiagonals {
    /// Creates empty textures for the matrices of one placement.
    pub fn new(
        machine: &Machine,
        placement: Placement,
        settings: &Settings,
    ) -> Result<Self, StreamError> {
        let (width, height) = placement.layout().size();
        let (names, width) = match settings.storage {
            Storage::Seven | Storage::Slices => (&NAMES[..], width),
            Storage::One => (&["mat"][..], width * DIAGONALS as u32),
        };
        let format = match settings.entries {
            Entries::Float => Format::Rgba32F,
            Entries::Byte => Format::Rgba8,
        };
        let streams = names
            .iter()
            .map(|&name| Ok((name, Stream::zeros(machine, name, (width, height), format)?)));
        Ok(Self {
            streams: streams.collect::<Result<_, StreamError>>()?,
            kernel: machine.kernel(&product_source(settings), &[])?,
            placement,
            entries: settings.entries,
        })
    }

    /// Uploads the matrix of a system of the placement's size.
    pub fn write(&self, system: &System<f64>) -> Result<(), StreamError> {
        let capacity = self.placement.layout().capacity();
        let diagonals = (0..DIAGONALS).map(|number| self.stored(system, number, capacity));
        let diagonals: Vec<Vec<f32>> = diagonals.collect();
        match self.streams.as_slice() {
            // Appendix C, step 9: four cells of each diagonal, then the next four.
            [(_, one)] => {
                let texels = 0..capacity / 4;
                let texels =
                    texels.flat_map(|texel| diagonals.iter().map(move |d| &d[4 * texel..][..4]));
                one.write(&texels.flatten().copied().collect::<Vec<_>>())
            }
            seven => {
                let mut pairs = seven.iter().zip(&diagonals);
                pairs.try_for_each(|((_, stream), diagonal)| stream.write(diagonal))
            }
        }
    }

    /// One diagonal in the order of its texture: an entry for every cell, followed by zeros.
    fn stored(&self, system: &System<f64>, number: usize, capacity: usize) -> Vec<f32> {
        let entries = match number {
            0..3 => {
                let axis = 2 - number;
                let stride = system.strides()[axis].min(system.cells());
                let (entries, _) = system.upper[axis].split_at(system.cells() - stride);
                [&vec![0.0; stride], entries].concat()
            }
            3 => system.diagonal.clone(),
            _ => system.upper[number - 4].clone(),
        };
        let stored = |entry: f64| match self.entries {
            Entries::Float => entry,
            // Appendix C, step 1: a in [−128, 127] ↦ (a + 128) / 255 in [0, 1]
            Entries::Byte => (entry.round().clamp(-128.0, 127.0) + 128.0) / 255.0,
        };
        let behind = std::iter::repeat_n(0.0, capacity - entries.len());
        let all = entries.into_iter().chain(behind);
        all.map(|entry| stored(entry) as f32).collect()
    }
}

impl Operator<PressureSpace> for SevenDiagonals {
    fn apply(&self, space: &PressureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        let (width, _) = self.placement.layout().size();
        let [x_offset, y_offset, z_offset] = self.placement.offsets;
        // GPU Algorithm Implementation, septdiagmul: y ← Σ matₖ xₖ over centre, ±y, ±z, ±x
        space.operate(Operation::Product, || {
            let pass = Pass::new(&self.kernel)
                .read("x", x)
                .set("x_offset", x_offset)
                .set("y_offset", y_offset)
                .set("z_offset", z_offset);
            let pass = set_sides(pass, width);
            let streams = self.streams.iter();
            streams
                .fold(pass, |pass, (name, stream)| pass.read(name, stream))
                .draw(y, space.textures().all())
        })
    }
}

/// The inverse of the diagonal in a texture: the preconditioner.
pub struct InverseDiagonal {
    inverse: Stream,
    kernel: Rc<Kernel>,
}

impl InverseDiagonal {
    /// Creates an empty texture for the systems of one placement.
    pub fn new(machine: &Machine, placement: Placement) -> Result<Self, StreamError> {
        Ok(Self {
            inverse: Stream::vector(machine, "inverse diagonal", placement.layout())?,
            kernel: machine.kernel(&PRECONDITION, &[])?,
        })
    }

    /// Uploads the inverse of a system's diagonal, one entry per cell, zero outside the liquid.
    pub fn write(&self, system: &System<f64>) -> Result<(), StreamError> {
        self.inverse.write(&convert::<_, f32>(&system.inverse_diagonal()))
    }
}

impl Operator<PressureSpace> for InverseDiagonal {
    fn apply(&self, space: &PressureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        // Preconditioned Conjugate Gradient Method: z ← D⁻¹ r
        space.operate(Operation::Precondition, || {
            Pass::new(&self.kernel)
                .read("inverse", &self.inverse)
                .read("r", r)
                .draw(z, space.textures().all())
        })
    }
}
