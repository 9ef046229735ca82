//! A matrix in textures, in any layout, with the vectors that go with it.

use std::rc::Rc;

use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::geveler2011::products::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, RowFormat,
};
use crate::kruger2003::{
    Accumulation, ColumnMatrix, ColumnOptions, DiagonalMatrix, DiagonalOptions, Matrix,
    VertexMatrix,
};
use crate::solver::{Csr, Operation, Operator, TextureSpace};
use crate::stream::{Format, Layout as VectorLayout, Machine, Stream, StreamError};

use super::choice::Layout;
use super::colours::{Colours, Reduced};
use super::error::SystemError;
use super::quarters::{QuarterMatrix, Quarters, Sum};

/// Records of a sum that are left to the CPU: reading so many back takes less time than the passes that
/// would leave one.
const STOP_AT: u64 = 1 << 13;

/// Texels in a row of vectors that lie four entries a texel: those of a tile of Mesa's llvmpipe, which then is
/// one piece of memory. With four entries in a row, 99 452 rows and seven diagonals, the programs take 0.7 of the
/// time that they take in a square; quarters are laid out alike.
const WIDTH: usize = 64;

/// A product in textures.
pub type Product = Box<dyn Operator<TextureSpace>>;

/// A square matrix in textures.
pub struct Stored {
    /// The vectors that it acts on.
    pub space: TextureSpace,
    /// A
    pub matrix: Product,
    /// Aᵀ, where it was asked for.
    pub transpose: Option<Product>,
    /// How it lies in textures, in a few words.
    pub words: String,
    places: Places,
}

/// Where the entries of vectors are.
enum Places {
    /// In their order.
    InOrder,
    Packed(Packing),
    Quarters(Quarters),
}

impl Stored {
    /// Stores a matrix, and its transpose if asked for, in a layout.
    pub fn new(
        machine: &Machine,
        a: &Csr<f64>,
        layout: Layout,
        packing: &PackingOptions,
        transposed: bool,
    ) -> Result<Self, SystemError> {
        match layout {
            Layout::Rows => return Self::rows(machine, a, packing, transposed),
            Layout::Quarters => return Self::quarters(machine, a, transposed),
            _ => {}
        }
        let vectors = match layout {
            Layout::Diagonals => {
                let width = texels_a_row(side(machine), a.rows());
                VectorLayout::wrapped(a.rows(), Format::Rgba32F, width)?
            }
            _ => VectorLayout::square(a.rows(), Format::R32F)?,
        };
        let space = TextureSpace::new(machine, vectors)?.stopping_at(STOP_AT)?;
        let transpose = transposed.then(|| a.transpose());
        let (matrix, transpose, words) = match layout {
            Layout::Diagonals => diagonals(machine, vectors, a, transposed)?,
            _ => {
                let (matrix, words) = one(machine, vectors, a, layout)?;
                let transpose = transpose.map(|t| one(machine, vectors, &t, layout));
                (matrix, transpose.transpose()?.map(|t| t.0), words)
            }
        };
        Ok(Self {
            space,
            matrix,
            transpose,
            words,
            places: Places::InOrder,
        })
    }

    /// Diagonals for vectors in quarters; the transpose has its own.
    fn quarters(machine: &Machine, a: &Csr<f64>, transposed: bool) -> Result<Self, SystemError> {
        let vectors = Quarters::new(a.rows(), texels_a_row(side(machine), a.rows()))?;
        let upload = |a: &Csr<f64>| QuarterMatrix::new(machine, vectors, a, Sum::Product, false);
        let matrix = upload(a)?;
        let transpose = transposed.then(|| upload(&a.transpose())).transpose()?;
        let counts = [matrix.count(), matrix.passes()];
        Ok(Self {
            transpose: transpose.map(|t| Box::new(t) as Product),
            ..Self::in_quarters(machine, vectors, Box::new(matrix), counts)?
        })
    }

    /// What colours leave for all of them but the first.
    pub(super) fn reduced(machine: &Machine, colours: &Colours) -> Result<Self, SystemError> {
        let width = texels_a_row(side(machine), colours.unknowns());
        let one = Quarters::new(colours.length(), width)?;
        let all = one.stacked(colours.count() - 1)?;
        let matrix = Reduced::new(machine, (one, all), colours)?;
        let counts = matrix.counts();
        let stored = Self::in_quarters(machine, all, Box::new(matrix), counts)?;
        let share = match colours.count() {
            2 => "half",
            _ => "two thirds",
        };
        Ok(Self {
            words: format!("{}, for {share} of the unknowns", stored.words),
            ..stored
        })
    }

    fn in_quarters(
        machine: &Machine,
        vectors: Quarters,
        matrix: Product,
        [diagonals, passes]: [usize; 2],
    ) -> Result<Self, SystemError> {
        Ok(Self {
            space: TextureSpace::new(machine, vectors.layout())?.stopping_at(STOP_AT)?,
            matrix,
            transpose: None,
            words: format!("{diagonals} in {}", counted(passes, "pass")),
            places: Places::Quarters(vectors),
        })
    }

