//! Matrices that show what layouts differ in: the bundled ones, and some that are made here.

use crate::claim::BoxedError;
use crate::claim::bundled::{MATRICES, matrix};
use crate::solver::Csr;

use super::grids::seven_points;
use super::matrices::MatrixLayout;

/// A matrix with its name, and the layouts that it is shown in.
pub struct Example {
    /// Its name, and that of its files.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Whether it is one of the files that come with the program.
    pub is_bundled: bool,
    /// The matrix.
    pub matrix: Csr<f64>,
    /// Its layouts.
    pub layouts: Vec<MatrixLayout>,
}

/// Nodes along a side of the grid, and cells along that of the box.
const GRID: usize = 24;
const BOX: usize = 12;
/// Rows of the full matrix, and of the arrow.
const FULL: usize = 64;
const ARROW: usize = 400;

/// All of them.
///
/// # Errors
/// A bundled file that cannot be read.
pub fn examples() -> Result<Vec<Example>, BoxedError> {
    let mut examples = Vec::new();
    for (name, file) in MATRICES {
        let what = match name {
            "airfoil" => "a mesh round an airfoil",
            "knot" => "the surface of a knot",
            "unit_cube" => "the surface of a cube",
            _ => "a frame's stiffness (Harwell-Boeing)",
        };
        examples.push(Example {
            name,
            what,
            is_bundled: true,
            matrix: matrix(file)?,
            layouts: MatrixLayout::FOR_MATRICES.to_vec(),
        });
    }
    let mut own = |name, what, matrix, layouts: &[MatrixLayout]| {
        examples.push(Example {
            name,
            what,
            is_bundled: false,
            matrix,
            layouts: layouts.to_vec(),
        });
    };
    own(
        "grid",
        "five points on a grid",
        grid(GRID)?,
        &MatrixLayout::FOR_MATRICES,
    );
    own(
        "box",
        "seven points in a box",
        seven_points(BOX)?,
        &MatrixLayout::FOR_BOXES,
    );
    own(
        "arrow",
        "one row and one column full",
        arrow(ARROW)?,
        &MatrixLayout::FOR_MATRICES,
    );
    own(
        "full",
        "every entry",
        full(FULL)?,
        &MatrixLayout::FOR_MATRICES,
    );
    Ok(examples)
}

fn grid(n: usize) -> Result<Csr<f64>, BoxedError> {
    let entries = (0..n * n).flat_map(|node| {
        let (x, y) = (node % n, node / n);
        let neighbours = [
            (x > 0).then(|| node - 1),
            (x + 1 < n).then(|| node + 1),
            (y > 0).then(|| node - n),
            (y + 1 < n).then(|| node + n),
        ];
        let neighbours = neighbours.into_iter().flatten();
        let neighbours = neighbours.map(move |other| (node, other, -1.0));
        neighbours.chain([(node, node, 4.0)])
    });
    Ok(Csr::from_triplets(n * n, n * n, entries)?)
}

fn arrow(n: usize) -> Result<Csr<f64>, BoxedError> {
    let ends = (1..n).flat_map(|k| [(0, k, 1.0), (k, 0, 1.0)]);
    let diagonal = (0..n).map(|k| (k, k, 2.0 * n as f64));
    Ok(Csr::from_triplets(n, n, ends.chain(diagonal))?)
}

fn full(n: usize) -> Result<Csr<f64>, BoxedError> {
    let entries = (0..n * n).map(|k| (k / n, k % n, 1.0 + (k as f64).sin() / 2.0));
    Ok(Csr::from_triplets(n, n, entries)?)
}
