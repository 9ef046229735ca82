//! The bundled files (`figures/input`).

use crate::claim::BoxedError;
use crate::claim::input::bundled;
use crate::io::matrix_market::read_matrix;
use crate::io::read_valid_mesh;
use crate::mesh::TriangleMesh;
use crate::solver::Csr;

/// The bundled matrices, by name.
pub const MATRICES: [&str; 4] = ["airfoil", "knot", "unit_cube", "bcsstk01"];

/// The scanned mesh: the Stanford bunny as scanned, with five holes.
///
/// # Errors
/// When the file is not there.
pub fn scan() -> Result<TriangleMesh, BoxedError> {
    Ok(read_valid_mesh(&bundled("bunny.ply"))?)
}

/// A bundled matrix.
///
/// # Errors
/// When the file is not there.
pub fn matrix(name: &str) -> Result<Csr<f64>, BoxedError> {
    let file = read_matrix(&bundled(&format!("{name}.mtx")))?;
    let entries = file.entries.iter();
    Ok(Csr::from_triplets(
        file.rows as usize,
        file.columns as usize,
        entries.map(|&(row, column, value)| (row as usize, column as usize, value)),
    )?)
}
