//! Bytes of a product with ELLPACK-R on the paper's GPU, through a texture cache (section 4.3).

use std::ops::Range;

use rayon::prelude::*;

use crate::base::error::BoxedError;
use crate::card::cache::{Shape, Warps};
use crate::solver::Csr;

use super::{Element, Numbering, Setup};

/// Bytes per second of the GTX 285 (§4.1).
const BANDWIDTH: f64 = 160e9;
/// Bytes per segment in which arrays are read that are read once.
const SEGMENT: usize = 64;
/// Ten clusters of three processors, each with four blocks of 256 threads.
const GTX_285: Warps = Warps { clusters: 10, blocks: 12, threads: 256, half_warp: 16 };
/// Bytes of a value of A or x, and of an index: `unsigned long` in the authors' programs (github.com/dribbroc/HONEI,
/// commit f4ea946d).
const BYTES: [usize; 2] = [8, 8];
/// Bytes of the second level of a cache, if there is one.
pub const SECOND: u32 = 256 << 10;

/// CIRCLE's matrix on a level in each numbering, one after the other.
pub fn matrices(
    element: Element,
    level: usize,
) -> Result<impl Iterator<Item = Csr<f64>>, BoxedError> {
    let finest = Setup::Circle.meshes(level).split_off(level - 1);
    let assembled = Setup::Circle.discretise(&finest, element, Numbering::TwoLevel)?;
    Ok(Numbering::ALL.into_iter().map(move |numbering| {
        assembled.renumbered(&finest, element, numbering).matrices.swap_remove(0)
    }))
}

/// Flop per second of a product with ELLPACK-R, if only the bytes take time: x through each of these caches,
/// without and with a second level, everything else in segments.
pub fn rates(matrix: &Csr<f64>, caches: &[Shape]) -> Vec<[f64; 2]> {
    let mut end = 0;
    let row = |row| {
        let start = end;
        end += matrix.row_length(row);
        start..end
    };
    let rows: Vec<Range<usize>> = (0..matrix.rows()).map(row).collect();
    let addresses = matrix.triplets().map(|(_, column, _)| (BYTES[0] * column) as u64);
    let addresses: Vec<u64> = addresses.collect();
    let streamed = BYTES.iter().map(|&bytes| Warps::bytes_streamed(&rows, bytes, SEGMENT));
    // With y and rl.
    let others = streamed.sum::<u64>() + (BYTES.iter().sum::<usize>() * rows.len()) as u64;
    // §3.2: y_i = Σ A_ik x_j, two operations per entry
    let flop = 2.0 * addresses.len() as f64;
    let rates = |&first: &Shape| {
        let second = Shape { bytes: SECOND, ..first };
        let gathered = GTX_285.bytes_moved(&addresses, &rows, first, second);
        gathered.map(|bytes| flop * BANDWIDTH / (bytes + others) as f64)
    };
    caches.par_iter().map(rates).collect()
}
