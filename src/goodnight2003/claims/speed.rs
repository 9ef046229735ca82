//! Figures 2, 3, 6 and 7, and §7.1: cycles and tests of convergence, timed alternately.

use crate::card::cost::bill;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Printed, Run, Samples};
use crate::goodnight2003::speed::cycles::{cycle_and_tests, cycles, cycles_beside_cpu};
use crate::goodnight2003::speed::half_sweep::beside_trivial;
use crate::goodnight2003::speed::problems::{eight_sweeps, flow, plate};
use crate::goodnight2003::{Programs, Settings};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::stream::{Format, Ledger};
use crate::timing::cost::ledger;
use crate::timing::{TimingError, Work};

/// Works on a grid, timed alternately.
pub(super) struct Timed {
    /// Nodes per side.
    pub n: u32,
    /// Seconds, round by round.
    pub samples: Samples,
    /// One run of each work.
    pub ledgers: Vec<Ledger>,
}

/// Times works on grids of these sides: six rounds on each, and more until its seconds are `decided`.
pub(super) fn timed<const N: usize>(
    run: &Run<'_>,
    sides: &[u32],
    works: impl Fn(u32) -> Result<[Work<'static>; N], TimingError>,
    decided: impl Fn(u32, &Samples) -> bool,
) -> Result<Vec<Timed>, BoxedError> {
    let of_side = |&n: &u32| {
        let mut works = works(n)?;
        let ledgers = works.iter_mut().map(|work| ledger(run.machine, work));
        let ledgers = ledgers.collect::<Result<_, _>>()?;
        let chain = if n <= 257 { 2 } else { 1 };
        let samples = run.rounds(chain, &mut works, |samples| decided(n, samples))?;
        Ok(Timed {
            n,
            samples,
            ledgers,
        })
    };
    sides.iter().map(of_side).collect()
}

impl Timed {
    /// Ratio of the seconds of two works in the model of the GeForce FX.
    fn in_model(&self, work: usize, by: usize) -> f64 {
        let seconds = |work: usize| bill(&self.ledgers[work]).total().nv30_seconds;
        seconds(work) / seconds(by)
    }

    /// Instructions that all fragments of a run execute.
    fn instructions(&self, work: usize) -> f64 {
        let kernels = bill(&self.ledgers[work]).kernels;
        let each = kernels.values();
        each.map(|charge| charge.done.fragments as f64 * f64::from(charge.instructions))
            .sum()
    }
}

/// Shows the seconds of each work over the nodes per side.
pub(super) fn draw(
    run: &mut Run<'_>,
    [name, title, caption]: [&str; 3],
    works: &[&str],
    timed: &[Timed],
) -> Result<(), BoxedError> {
    let curve = |(work, label): (usize, &&str)| {
        let points = timed
            .iter()
            .map(|timed| (f64::from(timed.n), timed.samples.seconds(work)));
        Series::new(*label, Style::LinePoints, points)
    };
    let chart = Chart {
        title: title.into(),
        x: Axis::logarithmic("nodes per side"),
        y: Axis::logarithmic("seconds"),
        series: works.iter().enumerate().map(curve).collect(),
        marks: Vec::new(),
    };
    run.chart(name, caption, &chart)
}

/// Sides of the grids on which cycles are timed, up to the paper's largest.
pub(super) fn sides(run: &Run<'_>) -> Vec<u32> {
    run.sizes(&[33, 65, 129], &[33, 65, 129, 257, 513, 1025])
}

/// The smallest and the largest grid.
fn ends(timed: &[Timed]) -> [&Timed; 2] {
    [&timed[0], &timed[timed.len() - 1]]
}

/// Least gain, in seconds, of a program that is called fast.
const FAST: f64 = 1.2;
/// Largest ratio of the fast programs' seconds to the fastpath's at which both count as equal.
const SAME_ORDER: f64 = 1.05;

pub(super) fn fig2(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let settings = || {
        [Programs::Original, Programs::Fastpath, Programs::Fast].map(|programs| Settings {
            programs,
            ..Settings::paper_2003()
        })
    };
    let sides = sides(run);
    let timed = timed(
        run,
        &sides,
        |n| cycles(run.machine, &plate(n)?, settings()),
        |n, s| Some(&n) != sides.last() || claim.decides_each(&[s.ratio(0, 1), s.ratio(0, 2)]),
    )?;
    draw(
        run,
        [
            "fig2",
            "Optimised programs inside, general ones along the sides",
            "Seconds per V-cycle with programs for all nodes that support periodic sides (slow), that do not \
             (fast), and with both, each where it is needed (fastpath, on all grids).",
        ],
        &["slow", "fastpath", "fast"],
        &timed,
    )?;
    let [_, largest] = ends(&timed);
    let (n, [fastpath, fast]) = (largest.n, [1, 2].map(|by| largest.samples.ratio(0, by)));
    let order = largest.samples.ratio(2, 1).median;
    let counted = largest.instructions(0) / largest.instructions(1);
    let model = [1, 2].map(|by| largest.in_model(0, by));
    Ok(Found::new()
        .ratio(format!("times as long with slow as with fastpath programs at {n}²"), fastpath)
        .ratio(format!("times as long with slow as with fast programs at {n}²"), fast)
        .at_least("the smaller gain", fastpath.median.min(fast.median), FAST)
        .at_most("times as long with fast as with fastpath programs", order, SAME_ORDER)
        .shows("times as many instructions in a slow cycle as in a fastpath one", counted)
        .with_model(format!("{:.1} and {:.1} times", model[0], model[1]))
        .because("Time does not follow the number of instructions on a processor that waits for fetches and passes."))
}

/// Cycles as in the paper, fragstream's, on one core of the CPU, and on all.
fn processors(run: &mut Run<'_>) -> Result<Vec<Timed>, BoxedError> {
    let sides = sides(run);
    let settings = || [Settings::paper_2003(), eight_sweeps()];
    timed(
        run,
        &sides,
        |n| cycles_beside_cpu(run.machine, &flow(n)?, settings()),
        |n, s| {
            let decided = |ratio: Interval| Printed::Faster.judge(ratio).is_some();
            decided(s.ratio(0, 1)) && (Some(&n) != sides.last() || decided(s.ratio(2, 0)))
        },
    )
}

pub(super) fn fig3(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(processors)?;
    draw(
        run,
        [
            "fig3",
            "V-cycles on the GPU and on the CPU",
            "Seconds per V-cycle of the flow problem, eight sweeps on each of all levels.",
        ],
        &["as in the paper", "ours", "CPU, one core", "CPU, all cores"],
        &timed,
    )?;
    let [smallest, largest] = ends(&timed);
    // Compared with one core, as in the paper.
    let name = |n: u32| format!("times as long on one core of the CPU as on the GPU at {n}²");
    let first = smallest.samples.ratio(2, 0).median;
    Ok(Found::new()
        .at_most(name(smallest.n), first, 1.0)
        .ratio(name(largest.n), largest.samples.ratio(2, 0))
        .shows("times as long on all cores", largest.samples.ratio(3, 0))
        .because(format!(
            "The GPU is {}, which computes on the same cores.",
            run.machine.context().description().renderer
        )))
}

pub(super) fn fig3_ours(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(processors)?;
    let [_, largest] = ends(&timed);
    let [paper, ours] = [0, 1].map(|work| largest.ledgers[work].total().passes as f64);
    let found = timed.iter().fold(Found::new(), |found, timed| {
        let name = format!("times as long as in the paper's way at {}²", timed.n);
        found.ratio(name, timed.samples.ratio(0, 1))
    });
    Ok(found
        .shows(format!("passes per cycle at {}²", largest.n), ours)
        .shows("in the paper's way", paper)
        .because("A pass that is saved is worth most where a pass has little to do."))
}

pub(super) fn fig6(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let settings = || {
        [true, false].map(|red_black_map| Settings {
            red_black_map,
            ..Settings::paper_2003()
        })
    };
    let sides = sides(run);
    let timed = timed(
        run,
        &sides,
        |n| cycles(run.machine, &flow(n)?, settings()),
        |n, s| Some(&n) != sides.last() || claim.decides(s.ratio(1, 0)),
    )?;
    draw(
        run,
        [
            "fig6",
            "Red nodes: looked up, or computed",
            "Seconds per V-cycle, with the stored red-black map and with its computation.",
        ],
        &["stored", "computed"],
        &timed,
    )?;
    let [_, largest] = ends(&timed);
    let name = format!("times as long with colours computed at {}²", largest.n);
    Ok(Found::new()
        .ratio(name, largest.samples.ratio(1, 0))
        .with_model(format!("{:.2} times", largest.in_model(1, 0)))
        .because("The map costs a fetch, the computation arithmetic; here a fetch costs more."))
}

pub(super) fn fig7(run: &mut Run<'_>, claim: &Claim) -> Checked {
    // Less than a fiftieth of the residual's own time cannot be told from its noise.
    let net = |round: &[f64], test: usize| (round[test] - round[3]).max(round[3] / 50.0);
    let gain = |s: &Samples| s.of(|round| net(round, 1) / net(round, 0));
    let sides = sides(run);
    let timed = timed(
        run,
        &sides,
        |n| cycle_and_tests(run.machine, &flow(n)?, &Settings::paper_2003()),
        |n, s| Some(&n) != sides.last() || claim.decides(gain(s)),
    )?;
    draw(
        run,
        [
            "fig7",
            "A test of convergence",
            "Seconds per test of convergence in three ways, each with the residual that it needs, compared with \
             the residual alone and a V-cycle.",
        ],
        &[
            "query",
            "read-back",
            "L2 by reduction",
            "the residual",
            "a cycle",
        ],
        &timed,
    )?;
    let [_, largest] = ends(&timed);
    let s = &largest.samples;
    let name = format!("times as long by read-back as by query at {}²", largest.n);
    Ok(Found::new()
        .ratio(name, gain(s))
        .shows("times as long with the residual", s.ratio(1, 0))
        .shows(
            "times as long with residual and cycle",
            s.of(|round| (round[4] + round[1]) / (round[4] + round[0])),
        )
        .because("The read-back is a copy in main memory here; in 2003 it crossed a bus."))
}

/// The side for which §7.1 is measured.
fn side(run: &Run<'_>) -> u32 {
    let sides = run.sizes(&[257], &[1025]);
    sides[sides.len() - 1]
}

pub(super) fn half(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let settings = || {
        [Format::Rgba32F, Format::Rgba16F].map(|precision| Settings {
            precision,
            ..Settings::paper_2003()
        })
    };
    let timed = timed(
        run,
        &[side(run)],
        |n| cycles(run.machine, &flow(n)?, settings()),
        |_, s| claim.decides(s.ratio(0, 1)),
    )?;
    let name = format!("times as long with 32-bit floats at {}²", timed[0].n);
    Ok(Found::new()
        .ratio(name, timed[0].samples.ratio(0, 1))
        .with_model(format!("{:.2} times", timed[0].in_model(0, 1)))
        .because("A 16-bit float is widened after each fetch and narrowed before it is written."))
}

/// Bytes per second of the smoother and of the program that writes a constant.
struct Bandwidth {
    n: u32,
    /// Ratios, for all fetched bytes and for each texel once.
    ratios: [Interval; 2],
    /// Gigabytes per second: all that the smoother fetches and writes, each texel once, the constant.
    rates: [f64; 3],
}

fn bandwidth_of_both(run: &mut Run<'_>) -> Result<Bandwidth, BoxedError> {
    let n = side(run);
    // State, operator, red-black map, and the result, if caches keep a neighbour's fetches.
    let once = 4.0 * Format::Rgba32F.bytes() as f64 * f64::from(n).powi(2);
    let (bytes, samples) = beside_trivial(run.machine, n, |mut works| {
        let mut bytes = |work: usize| -> Result<f64, TimingError> {
            Ok(bill(&ledger(run.machine, &mut works[work])?)
                .total()
                .bytes() as f64)
        };
        let bytes = [bytes(0)?, once, bytes(2)?];
        let is_decided = |ratio: Interval| Printed::Growth(1.0).judge(ratio).is_some();
        let decided = |samples: &Samples| of_both(samples, bytes).into_iter().all(is_decided);
        Ok((bytes, run.rounds(8, &mut works, decided)?))
    })?;
    let works = [0, 0, 2];
    let rate = |k: usize| 1e-9 * bytes[k] / samples.seconds(works[k]);
    Ok(Bandwidth {
        n,
        ratios: of_both(&samples, bytes),
        rates: [rate(0), rate(1), rate(2)],
    })
}

/// Both readings of the smoother's bytes per second, relative to the constant's.
fn of_both(samples: &Samples, [fetched, once, written]: [f64; 3]) -> [Interval; 2] {
    [fetched, once].map(|bytes| samples.of(|s| (bytes / s[0]) / (written / s[2])))
}

pub(super) fn bandwidth(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = comparable(&*run.once(bandwidth_of_both)?, 0);
    Ok(found
        .because("Most of the smoother's fetches are of texels that a neighbour has just fetched."))
}

pub(super) fn bandwidth_memory(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = comparable(&*run.once(bandwidth_of_both)?, 1);
    Ok(found.because("A node has texels of state, operator and red-black map, and its result."))
}

fn comparable(of: &Bandwidth, reading: usize) -> Found {
    let name = format!("times the constant's bytes per second at {}²", of.n);
    Found::new()
        .ratio(name, of.ratios[reading])
        .shows_in("smoother", of.rates[reading], "GB/s")
        .shows_in("constant", of.rates[2], "GB/s")
}
