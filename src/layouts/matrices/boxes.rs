//! Matrices that are the seven-point stencils of a box, as batty2003 stores them.

use std::collections::BTreeSet;

use crate::batty2003::pressure::gpu::Storage;
use crate::batty2003::pressure::{Settings, System};
use crate::solver::Csr;

use super::layout::MatrixLayout;

/// The paper's settings with the storage of a layout; none for those of other papers.
pub fn settings(layout: MatrixLayout) -> Option<Settings> {
    let storage = match layout {
        MatrixLayout::Wrapped => Storage::Seven,
        MatrixLayout::OneTexture => Storage::One,
        MatrixLayout::Slices => Storage::Slices,
        _ => return None,
    };
    Some(Settings {
        storage,
        ..Settings::paper_2003()
    })
}

/// The system with this matrix and no right side, or why there is none.
pub fn system(matrix: &Csr<f64>) -> Result<System<f64>, String> {
    let size = size(matrix).ok_or("not the seven-point stencil of a box of cells")?;
    if !size[0].is_multiple_of(4) {
        let [nx, ny, nz] = size;
        return Err(format!(
            "a box of {nx} x {ny} x {nz} cells, but four of a row share a texel"
        ));
    }
    if matrix.first_asymmetry(1e-12).is_some() {
        return Err("a stencil that is not symmetric, of which it stores one half".to_owned());
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

/// nx, ny, nz of the box whose cells the rows are, if neighbours alone are coupled.
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
    let size = [row, slice / row, n / slice];
    // Neighbours at the ends of rows and slices are of the next ones, and must not be coupled.
    let is_inside = |(i, j, _): (usize, usize, f64)| {
        let (before, way) = (i.min(j), i.abs_diff(j));
        match way {
            1 => before % row + 1 < row,
            way if way == row => before % slice + row < slice,
            _ => true,
        }
    };
    matrix.triplets().all(is_inside).then_some(size)
}
