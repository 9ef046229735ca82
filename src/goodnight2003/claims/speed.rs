//! Figures 2, 3, 6 and 7, and §7.1: cycles and convergence tests, timed alternately.

use crate::card::cost::bill;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Printed, Run, Samples};
use crate::goodnight2003::cases::{
    COLOURS, FORMATS, PROGRAMS, Variant, constant, cycle_and_tests, cycles, flow, half_sweep,
    plate, processors,
};
use crate::goodnight2003::{Error, Problem};
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

/// Times works on grids of these sides: six rounds on each, and more until the seconds are `decided`.
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
        Ok(Timed {
            n,
            samples: run.rounds(chain, &mut works, |samples| decided(n, samples))?,
            ledgers,
        })
    };
    sides.iter().map(of_side).collect()
}

/// Times cycles with variants of the paper's settings; the largest grid is judged.
fn timed_cycles<const N: usize>(
    run: &Run<'_>,
    problem: fn(u32) -> Result<Problem, Error>,
    variants: &[Variant; N],
    decided: impl Fn(&Samples) -> bool,
) -> Result<Vec<Timed>, BoxedError> {
    let sides = sides(run);
    let works = |n| cycles(run.machine, &problem(n)?, variants);
    let is_last = |n| sides.last() == Some(&n);
    timed(run, &sides, works, |n, s| !is_last(n) || decided(s))
}

/// Sides of the grids on which cycles are timed, up to the paper's largest.
pub(super) fn sides(run: &Run<'_>) -> Vec<u32> {
    run.sizes(&[33, 65, 129], &[33, 65, 129, 257, 513, 1025])
}

/// The largest grid.
fn largest(timed: &[Timed]) -> &Timed {
    &timed[timed.len() - 1]
}

/// Plots the seconds of each work over the nodes per side.
pub(super) fn draw(
    run: &mut Run<'_>,
    [name, title]: [&str; 2],
    works: &[&str],
    timed: &[Timed],
) -> Result<(), BoxedError> {
    let curve = |(work, label): (usize, &&str)| {
        let point = |on: &Timed| (f64::from(on.n), on.samples.interval(work));
        Series::measured(*label, Style::LinePoints, timed.iter().map(point))
    };
    let chart = Chart {
        title: title.into(),
        x: Axis::logarithmic("nodes per side"),
        y: Axis::logarithmic("seconds"),
        series: works.iter().enumerate().map(curve).collect(),
        marks: Vec::new(),
    };
    run.chart(name, &format!("{title}: seconds."), &chart)
}

/// Smallest gain, in seconds, of a program that counts as fast.
const FAST: f64 = 1.2;
/// Largest ratio of the fast programs' seconds to those of fastpath at which both count as equal.
const SAME_ORDER: f64 = 1.05;

pub(super) fn fig2(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let gains = |s: &Samples| [1, 2].map(|by| s.ratio(0, by));
    let timed = timed_cycles(run, plate, &PROGRAMS, |s| claim.decides_each(&gains(s)))?;
    let title = "V-cycles with periodic sides supported everywhere, at the sides, and nowhere";
    draw(run, ["fig2", title], &PROGRAMS.map(|p| p.0), &timed)?;
    let on = largest(&timed);
    let [fastpath, fast] = gains(&on.samples);
    let order = on.samples.ratio(2, 1).median;
    Ok(Found::new()
        .ratio(format!("times as long slow as fastpath at {}²", on.n), fastpath)
        .ratio("times as long slow as fast", fast)
        .each("times")
        .at_least("smaller gain", fastpath.median.min(fast.median), FAST)
        .at_most("times as long fast as fastpath", order, SAME_ORDER)
        .because("The time does not follow the number of instructions. The cause is not known."))
}

pub(super) fn fig3(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let sides = sides(run);
    let works = |n| processors(run.machine, n);
    let timed =
        timed(run, &sides, works, |n, s| sides.last() != Some(&n) || claim.decides(s.ratio(1, 0)))?;
    let title = "V-cycles of the flow problem on the GPU and on the CPU";
    let works = ["GPU", "CPU, one core", "CPU, all cores"];
    draw(run, ["fig3", title], &works, &timed)?;
    // Compared with one core, as in the paper.
    let name =
        |on: &Timed| format!("times as long on a core of the CPU as on the GPU at {}²", on.n);
    let (first, last) = (&timed[0], largest(&timed));
    let renderer = &run.machine.context().description().renderer;
    Ok(Found::new()
        .at_most(name(first), first.samples.ratio(1, 0).median, 1.0)
        .ratio(name(last), last.samples.ratio(1, 0))
        .shows("times as long on all cores", last.samples.ratio(2, 0))
        .because(format!("The GPU is {renderer}.")))
}

