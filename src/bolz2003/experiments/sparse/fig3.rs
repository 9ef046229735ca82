//! Fig. 3: the time of a rectangle against its area, in the model of the GeForce FX and on the
//! present GPU.

use crate::bolz2003::sparse::long_program::{Run, seconds_per_instruction};
use crate::card::cost::Nv30;
use crate::card::cost::rectangle::{end_of_step, even_sizes};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::stream::{Machine, Size};

const MODEL: Claim = Claim {
    id: "bolz2003/fig3",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Model,
    section: "Fig. 3, §3.2.1",
    statement: "On the GeForce FX time against area is a staircase; a batch has 512 fragments, but \
                the first step is just below 500 pixels, because fragments on the diagonal are \
                rasterised twice.",
    paper: "first step just below 500",
};

const MEASURED: Claim = Claim {
    id: "bolz2003/fig3-measured",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "Fig. 3, §3.2.1",
    statement: "The same experiment on the present GPU: a long program without fetches on rectangles \
                of growing area shows a staircase.",
    paper: "a step just below 500, as high as the first",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/staircase",
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
    let holds = (400..500).contains(&last) && last < nv30.fragments_per_batch();
    let why = match holds {
        true => "",
        false => "the step of the model lies elsewhere",
    };
    let finding = MODEL.judge(holds, measured, why);
    let points = stairs.iter().map(|stair| {
        let area = stair.rectangle.area();
        (f64::from(area), stair.batches as f64)
    });
    let full = nv30.fragments_per_batch();
    // Blanks keep the two words apart.
    let apart = "\u{a0}".repeat(8);
    let picture = chart(&Chart {
        title: "GeForce FX (model): time of a rectangle goes up in steps".into(),
        x: Axis::linear("area of the rectangle (pixels)"),
        y: Axis::linear("time (batches)"),
        series: vec![Series::new("", Style::Points, points)],
        marks: vec![
            (f64::from(last), format!("{last}{apart}")),
            (f64::from(full), format!("{apart}{full}")),
        ],
    })?;
    Ok(finding.with_figure(
        "bolz2003/fig3.png",
        format!(
            "Every rectangle of even sides (aspect at most 1:{ASPECT}) in the model. A batch has room \
             for 512 fragments, but tuples on the diagonal take part twice: the largest rectangle \
             in a single batch has {last} pixels."
        ),
        picture,
    ))
}

/// The share of the variance of some times that the straight line through them against the batches of a
/// machine explains, by least squares.
fn explained(machine: &Nv30, sizes: &[Size], times: &[f64]) -> f64 {
    let batches: Vec<f64> = sizes.iter().map(|&size| batches(machine, size)).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_x, mean_y) = (mean(&batches), mean(times));
    let sum = |product: fn(f64, f64) -> f64| -> f64 {
        let pairs = batches.iter().zip(times);
        pairs.map(|(x, y)| product(x - mean_x, y - mean_y)).sum()
    };
    let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
    match xx * yy > 0.0 {
        true => xy * xy / (xx * yy),
        false => 0.0,
    }
}

/// Of machines with tuples of 1×1 to 8×8 pixels and batches of 1 to 128 tuples, the one that explains the
/// times best, by the pixels of a batch and what it explains.
fn best_fit(sizes: &[Size], times: &[f64]) -> Option<(u32, f64)> {
    let powers = |most: u32| (0..=most).map(|power| 1 << power);
    let machines = powers(3).flat_map(|side| powers(7).map(move |tuples| (side, tuples)));
    let fits = machines.map(|(tuple_side, tuples_per_batch)| {
        let machine = Nv30 {
            tuple_side,
            tuples_per_batch,
            ..Nv30::default()
        };
        let share = explained(&machine, sizes, times);
        (machine.fragments_per_batch(), share)
    });
    fits.max_by(|a, b| a.1.total_cmp(&b.1))
}

