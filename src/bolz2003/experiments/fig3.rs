//! Fig. 3: the time of a rectangle against its area, in the model of the GeForce FX and on the
//! present GPU.

use crate::experiment::plot::{Axis, Chart, Series, Style, chart};
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::stream::Machine;
use crate::stream::nv30::Nv30;
use crate::stream::nv30::rectangle::{end_of_step, even_sizes};

use super::long_program::LongProgram;

const MODEL: Claim = Claim {
    id: "bolz2003/fig3",
    class: Class::Exact,
    section: "Fig. 3, §3.2.1",
    statement: "On the GeForce FX time against area is a staircase; a batch has 512 fragments, but \
                the first step is just below 500 pixels, because fragments on the diagonal are \
                rasterised twice.",
    paper: "first step just below 500",
};

const MEASURED: Claim = Claim {
    id: "bolz2003/fig3-measured",
    class: Class::Shape,
    section: "Fig. 3, §3.2.1",
    statement: "The same experiment on the present GPU: a long program without fetches on rectangles \
                of growing area shows a staircase.",
    paper: "a step just below 500, as high as the first",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/staircase",
    paper: "bolz2003",
    section: "Fig. 3",
    title: "Time of a rectangle against its area",
    claims: &[MODEL, MEASURED],
    run,
};

/// The largest area looked at, in pixels.
const LARGEST_AREA: u32 = 2048;
/// No side of a rectangle is more than so many times the other.
const ASPECT: u32 = 2;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    Ok(vec![model()?, measurement(machine, options)?])
}

fn model() -> Result<Finding, BoxedError> {
    let nv30 = Nv30::default();
    let stairs = nv30.staircase(&even_sizes(LARGEST_AREA, ASPECT), nv30.program_length);
    let (last, first) = end_of_step(&stairs, 1).ok_or("the staircase has one step only")?;
    let measured = format!("{last} pixels in one batch, {first} in two");
    let finding = if (400..500).contains(&last) && last < nv30.fragments_per_batch() {
        MODEL.reproduced(measured)
    } else {
        MODEL.differs(measured, "the step of the model lies elsewhere")
    };
    let unit = nv30.seconds(1, nv30.program_length);
    let points = stairs
        .iter()
        .map(|stair| (f64::from(stair.rectangle.area()), stair.seconds / unit));
    let picture = chart(&Chart {
        title: "GeForce FX (model): time of a rectangle goes up in steps".into(),
        x: Axis::linear("area of the rectangle (pixels)"),
        y: Axis::linear("time (that of one full batch = 1)"),
        series: vec![Series::new("", Style::Points, points)],
        marks: vec![
            (f64::from(last), format!("{last}")),
            (f64::from(nv30.fragments_per_batch()), "     512".into()),
        ],
    })?;
    Ok(finding.with_figure(
        "bolz2003/fig3.png",
        format!(
            "Every rectangle of even sides (aspect at most 1:{ASPECT}) in the model. A batch has room \
             for 512 fragments, but tuples on the diagonal take part twice: the largest rectangle \
             in a single batch has {last} pixels. Steps overlap a little, since rectangles of one \
             area differ in the length of their diagonal."
        ),
        picture,
    ))
}

/// A rectangle's time in a model: so much for each of its batches, and something for the draw.
struct Fit {
    tuple_side: u32,
    tuples_per_batch: u32,
    /// Share of the variance of the times that the model explains.
    explained: f64,
    offset: f64,
    slope: f64,
}

impl Fit {
    /// The least-squares fit of one machine's staircase to times.
    fn of(tuple_side: u32, tuples_per_batch: u32, sizes: &[(u32, u32)], times: &[f64]) -> Fit {
        let machine = Nv30 {
            tuple_side,
            tuples_per_batch,
            ..Nv30::default()
        };
        let batches: Vec<f64> = sizes
            .iter()
            .map(|&(w, h)| machine.batches(machine.tuples(w, h).total()) as f64)
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (mean_x, mean_y) = (mean(&batches), mean(times));
        let pairs = || batches.iter().map(|x| x - mean_x).zip(times.iter().map(|y| y - mean_y));
        let xx: f64 = pairs().map(|(x, _)| x * x).sum();
        let xy: f64 = pairs().map(|(x, y)| x * y).sum();
        let yy: f64 = pairs().map(|(_, y)| y * y).sum();
        let slope = if xx > 0.0 { xy / xx } else { 0.0 };
        Fit {
            tuple_side,
            tuples_per_batch,
            explained: if yy > 0.0 { slope * xy / yy } else { 0.0 },
            offset: mean_y - slope * mean_x,
            slope,
        }
    }