pub(super) fn fig6(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let timed = timed_cycles(run, flow, &COLOURS, |s| claim.decides(s.ratio(1, 0)))?;
    let title = "V-cycles with the colours of nodes looked up, or computed";
    draw(run, ["fig6", title], &COLOURS.map(|c| c.0), &timed)?;
    let on = largest(&timed);
    Ok(Found::new()
        .ratio(format!("times as long computed at {}²", on.n), on.samples.ratio(1, 0))
        .because("The map costs a fetch, the computation arithmetic."))
}

pub(super) fn fig7(run: &mut Run<'_>, claim: &Claim) -> Checked {
    // Less than a fiftieth of the residual's own time is within its noise.
    let net = |round: &[f64], test: usize| (round[test] - round[3]).max(round[3] / 50.0);
    let gain = |s: &Samples| s.of(|round| net(round, 1) / net(round, 0));
    let sides = sides(run);
    let works = |n| cycle_and_tests(run.machine, n);
    let timed =
        timed(run, &sides, works, |n, s| sides.last() != Some(&n) || claim.decides(gain(s)))?;
    let works = ["query", "read-back", "L2 by reduction", "the residual", "a cycle"];
    let title = "Convergence tests, each with the residual that it needs";
    draw(run, ["fig7", title], &works, &timed)?;
    let (n, s) = (largest(&timed).n, &largest(&timed).samples);
    let cycle = s.of(|round| (round[4] + round[1]) / (round[4] + round[0]));
    Ok(Found::new()
        .ratio(format!("times as long by read-back as by query at {n}²"), gain(s))
        .shows("times as long including the residual", s.ratio(1, 0))
        .shows("times as long including residual and cycle", cycle)
        .because("Here the read-back is a copy in main memory; in 2003 it crossed a bus."))
}

/// Side of the grid for §7.1.
fn side(run: &Run<'_>) -> u32 {
    let sides = run.sizes(&[257], &[1025]);
    sides[sides.len() - 1]
}

pub(super) fn half(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let works = |n| cycles(run.machine, &flow(n)?, &FORMATS);
    let timed = timed(run, &[side(run)], works, |_, s| claim.decides(s.ratio(0, 1)))?;
    let on = largest(&timed);
    Ok(Found::new()
        .ratio(format!("times as long with 32-bit floats at {}²", on.n), on.samples.ratio(0, 1))
        .because("A 16-bit float is widened after each fetch and narrowed before it is written."))
}

/// Bytes per second of the smoother and of the program that writes a constant.
struct Bandwidth {
    n: u32,
    /// Ratios, for all fetched bytes and for each texel once.
    ratios: [Interval; 2],
    /// Gigabytes per second: all bytes that the smoother fetches and writes, each texel once, the constant.
    rates: [f64; 3],
}

fn bandwidths(run: &mut Run<'_>) -> Result<Bandwidth, BoxedError> {
    let n = side(run);
    // State, operator, red–black map and result, if a neighbour's fetches stay in caches.
    let once = 4.0 * Format::Rgba32F.bytes() as f64 * f64::from(n).powi(2);
    let ratios = |s: &Samples, [fetched, once, written]: [f64; 3]| {
        [fetched, once].map(|bytes| s.of(|round| bytes / round[0] * round[1] / written))
    };
    let is_decided = |ratio: Interval| Printed::Growth(1.0).is_reproduced(ratio).is_some();
    let mut works = [half_sweep(run.machine, n)?, constant(run.machine, n)?];
    let mut bytes = |work: usize| -> Result<f64, TimingError> {
        let bill = bill(&ledger(run.machine, &mut works[work])?);
        Ok(bill.total().bytes() as f64)
    };
    let bytes = [bytes(0)?, once, bytes(1)?];
    let decided = |s: &Samples| ratios(s, bytes).into_iter().all(is_decided);
    let samples = run.rounds(4, &mut works, decided)?;
    let rate = |bytes: f64, work| 1e-9 * bytes / samples.seconds(work);
    Ok(Bandwidth {
        n,
        ratios: ratios(&samples, bytes),
        rates: [rate(bytes[0], 0), rate(once, 0), rate(bytes[2], 1)],
    })
}

pub(super) fn bandwidth(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = comparable(&*run.once(bandwidths)?, 0);
    Ok(found
        .because("Most texels that the smoother fetches have just been fetched by a neighbour."))
}

pub(super) fn bandwidth_memory(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = comparable(&*run.once(bandwidths)?, 1);
    Ok(found
        .because("Each node counts with its texels of state, operator and map, and its result."))
}

fn comparable(of: &Bandwidth, reading: usize) -> Found {
    Found::new()
        .ratio(format!("times the constant's bytes per second at {}²", of.n), of.ratios[reading])
        .shows_in("smoother", of.rates[reading], "GB/s")
        .shows_in("constant", of.rates[2], "GB/s")
}
