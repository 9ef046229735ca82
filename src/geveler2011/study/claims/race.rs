//! Products and cycles in all five numberings on one core, on all cores and on the GPU, raced (§4.3 to §4.5).
//!
//! All are in double precision, as in the paper, with rows that end at rl, and separate A and j. A GPU without double
//! precision takes pairs of floats.

use crate::base::memory;
use crate::base::order::ShortSort;
use crate::claim::{BoxedError, Interval, Race, Run};
use crate::geveler2011::solves::fem::{self, Assembled};
use crate::geveler2011::study::cases::Contender;
use crate::geveler2011::{Element, Numbering};
use crate::timing::Work;
use crate::timing::cost::all;
use crate::timing::laps::Laps;

/// The compared processors.
pub const PROCESSORS: [&str; 3] = ["one core", "all cores", "GPU"];

/// Bytes per entry of a matrix that is prepared for all processors.
const ENTRY: u64 = 100;

/// Index of the GPU among these.
pub const GPU: usize = 2;

/// Name of the work in a numbering on a processor.
fn work(numbering: Numbering, processor: usize) -> String {
    format!("{}, {}", numbering.name(), PROCESSORS[processor])
}

/// Times of products and cycles on a level of a problem.
pub struct Times {
    pub element: Element,
    pub level: usize,
    pub unknowns: usize,
    /// Number of entries of the matrix.
    entries: usize,
    /// Number of cycles of a solve in 2LV and in STO, in double precision on the CPU.
    pub counts: [usize; 2],
    /// Seconds of y ← A x.
    products: Laps,
    /// Seconds of a cycle including the norm for the stopping test.
    cycles: Laps,
}

impl Times {
    /// Races products, and then cycles, for six rounds each. All five numberings are in memory at the same time.
    pub fn new(run: &Run<'_>, each: &[fem::Settings]) -> Result<Self, BoxedError> {
        let (element, level) = (each[0].element, usize::from(each[0].levels));
        let Assembled { meshes, system: assembled, .. } = each[0].assembled()?;
        let entries = assembled.matrices[0].entries();
        let all_entries = (each.len() * entries) as u64;
        let what = format_args!("--levels {level}: {all_entries} entries in all numberings");
        memory::check(what, all_entries, ENTRY, 1)?;
        let contenders = each.iter().map(|one| {
            let problem = assembled.renumbered(&meshes, element, one.numbering);
            Contender::new(run.machine, problem, one.solver())
        });
        let contenders = contenders.collect::<Result<Vec<_>, _>>()?;
        drop(assembled);
        let (contenders, on_one_core): (Vec<_>, Vec<_>) = contenders.into_iter().unzip();
        let [mut products, mut cycles] = [const { Vec::new() }; 2];
        for (contender, on_one_core) in contenders.iter().zip(on_one_core) {
            products.extend(contender.products()?);
            cycles.push(on_one_core);
            cycles.extend(contender.cycles()?);
        }
        let names = Numbering::ALL.into_iter().flat_map(|n| [0, 1, GPU].map(|p| work(n, p)));
        let race = |works: Vec<Work<'_>>| Race::new(names.clone().zip(works)).laps(run);
        let counts = [Numbering::TwoLevel, Numbering::Stochastic];
        let counts = counts.map(|numbering| contenders[numbering as usize].solve());
        Ok(Self {
            element,
            level,
            unknowns: contenders[0].start.len(),
            entries,
            counts: all(counts)?.map(|outcome| outcome.iterations),
            products: race(products)?,
            cycles: race(cycles)?,
        })
    }

    /// Name, as in `Q1 level 9`.
    pub fn name(&self) -> String {
        format!("{:?} level {}", self.element, self.level)
    }

    /// A value that is 1 in all rounds and processes of the cycles.
    pub fn repeated(&self) -> Interval {
        self.cycles.of(|_| 1.0)
    }

    /// Median seconds of a product.
    pub fn product(&self, numbering: Numbering, processor: usize) -> f64 {
        self.products.seconds(&work(numbering, processor)).median
    }

    /// MFlop/s of the product: an addition and a multiplication per entry.
    pub fn rate(&self, numbering: Numbering, processor: usize) -> Interval {
        let flop = 2e-6 * self.entries as f64;
        let name = work(numbering, processor);
        self.products.of(|lap| flop / lap[&name])
    }

    /// Seconds of a solve, that is, of its cycles.
    pub fn solve(&self, numbering: Numbering, processor: usize) -> Interval {
        self.cycles.seconds(&work(numbering, processor)).times(self.counts[0] as f64)
    }

    /// Seconds of a cycle relative to those in another numbering, or on another processor.
    pub fn cycle(&self, of: (Numbering, usize), by: (Numbering, usize)) -> Interval {
        self.cycles.ratio(&work(of.0, of.1), &work(by.0, by.1))
    }

    /// Gain of a cycle from STO to XYZ on the GPU, relative to that on all cores.
    pub fn sorting(&self) -> Interval {
        self.cycles.of(|lap| {
            let of = |numbering, processor| lap[&work(numbering, processor)];
            let gain = |p| of(Numbering::Stochastic, p) / of(Numbering::Xyz, p);
            gain(GPU) / gain(1)
        })
    }

    /// Products in STO relative to the slowest other numbering, and in the fastest other one relative to XYZ.
    pub fn ends(&self, processor: usize) -> [([Numbering; 2], Interval); 2] {
        use Numbering::{Stochastic, Xyz};
        let others = |but| Numbering::ALL.into_iter().filter(move |&n| n != but);
        let others = [Stochastic, Xyz].map(|but| others(but).collect::<Vec<_>>());
        let [sorted, unsorted] = others.map(|of| extremes(&self.products, processor, &of));
        [[Stochastic, sorted[1]], [unsorted[0], Xyz]].map(|[slow, fast]| {
            let [of, by] = [slow, fast].map(|numbering| work(numbering, processor));
            ([slow, fast], self.products.ratio(&of, &by))
        })
    }
}

/// The fastest and the slowest of several numberings on a processor.
fn extremes(laps: &Laps, processor: usize, of: &[Numbering]) -> [Numbering; 2] {
    let seconds = |&numbering: &_| laps.seconds(&work(numbering, processor)).median;
    let mut sorted = of.to_vec();
    sorted.order_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    [sorted[0], sorted[sorted.len() - 1]]
}