fn batches(machine: &Nv30, (width, height): Size) -> f64 {
    machine.batches(machine.tuples(width, height).total()) as f64
}

fn measurement(machine: &mut Machine, options: &Options) -> Result<Finding, BoxedError> {
    let (instructions, repetitions, stride) = match options.quick {
        true => (2000, 7, 5),
        false => (8000, 25, 1),
    };
    let sizes = sizes(stride);
    let runs: Vec<Run> = sizes
        .iter()
        .map(|&size| Run { size, instructions })
        .collect();
    let mut times = seconds_per_instruction(machine, &runs, repetitions)?;
    let best = sizes.iter().position(|&size| size == BEST);
    let unit = best.map_or(1.0, |k| times[k]);
    times.iter_mut().for_each(|time| *time /= unit);

    let renderer = machine.context().description().renderer.clone();
    let finding = judge(&sizes, &times, &renderer)?;
    let area = |&(w, h): &Size| f64::from(w * h);
    let model = Nv30::default();
    let in_model = sizes
        .iter()
        .map(|size| (area(size), batches(&model, *size)));
    let picture = chart(&Chart {
        title: "The same experiment today".into(),
        x: Axis::linear("area of the rectangle (pixels)"),
        y: Axis::linear("time (26×18 = 1)"),
        series: vec![
            Series::new("this GPU", Style::Points, sizes.iter().map(area).zip(times)),
            Series::new("model", Style::Points, in_model),
        ],
        marks: vec![(area(&BEST), "26×18".into())],
    })?;
    Ok(finding.with_figure(
        "bolz2003/fig3-measured.png",
        format!(
            "{instructions} multiply-adds without a fetch on {renderer}, one rectangle a draw, each waited \
             for, the fastest of {repetitions}; and the model of the GeForce FX, whose staircase it would \
             have to follow."
        ),
        picture,
    ))
}

/// The rectangle that all times are compared with.
const BEST: Size = (26, 18);

/// Every so many of the even sizes by area, the best rectangle among them.
fn sizes(stride: usize) -> Vec<Size> {
    let mut sizes = even_sizes(LARGEST_AREA, ASPECT);
    sizes.sort_by_key(|&(w, h)| (w * h, w));
    let all = sizes.into_iter().enumerate();
    let some = all.filter(|(k, size)| k % stride == 0 || *size == BEST);
    some.map(|(_, size)| size).collect()
}

/// Is there the step of 2003? Beside it, a staircase doubles; a straight line grows with the area.
fn judge(sizes: &[Size], times: &[f64], renderer: &str) -> Result<Finding, BoxedError> {
    let mean_between = |from: u32, to: u32| {
        let pairs = sizes.iter().zip(times);
        let inside = pairs.filter(|((w, h), _)| (from..to).contains(&(w * h)));
        let inside: Vec<f64> = inside.map(|(_, &time)| time).collect();
        inside.iter().sum::<f64>() / inside.len() as f64
    };
    let jump = mean_between(480, 580) / mean_between(370, 470);
    let growth = mean_between(1900, 2049) / mean_between(0, 100);
    let measured = format!("{jump:.2} times as long just above the step as just below");
    let holds = jump > 1.6;
    let why = if holds {
        String::new()
    } else if growth < 2.0 {
        format!(
            "{renderer} takes about as long for {LARGEST_AREA} pixels as for a few: it works on more \
             than all of them at once."
        )
    } else {
        let (pixels, share) = best_fit(sizes, times).ok_or("nothing was measured")?;
        format!(
            "{renderer} has no such step: time grows with the area (a staircase would give 2.0, a straight \
             line 1.2 to 1.3). Of all machines that the model can describe, one with batches of {pixels} \
             pixels explains the times best ({:.1} % of their variance; the GeForce FX {:.1} %): if there are \
             steps, they are as small as that.",
            100.0 * share,
            100.0 * explained(&Nv30::default(), sizes, times),
        )
    };
    Ok(MEASURED.judge(holds, measured, why))
}