    /// Groups of rows. The transpose shares the packing: of row i of either the shorter is padded.
    fn rows(
        machine: &Machine,
        a: &Csr<f64>,
        options: &PackingOptions,
        transposed: bool,
    ) -> Result<Self, SystemError> {
        let options = &PackingOptions {
            texture_limit: side(machine),
            ..*options
        };
        let (packing, images, transpose) = match transposed {
            true => {
                let (packing, [images, transpose]) = pack([a, &a.transpose()], options)?;
                (packing, images, Some(transpose))
            }
            false => {
                let (packing, [images]) = pack([a], options)?;
                (packing, images, None)
            }
        };
        let space = TextureSpace::new(machine, VectorLayout::grid(packing.size, Format::R32F))?;
        let space = space.stopping_at(STOP_AT)?;
        let upload = |images| SparseMatrix::upload(machine, &packing, images, Format::R32F);
        let matrix = upload(&images)?;
        let transpose = transpose.as_ref().map(upload).transpose()?;
        let [width, height] = options.rectangle;
        Ok(Self {
            space,
            matrix: Box::new(matrix),
            transpose: transpose.map(|t| Box::new(t) as Product),
            words: format!("rectangles of {width}x{height}"),
            places: Places::Packed(packing),
        })
    }

    /// A vector with these entries.
    pub fn vector(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        match &self.places {
            Places::InOrder => self.space.vector(entries),
            Places::Packed(packing) => self.space.vector(&packing.scatter(entries)),
            Places::Quarters(quarters) => self.space.vector(&quarters.scatter(entries)),
        }
    }

    /// A vector's entries.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        let entries = vector.read()?;
        Ok(match &self.places {
            Places::InOrder => entries,
            Places::Packed(packing) => packing.gather(&entries),
            Places::Quarters(quarters) => quarters.gather(&entries),
        })
    }
}

/// Texels in a row of a vector of so many entries, four a texel, where sides of textures end at a limit.
pub fn texels_a_row(limit: u32, length: usize) -> u32 {
    let least = length.div_ceil(4).div_ceil(limit as usize);
    least.max(WIDTH) as u32
}

/// Entries of a texture for a vector of so many, four a texel.
pub(super) fn places(length: usize) -> usize {
    length.next_multiple_of(4 * WIDTH)
}

/// Texels along the longest side of a texture.
fn side(machine: &Machine) -> u32 {
    machine.context().description().rectangle_limit
}

/// z ← D⁻¹ r by a product with the reciprocals, which are laid out like the vectors: these may hold four
/// rows a texel, where [`crate::solver::TextureDiagonal`] has one.
pub struct Diagonal(Stream);

impl Diagonal {
    /// Of a matrix; zero where the diagonal is zero.
    pub(super) fn new(stored: &Stored, a: &Csr<f64>) -> Result<Self, StreamError> {
        let reciprocal = |entry: f64| match 1.0 / entry as f32 {
            reciprocal if reciprocal.is_finite() => reciprocal,
            _ => 0.0,
        };
        let reciprocals: Vec<f32> = a.diagonal().into_iter().map(reciprocal).collect();
        stored.vector(&reciprocals).map(Self)
    }
}

impl Operator<TextureSpace> for Diagonal {
    fn apply(&self, space: &TextureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        space.combine(Operation::Multiply, (1.0, &self.0), (1.0, r), z)
    }
}

/// One matrix in a layout whose transpose is a second matrix.
fn one(
    machine: &Machine,
    vectors: VectorLayout,
    a: &Csr<f64>,
    layout: Layout,
) -> Result<(Product, String), SystemError> {
    Ok(match layout {
        Layout::Columns => {
            let matrix = ColumnMatrix::new(machine, vectors, a, ColumnOptions::default())?;
            let (width, height) = matrix.stream().size();
            (Box::new(matrix), format!("one {width}x{height} texture"))
        }
        Layout::Points => {
            let matrix = VertexMatrix::new(machine, vectors, a, Accumulation::default())?;
            let words = format!(
                "{} in {}",
                matrix.vertices(),
                counted(matrix.passes(), "draw")
            );
            (Box::new(matrix), words)
        }
        // Rows, diagonals and quarters are stored elsewhere.
        _ => {
            let layout = EllpackLayout {
                rows: layout.row_format().unwrap_or(RowFormat::Ellpack),
                entries: Entries::Packed,
            };
            let storage = Rc::new(EllpackStorage::new(machine, a, layout)?);
            let words = format!("rows of {} at most", storage.row_length());
            let matrix = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
            (Box::new(matrix), words)
        }
    })
}

/// Diagonals, whose transpose is in the same textures.
fn diagonals(
    machine: &Machine,
    vectors: VectorLayout,
    a: &Csr<f64>,
    transposed: bool,
) -> Result<(Product, Option<Product>, String), SystemError> {
    let matrix = DiagonalMatrix::new(machine, vectors, a, DiagonalOptions::default())?;
    let passes = counted(matrix.passes(), "pass");
    let words = format!("{} in {passes}", matrix.numbers().count());
    let matrix = Rc::new(matrix);
    let transpose = transposed.then(|| Box::new(Transposed(Rc::clone(&matrix))) as Product);
    Ok((Box::new(matrix), transpose, words))
}

/// The transpose of a matrix as diagonals.
struct Transposed(Rc<DiagonalMatrix>);

impl Matrix for Transposed {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.0.transpose().multiply(x, y)
    }
}

/// As in `1 pass`, `2 passes`, `2 draws`.
pub(super) fn counted(count: usize, what: &str) -> String {
    let plural = match (count, what) {
        (1, _) => "",
        (_, "pass") => "es",
        _ => "s",
    };
    format!("{count} {what}{plural}")
}
