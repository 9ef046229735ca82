//! §4.3: the product's bytes on the paper's GPU, by numbering.

use super::printed::TABLE_2;
use crate::base::interval::range;
use crate::card::cache::{Sets, Shape};
use crate::claim::{BoxedError, Cell, Interval, Run, Table};
use crate::geveler2011::traffic::{SECOND, matrices, rates};
use crate::geveler2011::{Element, Numbering};
use crate::timing::rig::spread;

/// Plausible caches of a cluster, with 8 ways: 8, 16 and 24 KB in lines of 32, 64 and 128 bytes; in quick mode the
/// extremes alone.
fn caches(run: &Run<'_>) -> Vec<Shape> {
    let shape = |kb: u32, line| Shape { bytes: kb << 10, line, ways: 8, sets: Sets::Hashed };
    let (sizes, lines) = run.pick((&[8, 24][..], &[32, 128][..]), (&[8, 16, 24], &[32, 64, 128]));
    sizes.iter().flat_map(|&kb| lines.iter().map(move |&line| shape(kb, line))).collect()
}

/// Rates on a level of an element.
pub(super) struct Level {
    /// Name, as in `Q1 level 9`.
    pub name: String,
    caches: Vec<Shape>,
    /// For each numbering, the rates with each of the caches.
    rates: Vec<Vec<[f64; 2]>>,
}

impl Level {
    fn new(element: Element, level: usize, caches: Vec<Shape>) -> Result<Self, BoxedError> {
        let rates = matrices(element, level)?.map(|matrix| rates(&matrix, &caches)).collect();
        Ok(Self { name: format!("{element:?} level {level}"), caches, rates })
    }

    /// A value of the rates in all numberings, from the smallest to the largest over all caches.
    fn over_caches(&self, value: impl Fn([f64; 5]) -> f64) -> Interval {
        let at = |cache: usize, second: usize| {
            Numbering::ALL.map(|n| self.rates[n as usize][cache][second])
        };
        let caches = 0..self.caches.len();
        let caches = caches.flat_map(|cache| [0, 1].map(|second| at(cache, second)));
        range(caches.map(value)).into()
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
pub(super) fn levels(run: &mut Run<'_>) -> Result<[Level; 2], BoxedError> {
    let given = run.given.word("levels").and_then(|word| word.parse().ok());
    let q1: usize = given.unwrap_or(run.pick(7, 9));
    let level = |element, level| Level::new(element, level, caches(run));
    Ok([level(Element::Q1, q1)?, level(Element::Q2, q1.max(2) - 1)?])
}

/// The rates by level and cache.
pub(super) fn table(levels: &[Level]) -> Table {
    let heads = Numbering::ALL.map(|numbering| format!("{} (GFlop/s)", numbering.name()));
    let columns = ["element", "KB", "bytes per line", "second level (KB)"].map(str::to_owned);
    let caption = "Rates of a product if only its bytes take time, by texture cache.";
    let mut table = Table::new(caption, columns.into_iter().chain(heads));
    for level in levels {
        for (cache, shape) in level.caches.iter().enumerate() {
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
pub(super) fn printed_spread(element: usize) -> f64 {
    spread(TABLE_2.map(|rates| rates[element][2][2]))
}
