//! §4.3: the product's bytes on the paper's GPU, by numbering.

use std::ops::Range;

use rayon::prelude::*;

use super::printed::TABLE_2;
use crate::card::cache::{Sets, Shape, Warps};
use crate::claim::{BoxedError, Cell, Interval, Run, Table};
use crate::geveler2011::{Element, Numbering, Setup};
use crate::solver::Csr;
use crate::timing::rig::{range, spread};

/// Bytes per second of the GTX 285 (§4.1).
pub const BANDWIDTH: f64 = 160e9;
/// Bytes per segment in which arrays are read that are read once.
const SEGMENT: usize = 64;
/// Ten clusters of three processors, each with four blocks of 256 threads.
const GTX_285: Warps = Warps { clusters: 10, blocks: 12, threads: 256, half_warp: 16 };
/// Bytes of a value of A or x, and of an index.
const BYTES: [usize; 2] = [8, 4];
/// Bytes of the second level of a cache, if there is one.
const SECOND: u32 = 256 << 10;

/// CIRCLE's matrix on a level in each numbering, one after the other.
///
/// # Errors
/// More unknowns than a sparse matrix can number.
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
    let flop = 2.0 * addresses.len() as f64;
    let rates = |&first: &Shape| {
        let second = Shape { bytes: SECOND, ..first };
        let gathered = GTX_285.bytes_moved(&addresses, &rows, first, second);
        gathered.map(|bytes| flop * BANDWIDTH / (bytes + others) as f64)
    };
    caches.par_iter().map(rates).collect()
}

/// Plausible caches of a cluster, with 8 ways.
fn caches() -> Vec<Shape> {
    let shape = |kb: u32, line| Shape { bytes: kb << 10, line, ways: 8, sets: Sets::Hashed };
    [8, 16, 24].into_iter().flat_map(|kb| [32, 64, 128].map(|line| shape(kb, line))).collect()
}

/// Rates on a level of an element.
pub struct Level {
    /// Name, as in `Q1 level 9`.
    pub name: String,
    /// For each numbering, the rates with each of [`caches`].
    rates: Vec<Vec<[f64; 2]>>,
}

impl Level {
    fn new(element: Element, level: usize) -> Result<Self, BoxedError> {
        let rates = matrices(element, level)?.map(|matrix| rates(&matrix, &caches()));
        Ok(Self { name: format!("{element:?} level {level}"), rates: rates.collect() })
    }

    /// A value of the rates in all numberings, from the smallest to the largest over all caches.
    fn over_caches(&self, value: impl Fn([f64; 5]) -> f64) -> Interval {
        let at = |cache: usize, second: usize| {
            Numbering::ALL.map(|n| self.rates[n as usize][cache][second])
        };
        let caches = (0..caches().len()).flat_map(|cache| [0, 1].map(|second| at(cache, second)));
        <[f64; 2]>::from(range(caches.map(value))).into()
    }

    /// Rate in one numbering relative to another.
    pub fn ratio(&self, one: Numbering, other: Numbering) -> Interval {
        self.over_caches(|rates| rates[one as usize] / rates[other as usize])
    }

    /// Rate in the fastest numbering relative to the slowest.
    pub fn spread(&self) -> Interval {
        self.over_caches(spread)
    }
}

/// Q1 and Q2, in quick mode on small levels.
pub fn levels(run: &mut Run<'_>) -> Result<[Level; 2], BoxedError> {
    let q1 = run.given.levels.unwrap_or(run.pick(7, 9));
    Ok([Level::new(Element::Q1, q1)?, Level::new(Element::Q2, q1 - 1)?])
}

/// The rates by level and cache.
pub fn table(levels: &[Level]) -> Table {
    let heads = Numbering::ALL.map(|numbering| format!("{} (GFlop/s)", numbering.name()));
    let columns = ["element", "KB", "bytes per line", "second level (KB)"].map(str::to_owned);
    let caption = "Rates of a product if only its bytes take time, by texture cache.";
    let mut table = Table::new(caption, columns.into_iter().chain(heads));
    for level in levels {
        for (cache, shape) in caches().into_iter().enumerate() {
            for (with, second) in [None, Some(f64::from(SECOND >> 10))].into_iter().enumerate() {
                let size = [f64::from(shape.bytes >> 10), f64::from(shape.line)].map(Cell::from);
                let name = [level.name.as_str().into()];
                let rates = level.rates.iter().map(|rates| (1e-9 * rates[cache][with]).into());
                table.push(name.into_iter().chain(size).chain([second.into()]).chain(rates));
            }
        }
    }
    table
}

/// Fastest to slowest rate of Table 2 on the GPU, for an element on the second largest level.
pub fn printed_spread(element: usize) -> f64 {
    spread(TABLE_2.map(|rates| rates[element][2][2]))
}