    /// Of all machines with tuples of 1 to 8 and batches of 1 to 512 fragments or more, the one
    /// that explains the times best; of equals that with the smallest batch.
    fn best(sizes: &[(u32, u32)], times: &[f64]) -> Option<Fit> {
        let machines = [1, 2, 4, 8]
            .into_iter()
            .flat_map(|side| (0..8).map(move |power| (side, 1 << power)));
        machines
            .map(|(side, tuples)| Fit::of(side, tuples, sizes, times))
            .reduce(|best, fit| {
                if fit.explained > best.explained + 1e-4 {
                    fit
                } else {
                    best
                }
            })
    }

    fn pixels_per_batch(&self) -> u32 {
        self.tuple_side * self.tuple_side * self.tuples_per_batch
    }
}

fn measurement(machine: &mut Machine, options: &Options) -> Result<Finding, BoxedError> {
    let (instructions, repetitions, stride) = if options.quick {
        (2000, 7, 6)
    } else {
        (8000, 25, 1)
    };
    let mut sizes = even_sizes(LARGEST_AREA, ASPECT);
    sizes.sort_by_key(|&(w, h)| (w * h, w));
    let sizes: Vec<_> = sizes.into_iter().step_by(stride).collect();
    let program = LongProgram::new(machine, instructions, 64)?;
    let times = program.seconds(&sizes, repetitions)?;
    let fit = Fit::best(&sizes, &times).ok_or("nothing was measured")?;
    let nv30 = Nv30::default();
    let theirs = Fit::of(nv30.tuple_side, nv30.tuples_per_batch, &sizes, &times);

    // Beside the step of 2003: a staircase doubles there, a straight line grows with the area.
    let mean_between = |from: u32, to: u32| {
        let inside = sizes.iter().zip(&times).filter(|((w, h), _)| (from..to).contains(&(w * h)));
        let times: Vec<f64> = inside.map(|(_, &time)| time).collect();
        times.iter().sum::<f64>() / times.len() as f64
    };
    let jump = mean_between(480, 560) / mean_between(390, 470);
    let growth = times.last().zip(times.first()).map_or(1.0, |(last, first)| last / first);
    let measured = format!("{jump:.2} times as long just above 468 as just below");
    let renderer = &machine.context().description().renderer;
    let finding = if jump > 1.6 {
        MEASURED.reproduced(measured)
    } else if growth < 2.0 {
        MEASURED.differs(
            measured,
            format!(
                "{renderer} takes about as long for {LARGEST_AREA} pixels as for a few: it works on more \
                 than all of them at once"
            ),
        )
    } else {
        MEASURED.differs(
            measured,
            format!(
                "{renderer} shows no such step. Its times are explained best ({:.1} % of their variance) \
                 by blocks of {side}×{side} pixels in batches of {} pixels, against {:.1} % by the \
                 GeForce FX's 2×2 in batches of 512; the diagonal is rasterised twice here too.",
                100.0 * fit.explained,
                fit.pixels_per_batch(),
                100.0 * theirs.explained,
                side = fit.tuple_side,
            ),
        )
    };
    let area = |&(w, h): &(u32, u32)| f64::from(w * h);
    let milli = |time: f64| 1e3 * time;
    let points = sizes.iter().map(area).zip(times.iter().map(|&t| milli(t)));
    let stairs = sizes.iter().map(|size| {
        let batches = nv30.batches(nv30.tuples(size.0, size.1).total()) as f64;
        // Through the mean, so that both can be compared.
        (area(size), milli(theirs.offset.max(0.0) * 0.0 + batches * scale(&sizes, &times, &nv30)))
    });
    let picture = chart(&Chart {
        title: format!("The same today: {instructions} multiply-adds, no fetch, one rectangle a draw"),
        x: Axis::linear("area of the rectangle (pixels)"),
        y: Axis::linear("time (milliseconds)"),
        series: vec![
            Series::new("measured", Style::Points, points),
            Series::new("NV30 model", Style::Points, stairs),
        ],
        marks: vec![(468.0, "26×18".into())],
    })?;
    let _ = fit.slope;
    Ok(finding.with_figure(
        "bolz2003/fig3-measured.png",
        format!(
            "The experiment on {renderer}: one draw a rectangle, each waited for, the median of \
             {repetitions}. The model of the GeForce FX, scaled to the same mean, shows what a staircase would \
             look like."
        ),
        picture,
    ))
}

/// Seconds a batch that give the model the mean of the measured times.
fn scale(sizes: &[(u32, u32)], times: &[f64], nv30: &Nv30) -> f64 {
    let batches: u64 = sizes.iter().map(|&(w, h)| nv30.batches(nv30.tuples(w, h).total())).sum();
    times.iter().sum::<f64>() / batches as f64
}
