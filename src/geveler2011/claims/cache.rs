//! §4.3: the product's bytes on the paper's GPU, by numbering.

use std::ops::Range;

use crate::card::cache::{Shape, Warps};
use crate::claim::BoxedError;
use crate::geveler2011::{Element, Numbering, Setup};
use crate::solver::Csr;

/// Bytes per second of the GTX 285 (§4.1).
pub const BANDWIDTH: f64 = 160e9;
/// Bytes per segment in which arrays are read that are read once.
const SEGMENT: usize = 64;
/// Ten clusters of three processors, each with four blocks of 256 threads.
const GTX_285: Warps = Warps { clusters: 10, blocks: 12, threads: 256, half_warp: 16 };
/// Bytes of a value of A or x, and of an index.
const BYTES: [usize; 2] = [8, 4];

/// CIRCLE's matrix on a level, in each numbering.
///
/// # Errors
/// More unknowns than a sparse matrix can number.
pub fn matrices(element: Element, level: usize) -> Result<[Csr<f64>; 5], BoxedError> {
    let meshes = Setup::Circle.meshes(level);
    let finest = &meshes[meshes.len().saturating_sub(1)..];
    let assembled = Setup::Circle.discretise(finest, element, Numbering::TwoLevel)?;
    Ok(Numbering::ALL.map(|numbering| {
        let mut numbered = assembled.renumbered(finest, element, numbering);
        numbered.matrices.remove(0)
    }))
}

/// Flop per second of a product with ELLPACK-R, if only the bytes take time: x through a cache, everything else
/// in segments.
pub fn rate(matrix: &Csr<f64>, first: Shape, second: Option<Shape>) -> f64 {
    let mut end = 0;
    let rows: Vec<Range<usize>> = (0..matrix.rows())
        .map(|row| {
            let start = end;
            end += matrix.row_length(row);
            start..end
        })
        .collect();
    let fetched = matrix.triplets().map(|(_, column, _)| (BYTES[0] * column) as u64);
    let gathered = GTX_285.bytes_moved(&fetched.collect::<Vec<_>>(), &rows, first, second);
    let streamed: u64 =
        BYTES.iter().map(|&bytes| Warps::bytes_streamed(&rows, bytes, SEGMENT)).sum();
    // y and rl.
    let vectors = (BYTES.iter().sum::<usize>() * matrix.rows()) as u64;
    2.0 * matrix.entries() as f64 * BANDWIDTH / (gathered + streamed + vectors) as f64
}
