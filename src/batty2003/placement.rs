//! Positions of the cells of a box in a texture, and distances of neighbours there.
//!
//! "The data laid out left to right and wrapping at the end of each line", four consecutive cells
//! along x per texel. The width is not printed; here it is about the square root of the number of
//! texels: 500 for 100³ cells.

use crate::batty2003::Error;
use crate::stream::{Format, Layout, Machine, Size, StreamError};

use super::settings::{Index, Offsets, Settings, Storage};

/// Cells per texel.
const CELLS: usize = 4;
/// Diagonals of the matrix.
pub const DIAGONALS: usize = 7;

/// The position of every cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    layout: Layout,
    /// Distances to the neighbours at +x, +y, +z, as the program takes them.
    pub offsets: [[f32; 2]; 3],
}

impl Placement {
    /// Computes it for a box of this size (nx, ny, nz) on this driver.
    pub fn new(machine: &Machine, size: [usize; 3], settings: &Settings) -> Result<Self, Error> {
        let limit = machine.description().rectangle_limit;
        Self::within(limit, size, settings)
    }

    /// Places cells in textures with a limit of the number of texels per side.
    pub fn within(limit: u32, size: [usize; 3], settings: &Settings) -> Result<Self, Error> {
        let [nx, ny, nz] = size;
        if !nx.is_multiple_of(CELLS) || nx * ny * nz == 0 {
            return Err(Error::Size { size });
        }
        let (row, slice) = (nx / CELLS, nx / CELLS * ny);
        let texels = slice * nz;
        let width = match settings.storage {
            Storage::Seven => square_root(texels),
            Storage::One => square_root(texels).min(limit as usize / DIAGONALS),
            Storage::Slices => slice,
        };
        let widest = match settings.storage {
            Storage::One => DIAGONALS * width,
            Storage::Seven | Storage::Slices => width,
        };
        let height = texels.div_ceil(width.max(1));
        if width == 0 || widest.max(height) > limit as usize {
            return Err(too_large(size, [widest, height], limit, settings.storage));
        }
        // Both are within the limit.
        let layout = Layout::wrapped(CELLS * texels, Format::Rgba32F, width as u32)?;
        if settings.storage != Storage::Slices {
            check_precision(settings.index, layout.size())?;
        }
        let offsets = match settings.storage {
            Storage::Slices => [[1.0, 0.0], [row as f32, 0.0], [0.0, 1.0]],
            Storage::Seven | Storage::One => {
                [1, row, slice].map(|texels| Self::offset(texels, width, settings))
            }
        };
        Ok(Self { layout, offsets })
    }

    /// The layout of a vector in its texture.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// A distance in texels with wrapped rows: two floats, as the program takes them.
    pub fn offset(texels: usize, width: usize, settings: &Settings) -> [f32; 2] {
        let rows = match (settings.index, settings.offsets) {
            (Index::Carry, _) => return [(texels % width) as f32, (texels / width) as f32],
            // Appendix C, steps 2, 3: (offset, offset / W), added to (x, y − ½ + x / W)
            (Index::Frac | Index::Skew, Offsets::Prebuilt) => texels as f64 / width as f64,
            (Index::Frac | Index::Skew, Offsets::Built) | (Index::Divmod, _) => 0.0,
        };
        [texels as f32, rows as f32]
    }
}

/// The side of the square that holds this many texels, rounded up. The root of a number below 2^53 is exact
/// if it is an integer.
fn square_root(texels: usize) -> usize {
    (texels as f64).sqrt().ceil() as usize
}

/// Checks that the arithmetic of an index is exact on textures of this size.
///
/// The row with the column as its fraction, (y − ½) + x/W, has an error of at most an ulp of the largest row,
/// 2^(⌊log₂(H−1)⌋−23), which is W times as much in columns: the column is right while that is below ½. If both
/// sides are powers of two nothing is rounded before the last bit is lost. A quotient of the texel's
/// number, which is itself exact below 2²³, has an error of up to 1½ ulp.
pub fn check_precision(index: Index, (width, height): Size) -> Result<(), Error> {
    let (w, h) = (u64::from(width), u64::from(height));
    let is_binary = width.is_power_of_two() && height.is_power_of_two() && w * h <= 1 << 23;
    let is_right = match index {
        // Appendix C, step 5: frac(y) W, wrong once y has too few bits for its fraction
        Index::Frac | Index::Skew => w << (h - 1).max(1).ilog2() < 1 << 22,
        Index::Divmod => w * h <= 1 << 21,
        Index::Carry => w.max(h) <= 1 << 23,
    };
    if is_right || is_binary {
        Ok(())
    } else {
        Err(Error::Precision {
            index: match index {
                Index::Frac => "frac",
                Index::Skew => "skew",
                Index::Divmod => "divmod",
                Index::Carry => "carry",
            },
            width,
            height,
        })
    }
}

fn too_large(
    [nx, ny, nz]: [usize; 3],
    [width, height]: [usize; 2],
    limit: u32,
    storage: Storage,
) -> Error {
    let remedy = match storage {
        Storage::Seven => "use a smaller grid",
        Storage::One | Storage::Slices => {
            "store the diagonals in seven textures (layout seven), or use a smaller grid"
        }
    };
    let error = StreamError::TooLarge {
        what: format!("a grid of {nx}x{ny}x{nz} cells"),
        width: width as u64,
        height: height as u64,
        limit,
        remedy: remedy.into(),
    };
    Error::Stream(error)
}
