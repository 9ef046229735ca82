//! The matrix that both simulations solve with: the five-point stencil of a grid without neighbours outside
//! the edges (Krüger and Westermann 2003, section 6).

use crate::solver::Csr;
use crate::stream::Size;

/// D − a L for a grid of cells, row by row from the bottom: L sums the differences to the
/// existing neighbours of a cell, so that nothing flows through an edge. `diagonal` is the entry of D
/// for a cell, given its number of faces on edges.
///
/// The matrix is symmetric. On the grid it has five diagonals: the main one, and one each for the
/// neighbours on the right and left, above and below. (The paper counts six, with the counterparts
/// that come with them.)
pub(crate) fn five_point(
    (width, height): Size,
    a: f64,
    diagonal: impl Fn(usize) -> f64,
) -> Csr<f64> {
    let (w, h) = (width as usize, height as usize);
    let mut triplets = Vec::with_capacity(5 * w * h);
    for cell in 0..w * h {
        let (x, y) = (cell % w, cell / w);
        let neighbours = [
            (y > 0).then(|| cell - w),
            (x > 0).then(|| cell - 1),
            (x + 1 < w).then(|| cell + 1),
            (y + 1 < h).then(|| cell + w),
        ];
        let count = neighbours.iter().flatten().count();
        triplets.push((cell, cell, diagonal(4 - count) + a * count as f64));
        let existing = neighbours.into_iter().flatten();
        triplets.extend(existing.map(|neighbour| (cell, neighbour, -a)));
    }
    match Csr::from_triplets(w * h, w * h, triplets) {
        Ok(matrix) => matrix,
        Err(error) => unreachable!("indices are those of cells: {error}"),
    }
}
