//! Seven diagonals of a box of cells, four cells per texel (batty2003).

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::batty2003::{Placement, PressureSpace, Settings, SevenDiagonals, Storage, System};
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{Format, Machine, Stream, StreamError};

use super::error::LayoutsError;
use super::layout::{Label, MatrixLayout, Plan, Product, Stored, Upload};
use super::textures::Texture;

/// Storage of the cells of a box.
pub enum Boxes {
    /// Rows of cells wrap at the end of a line; seven textures.
    Wrapped,
    /// The same data in one texture.
    OneTexture,
    /// One slice of the box in each row of seven textures.
    Slices,
}

impl Boxes {
    /// The paper's settings with this storage.
    fn settings(&self) -> Settings {
        Settings {
            storage: match self {
                Self::Wrapped => Storage::Seven,
                Self::OneTexture => Storage::One,
                Self::Slices => Storage::Slices,
            },
            ..Settings::paper_2003()
        }
    }

    /// The system with this matrix, and the position of each cell in its textures.
    fn placed(
        &self,
        matrix: &Csr<f64>,
        side: u32,
    ) -> Result<(System<f64>, Placement), LayoutsError> {
        let system = system(matrix).map_err(LayoutsError::Unsuited)?;
        let placement = Placement::within(side, system.size, &self.settings());
        match placement {
            Ok(placement) => Ok((system, placement)),
            Err(error) => Err(LayoutsError::Unsuited(error.to_string())),
        }
    }
}

impl MatrixLayout for Boxes {
    fn label(&self) -> Label {
        match self {
            Self::Wrapped => Label::new(
                "wrapped",
                "batty2003",
                "Seven diagonals of a box, four cells per texel, rows wrapped",
            ),
            Self::OneTexture => {
                Label::new("one-texture", "batty2003 App. C", "The same in one texture")
            }
            Self::Slices => Label::new(
                "slices",
                "batty2003 App. C",
                "The same, with one slice of the box per row of seven textures",
            ),
        }
    }

    fn plan(&self, matrix: &Csr<f64>, side: u32) -> Result<Plan, LayoutsError> {
        let (_, placement) = self.placed(matrix, side)?;
        let (width, height) = placement.layout().size();
        let [width, height] = [width, height].map(u64::from);
        let textures = match self {
            Self::OneTexture => {
                vec![Texture::planned("mat", [7 * width, height], Format::Rgba32F)]
            }
            _ => vec![Texture::planned("mat", [width, height], Format::Rgba32F); 7],
        };
        Ok(Plan::new(textures, 7 * 4 * width * height, matrix.entries()))
    }

    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError> {
        let side = machine.context().description().rectangle_limit;
        let (system, placement) = self.placed(matrix, side)?;
        let settings = self.settings();
        let stored = SevenDiagonals::new(machine, placement, &settings)?;
        stored.write(&system)?;
        let vectors = placement.layout();
        let product: Product =
            Rc::new(BoxProduct { space: PressureSpace::new(machine, vectors, &settings)?, stored });
        let [nx, ny, nz] = system.size;
        let words = format!("a box of {nx} x {ny} x {nz} cells");
        // One half of a symmetric matrix is stored, and it is its own transpose.
        let transpose = upload.transposed.then(|| Rc::clone(&product));
        Stored::new(machine, vectors, None, (product, words), transpose)
    }
}

/// A product, with the vectors of its paper.
struct BoxProduct {
    space: PressureSpace,
    stored: SevenDiagonals,
}

impl Operator<TextureSpace> for BoxProduct {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.stored.apply(&self.space, x, y)
    }
}

/// The system with this matrix and no right-hand side, or the reason why the layout cannot hold the matrix.
fn system(matrix: &Csr<f64>) -> Result<System<f64>, String> {
    let size = size(matrix).ok_or("not the seven-point stencil of a box of cells")?;
    if !size[0].is_multiple_of(4) {
        let [nx, ny, nz] = size;
        return Err(format!(
            "a box of {nx} x {ny} x {nz} cells, but four cells of a row share a texel"
        ));
    }
    if matrix.first_asymmetry(1e-12).is_some() {
        return Err("the stencil is not symmetric, but only one half is stored".to_owned());
    }
    let mut system = System::zeros(size);
    let strides = system.strides();
    for (row, column, value) in matrix.triplets().filter(|&(row, column, _)| row <= column) {
        match strides.iter().rposition(|&stride| row + stride == column) {
            Some(axis) => system.upper[axis][row] = value,
            None => system.diagonal[row] = value,
        }
    }
    Ok(system)
}

/// nx, ny, nz of the box whose cells are the rows, if only neighbours are coupled.
fn size(matrix: &Csr<f64>) -> Option<[usize; 3]> {
    let n = matrix.rows();
    let ways: BTreeSet<usize> = matrix.triplets().map(|(i, j, _)| i.abs_diff(j)).collect();
    let ways: Vec<usize> = ways.into_iter().filter(|&way| way > 0).collect();
    let (row, slice) = match ways.as_slice() {
        [1] => (n, n),
        [1, row] => (*row, n),
        [1, row, slice] => (*row, *slice),
        _ => return None,
    };
    if !slice.is_multiple_of(row) || !n.is_multiple_of(slice) {
        return None;
    }
    // Neighbours across the end of a row or slice must not be coupled.
    let is_inside = |(i, j, _): (usize, usize, f64)| {
        let (before, way) = (i.min(j), i.abs_diff(j));
        match way {
            1 => before % row + 1 < row,
            way if way == row => before % slice + row < slice,
            _ => true,
        }
    };
    let is_box = matrix.triplets().all(is_inside);
    is_box.then_some([row, slice / row, n / slice])
}
