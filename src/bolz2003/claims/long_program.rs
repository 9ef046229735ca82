//! §3.2.1: the time of a rectangle drawn alone when only arithmetic counts, by the method of Fig. 3: a long program
//! without fetches. The staircase and the waste of small grids, measured.

use std::rc::Rc;

use crate::card::cost::Nv30;
use crate::card::cost::rectangle::even_sizes;
use crate::claim::{Checked, Claim, Found, Run, Samples, Table};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Rects, Size, Source, Stream, StreamError, source,
};
use crate::timing::Work;
use crate::timing::rig::work;

use super::model::{ASPECT, LARGEST_AREA, SIDES, waste};

const LONG_PROGRAM: Source = source!("bolz2003/sparse/long_program");

/// The rectangle that all times are compared with.
const BEST: Size = (26, 18);
/// Multiply-adds per round of the program's loop.
const MADS_PER_ROUND: u32 = 8;

/// A rectangle drawn alone, with a program of a given length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rectangle {
    /// Width and height in pixels.
    size: Size,
    /// Approximate number of multiply-adds.
    instructions: u32,
}

impl Rectangle {
    /// Rounds of the program's loop.
    fn rounds(&self) -> u32 {
        (self.instructions / MADS_PER_ROUND).max(2)
    }
}

/// Two works per rectangle: the long program, and one of a single round.
///
/// # Errors
/// Those of the machine.
fn works(machine: &Machine, all: &[Rectangle]) -> Result<Vec<Work<'static>>, StreamError> {
    let side = |of: fn(&Rectangle) -> u32| all.iter().map(of).max().unwrap_or(1);
    let size = (side(|one| one.size.0), side(|one| one.size.1));
    let target = Rc::new(Stream::zeros(
        machine,
        "end of the chain",
        size,
        Format::R32F,
    )?);
    let mut works = Vec::new();
    for one in all {
        for rounds in [one.rounds(), 1] {
            let rects = machine.rect(Rect::of_size(one.size.0, one.size.1))?;
            let (kernel, target) = (kernel(machine, rounds)?, Rc::clone(&target));
            works.push(work(move |_| draw(&kernel, &target, &rects)));
        }
    }
    Ok(works)
}

/// Seconds per multiply-add in each rectangle, from those of the [`works`], one run per draw with a wait, so that no
/// draw shares a batch with another, and none is dropped because a later one covers it. The time of a program
/// of a single round is subtracted from that of the long program, which removes the cost of a draw and of the wait.
fn seconds_per_instruction(all: &[Rectangle], seconds: &[f64]) -> Vec<f64> {
    let pairs = all.iter().zip(seconds.as_chunks::<2>().0);
    let a_mad = |(one, [long, short]): (&Rectangle, &[f64; 2])| {
        (long - short) / f64::from(MADS_PER_ROUND * (one.rounds() - 1))
    };
    pairs.map(a_mad).collect()
}

/// The program with a loop of `rounds` rounds.
fn kernel(machine: &Machine, rounds: u32) -> Result<Rc<Kernel>, StreamError> {
    machine.kernel(&LONG_PROGRAM, &[("ROUNDS", &format!("{rounds}.0"))])
}

/// Runs it on these rectangles.
fn draw(kernel: &Kernel, target: &Stream, rects: &Rects) -> Result<(), StreamError> {
    (Pass::new(kernel).set("factor", 0.999))
        .set("summand", 0.001)
        .draw(target, rects)
}

/// `fig3-measured`
pub fn staircase(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (instructions, stride) = run.pick((2000, 5), (8000, 1));
    let mut sizes = even_sizes(LARGEST_AREA, ASPECT);
    sizes.sort_by_key(|&(w, h)| (w * h, w));
    let some = sizes.into_iter().enumerate();
    let some = some.filter(|(k, size)| k % stride == 0 || *size == BEST);
    let all: Vec<_> = some
        .map(|(_, size)| Rectangle { size, instructions })
        .collect();
    let area = |rectangle: &Rectangle| f64::from(rectangle.size.0 * rectangle.size.1);
    let step = |seconds: &[f64]| {
        let mean = |from: f64, to: f64| {
            let pairs = all.iter().zip(seconds);
            let inside = pairs.filter(|(rectangle, _)| (from..to).contains(&area(rectangle)));
            let inside: Vec<f64> = inside.map(|(_, &seconds)| seconds).collect();
            inside.iter().sum::<f64>() / inside.len() as f64
        };
        mean(480.0, 580.0) / mean(370.0, 470.0)
    };
    let ratio = |samples: &Samples| samples.of(|round| step(&seconds_per_instruction(&all, round)));
    let mut works = works(run.machine, &all)?;
    let samples = run.rounds(1, &mut works, |samples| claim.decides(ratio(samples)))?;
    let seconds: Vec<f64> = (0..works.len()).map(|work| samples.seconds(work)).collect();
    let seconds = seconds_per_instruction(&all, &seconds);
    let unit = all.iter().position(|rectangle| rectangle.size == BEST);
    let unit = unit.map_or(1.0, |place| seconds[place]);
    let nv30 = Nv30::default();
    let here = all
        .iter()
        .zip(&seconds)
        .map(|(rectangle, seconds)| (area(rectangle), seconds / unit));
    let model = all.iter().map(|rectangle| {
        let tuples = nv30.tuples(rectangle.size.0, rectangle.size.1).total();
        (area(rectangle), nv30.batches(tuples) as f64)
    });
    let caption = "Multiply-adds without fetches, one rectangle per draw, waiting for each draw; and the model of the \
                   GeForce FX, whose staircase the measurement would have to follow.";
    run.chart(
        "fig3-measured",
        caption,
        &Chart {
            title: "The same experiment today".into(),
            x: Axis::linear("area of the rectangle (pixels)"),
            y: Axis::linear("time (26×18 = 1)"),
            series: vec![
                Series::new("here", Style::Points, here),
                Series::new("model", Style::Points, model),
            ],
            marks: vec![(f64::from(BEST.0 * BEST.1), "26×18".into())],
        },
    )?;
    Ok(Found::new()
        .ratio("times as long just above the step as just below", ratio(&samples))
        .because("Without batches of 512 fragments time grows with the area, which alone gives 1.2 to 1.3."))
}

