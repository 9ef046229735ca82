//! §4.3: the product's bytes on the paper's GPU, by numbering.

use std::ops::Range;

use rayon::prelude::*;

use super::printed::{STEPS, TABLE_2};
use crate::card::cache::{Sets, Shape, Warps};
use crate::claim::traced::Traced;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run, Table};
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

/// Plausible caches of a cluster with 8 ways, each without and with a second level of 256 KB.
fn caches() -> Vec<(Shape, Option<Shape>)> {
    let mut caches = Vec::new();
    for kb in [8, 16, 24] {
        for line in [32, 64, 128] {
            let first = Shape { bytes: kb << 10, line, ways: 8, sets: Sets::Hashed };
            caches.extend([(first, None), (first, Some(Shape { bytes: 256 << 10, ..first }))]);
        }
    }
    caches
}

/// Rates on a level of an element.
struct Level {
    name: String,
    /// For each numbering, the rate with each of [`caches`].
    rates: [Vec<f64>; 5],
}

impl Level {
    fn new(element: Element, level: usize) -> Result<Self, BoxedError> {
        let rates = matrices(element, level)?.map(|matrix| {
            let rate = |(first, second)| rate(&matrix, first, second);
            caches().into_par_iter().map(rate).collect()
        });
        Ok(Self { name: format!("{element:?} level {level}"), rates })
    }

    /// Rate in one numbering relative to another.
    fn ratio(&self, one: Numbering, other: Numbering) -> Interval {
        let [one, other] = [one, other].map(|numbering| &self.rates[numbering as usize]);
        let shapes = caches().into_iter().map(|(first, _)| first).collect();
        Traced::new(shapes, |at| one[at] / other[at]).interval()
    }

    /// Rate in the fastest numbering relative to the slowest.
    fn spread(&self) -> Interval {
        let shapes: Vec<Shape> = caches().into_iter().map(|(first, _)| first).collect();
        let spread = |at: usize| {
            let rates = self.rates.iter().map(|rates| rates[at]);
            let (low, high) = rates.fold((f64::INFINITY, 0.0_f64), |(low, high), rate| {
                (low.min(rate), high.max(rate))
            });
            high / low
        };
        Traced::new(shapes, spread).interval()
    }
}

/// Q1 and Q2, in quick mode on small levels.
fn levels(run: &mut Run<'_>) -> Result<[Level; 2], BoxedError> {
    let [q1, q2] = run.pick([7, 6], [9, 8]);
    Ok([Level::new(Element::Q1, q1)?, Level::new(Element::Q2, q2)?])
}

/// The order of Table 2 on levels 7 and 8 of Q2, the fastest first.
const ORDER: [Numbering; 5] = [
    Numbering::TwoLevel,
    Numbering::Xyz,
    Numbering::Hierarchical,
    Numbering::CuthillMcKee,
    Numbering::Stochastic,
];

pub(super) fn order(run: &mut Run<'_>, _: &Claim) -> Checked {
    let levels = run.once(levels)?;
    let q2 = &levels[1];
    let heads = Numbering::ALL.map(|numbering| format!("{} (GFlop/s)", numbering.name()));
    let heads = ["element", "KB", "bytes per line", "second level (KB)"]
        .map(str::to_owned)
        .into_iter()
        .chain(heads);
    let mut table =
        Table::new("Rates of a product if only its bytes take time, by texture cache.", heads);
    for level in &*levels {
        for (at, (first, second)) in caches().into_iter().enumerate() {
            let size = [f64::from(first.bytes >> 10), f64::from(first.line)].map(Into::into);
            let second = second.map(|second| f64::from(second.bytes >> 10)).into();
            let rates = level.rates.iter().map(|rates| (1e-9 * rates[at]).into());
            let name = [level.name.as_str().into()];
            table.push(name.into_iter().chain(size).chain([second]).chain(rates));
        }
    }
    run.table("table2-cache", table);
    let pairs = ORDER.windows(2).map(|pair| (pair[0], pair[1]));
    let found = pairs.fold(Found::new(), |found, (fast, slow)| {
        let name = format!("times as fast in {} as in {} ({})", fast.name(), slow.name(), q2.name);
        found.ratio(name, q2.ratio(fast, slow))
    });
    Ok(found.each("times").because(
        "On Q2 the padding of warps takes most of the bytes, and least of them in 2LV; in STO it is the gather. Which of \
         XYZ and 2LV is faster depends on the cache.",
    ))
}

pub(super) fn steps(run: &mut Run<'_>, _: &Claim) -> Checked {
    use Numbering::{CuthillMcKee, Hierarchical, Stochastic, TwoLevel, Xyz};
    let levels = run.once(levels)?;
    let order = [Stochastic, CuthillMcKee, Hierarchical, TwoLevel, Xyz];
    let found = order.windows(2).zip(STEPS).fold(Found::new(), |found, (pair, (name, _))| {
        let [q1, q2] = [0, 1].map(|element: usize| levels[element].ratio(pair[1], pair[0]));
        found.ratio(name, [q1.low.min(q2.low), q1.high.max(q2.high)])
    });
    Ok(found.each("times").because(
        "These are products; a factor of four in the first step is due to cycles that the paper's solves in STO took.",
    ))
}

/// Fastest to slowest rate of Table 2 on the GPU, for Q1 level 9 and Q2 level 8.
pub(super) const SPREADS: [(&str, f64); 2] = [("Q1", spread_of(0)), ("Q2", spread_of(1))];

const fn spread_of(element: usize) -> f64 {
    let (mut least, mut most, mut at) = (f64::INFINITY, 0.0, 0);
    while at < 5 {
        let rate = TABLE_2[at][element][2][2];
        if rate < least {
            least = rate;
        }
        if rate > most {
            most = rate;
        }
        at += 1;
    }
    most / least
}

pub(super) fn spread(run: &mut Run<'_>, _: &Claim) -> Checked {
    let levels = run.once(levels)?;
    let found = levels.iter().fold(Found::new(), |found, level| {
        found.ratio(
            format!("times as fast in the fastest numbering ({})", level.name),
            level.spread(),
        )
    });
    Ok(found.each("times").because(
        "Another factor of four between the numberings is one of cycles per solve, which is not a property of the card.",
    ))
}
