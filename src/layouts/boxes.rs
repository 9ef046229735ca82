//! Seven diagonals of a box of cells, four cells per texel (batty2003).

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::batty2003::{Placement, PressureSpace, Settings, SevenDiagonals, Storage, System};
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{Format, Machine, Stream, StreamError};

use super::error::LayoutsError;
use super::layout::{Contents, Footprint, Layout, MatrixLayout, Product, Role, Stored, Upload};

/// Rows of cells wrap at the end of a line; seven textures.
pub const WRAPPED: Layout = &MatrixLayout {
    name: "wrapped",
    source: "batty2003",
    about: "Seven diagonals of a box, four cells per texel, rows wrapped",
    is_of_2003: true,
    is_variant: false,
    roles: &[role(1)],
    footprint: |matrix, side| footprint(matrix, side, Storage::Seven),
    store: |machine, matrix, upload| store(machine, matrix, upload, Storage::Seven),
};

/// All diagonals in one texture.
pub const ONE_TEXTURE: Layout = &MatrixLayout {
    name: "one-texture",
    source: "batty2003 App. C",
    about: "The same in one texture",
    is_variant: true,
    roles: &[role(7)],
    footprint: |matrix, side| footprint(matrix, side, Storage::One),
    store: |machine, matrix, upload| store(machine, matrix, upload, Storage::One),
    ..*WRAPPED
};

/// One slice of the box in each row of seven textures: not in the paper.
pub const SLICES: Layout = &MatrixLayout {
    name: "slices",
    source: "fragstream",
    about: "The same, with one slice of the box per row of seven textures",
    is_variant: true,
    footprint: |matrix, side| footprint(matrix, side, Storage::Slices),
    store: |machine, matrix, upload| store(machine, matrix, upload, Storage::Slices),
    ..*WRAPPED
};

/// The role of textures with this number of texels for each texel of a vector.
const fn role(texels: usize) -> Role {
    Role { texture: "mat", words: "seven diagonals", contents: Contents::AtRows(texels) }
}

/// The paper's settings with this storage.
fn settings(storage: Storage) -> Settings {
    Settings { storage, ..Settings::paper_2003() }
}

/// The system with this matrix, and the position of each cell in its textures.
fn placed(
    matrix: &Csr<f64>,
    side: u32,
    storage: Storage,
) -> Result<(System<f64>, Placement), LayoutsError> {
    let system = system(matrix).map_err(LayoutsError::Unsuited)?;
    match Placement::within(side, system.size, &settings(storage)) {
        Ok(placement) => Ok((system, placement)),
        Err(error) => Err(LayoutsError::Unsuited(error.to_string())),
    }
}

fn footprint(matrix: &Csr<f64>, side: u32, storage: Storage) -> Result<Footprint, LayoutsError> {
    let (width, height) = placed(matrix, side, storage)?.1.layout().size();
    let [count, across] = if storage == Storage::One { [1, 7] } else { [7, 1] };
    let size = [u64::from(width) * across as u64, height.into()];
    Ok(Footprint::textures(count, size, Format::Rgba32F))
}

fn store(
    machine: &Machine,
    matrix: &Csr<f64>,
    upload: &Upload,
    storage: Storage,
) -> Result<Stored, LayoutsError> {
    let side = machine.description().rectangle_limit;
    let ((system, placement), settings) = (placed(matrix, side, storage)?, settings(storage));
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