/// `batch-measured`
pub fn small_grids(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let work = run.pick(3_000_000, 20_000_000);
    // Small grids get longer programs, so that each draw takes about as long.
    let all = SIDES.map(|side| Rectangle {
        size: (side, side),
        instructions: (work / (side * side)).clamp(100, 20_000),
    });
    let per_fragment = |seconds: &[f64]| {
        let seconds = seconds_per_instruction(&all, seconds);
        [0, 1, 2, 3, 4, 5, 6].map(|k| seconds[k] / f64::from(SIDES[k] * SIDES[k]))
    };
    let ratio = |samples: &Samples, k: usize, by: usize| {
        samples.of(|round| per_fragment(round)[k] / per_fragment(round)[by])
    };
    let mut works = works(run.machine, &all)?;
    let samples = run.rounds(1, &mut works, |samples| {
        claim.decides_each(&[1, 2].map(|k| ratio(samples, k, 6)))
    })?;
    let seconds: Vec<f64> = (0..works.len()).map(|work| samples.seconds(work)).collect();
    let times = per_fragment(&seconds);
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let mut table = Table::new("", ["", "side", "waste"]);
    for (name, shares) in [
        ("model", waste()),
        ("here", times.map(|time| 1.0 - best / time)),
    ] {
        for (side, share) in SIDES.into_iter().zip(shares) {
            table.push([name.into(), f64::from(side).into(), (100.0 * share).into()]);
        }
    }
    let axes = [
        Axis::logarithmic("side of the grid (fragments)"),
        Axis::linear("time wasted (%)").with_range(0.0, 100.0),
    ];
    let chart = Chart {
        marks: vec![
            (17.0, "paper: < 50 %".into()),
            (33.0, "\u{a0}\u{a0}\u{a0}29 %".into()),
        ],
        ..table.chart("Time wasted by a small grid", axes, &["waste"])
    };
    let caption = "Share of the time that a square grid drawn alone wastes, in the model of the GeForce FX and \
                   measured with a long program (time per fragment relative to the fastest of all sizes).";
    run.chart("batch", caption, &chart)?;
    Ok(Found::new()
        .ratio(
            "times as long per fragment on 17² as on 513²",
            ratio(&samples, 1, 6),
        )
        .ratio(
            "times as long per fragment on 33² as on 513²",
            ratio(&samples, 2, 6),
        )
        .at_least("17² relative to 33²", ratio(&samples, 1, 2).median, 1.0)
        .because("llvmpipe has no batches. The cause of what small grids lose here is not known."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_chain_ends_where_the_same_multiply_adds_end_on_the_cpu() {
        let machine = Machine::headless().unwrap();
        let target = Stream::zeros(&machine, "end", (5, 3), Format::Rgba32F).unwrap();
        let rects = machine.rect(target.full()).unwrap();
        let kernel = kernel(&machine, 3).unwrap();
        draw(&kernel, &target, &rects).unwrap();
        let end = |start: f64| (0..3 * MADS_PER_ROUND).fold(start, |v, _| 0.999 * v + 0.001);
        for (i, record) in target.read().unwrap().as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = ((i % 5) as f64 + 0.5, (i / 5) as f64 + 0.5);
            for (value, start) in record.iter().zip([x, y, y, x]) {
                assert_relative_eq!(f64::from(*value), end(start), max_relative = 1e-5);
            }
        }
    }

    #[test]
    fn the_program_is_as_long_as_it_says_and_fetches_nothing() {
        let machine = Machine::headless().unwrap();
        let kernel = kernel(&machine, 100).unwrap();
        let count = crate::card::count::count(&kernel.text().fragment).unwrap();
        assert_eq!(count.fetches, 0);
        let expected = 100 * MADS_PER_ROUND;
        assert!((expected..expected + 10).contains(&count.instructions));
    }
}
