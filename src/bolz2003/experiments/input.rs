//! The bundled files (`figures/input`).

use std::path::{Path, PathBuf};

use crate::experiment::BoxedError;
use crate::io::matrix_market::read_matrix;
use crate::io::read_valid_mesh;
use crate::mesh::TriangleMesh;
use crate::solver::Csr;

/// The bundled matrices, by name.
pub const MATRICES: [&str; 4] = ["airfoil", "knot", "unit_cube", "bcsstk01"];

/// Where a bundled file lies: in the working folder's repository, or in the one that this program
/// was built from.
fn path_of(name: &str) -> PathBuf {
    let here = Path::new("figures/input").join(name);
    if here.exists() {
        return here;
    }
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("figures/input")
        .join(name)
}

/// The scanned mesh: the Stanford bunny as scanned, with five holes.
///
/// # Errors
/// When the file is not there.
pub fn scan() -> Result<TriangleMesh, BoxedError> {
    Ok(read_valid_mesh(&path_of("bunny.ply"))?)
}

/// A bundled matrix.
///
/// # Errors
/// When the file is not there.
pub fn matrix(name: &str) -> Result<Csr<f64>, BoxedError> {
    let file = read_matrix(&path_of(&format!("{name}.mtx")))?;
    let entries = file.entries.iter();
    Ok(Csr::from_triplets(
        file.rows as usize,
        file.columns as usize,
        entries.map(|&(row, column, value)| (row as usize, column as usize, value)),
    )?)
}
