//! §4.3: what batches cost small grids.

use crate::experiment::plot::{Axis, Chart, Series, Style, chart};
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::stream::Machine;
use crate::stream::nv30::Nv30;

use super::long_program::LongProgram;

const MODEL: Claim = Claim {
    id: "bolz2003/batch",
    class: Class::Exact,
    section: "§4.3",
    statement: "On the GeForce FX batches cost a grid of 17×17 fragments almost half of its time and \
                one of 33×33 29 %; larger grids less.",
    paper: "17²: almost 50 %, 33²: 29 %, falling",
};

const MEASURED: Claim = Claim {
    id: "bolz2003/batch-measured",
    class: Class::Shape,
    section: "§4.3",
    statement: "The same on the present GPU: small grids cost more a fragment than large ones, the less \
                the larger they are.",
    paper: "17²: almost 50 %, 33²: 29 %, falling",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/batch-quantisation",
    paper: "bolz2003",
    section: "§4.3",
    title: "The penalty of batches on small grids",
    claims: &[MODEL, MEASURED],
    run,
};

/// Sides of grids; the last one is taken to have no penalty.
const SIDES: [u32; 7] = [9, 17, 33, 65, 129, 257, 513];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let nv30 = Nv30::default();
    let model = SIDES.map(|n| nv30.waste(n, n));
    let (instructions, repetitions) = if options.quick { (400, 7) } else { (1000, 25) };
    let program = LongProgram::new(machine, instructions, 513)?;
    let times = program.seconds(&SIDES.map(|n| (n, n)), repetitions)?;
    let rates: Vec<f64> = SIDES.iter().zip(&times).map(|(&n, t)| f64::from(n * n) / t).collect();
    let best = rates.iter().copied().fold(f64::MIN, f64::max);
    let measured: Vec<f64> = rates.iter().map(|rate| 1.0 - rate / best).collect();

    let percent = |penalty: &[f64]| {
        format!("17²: {:.0} %, 33²: {:.0} %", 100.0 * penalty[1], 100.0 * penalty[2])
    };
    let falls = |penalty: &[f64]| penalty[1..].is_sorted_by(|a, b| a >= b);
    let is_paper = (0.4..0.5).contains(&model[1]) && (100.0 * model[2]).round() == 29.0;
    let finding = if is_paper && falls(&model) {
        MODEL.reproduced(percent(&model))
    } else {
        MODEL.differs(percent(&model), "the model's batches are others")
    };
    let renderer = machine.context().description().renderer.clone();
    let like = measured[1] > 0.2 && measured[2] > 0.1 && measured[1] > measured[2];
    let why = format!(
        "{renderer} has no batches. What small grids lose here is parallelism: a grid inside one tile \
         of 64×64 pixels is one thread's work, and the draw's own cost is not hidden."
    );
    let present = MEASURED.judged(
        if like { crate::experiment::Verdict::Reproduced } else { crate::experiment::Verdict::Differs },
        percent(&measured),
        why,
    );
    let series = |label, penalty: &[f64]| {
        let points = SIDES.iter().zip(penalty).map(|(&n, p)| (f64::from(n), 100.0 * p));
        Series::new(label, Style::LinePoints, points.collect::<Vec<_>>())
    };
    let picture = chart(&Chart {
        title: "What a small grid wastes".into(),
        x: Axis::logarithmic("side of the grid (fragments)"),
        y: Axis::linear("time lost, against the best of all sizes (%)").with_range(0.0, 100.0),
        series: vec![
            series("NV30 model", &model),
            series("this GPU", &measured),
            Series::new("paper", Style::Points, [(17.0, 50.0), (33.0, 29.0)]),
        ],
        marks: Vec::new(),
    })?;
    let caption = format!(
        "Share of the time that a square grid drawn alone loses: modelled, as the paper states it, and \
         measured on {renderer} with {instructions} multiply-adds a fragment."
    );
    Ok(vec![
        finding,
        present.with_figure("bolz2003/batch.png", caption, picture),
    ])
}
