//! §4.3: what batches cost small grids.

use crate::card::cost::Nv30;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::stream::Machine;
use crate::timing::rig::range;

use crate::bolz2003::sparse::long_program::{Run, seconds_per_instruction};

const MODEL: Claim = Claim {
    id: "bolz2003/batch",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Model,
    section: "§4.3",
    statement: "On the GeForce FX batches cost a grid of 17×17 fragments almost half of its time and \
                one of 33×33 29 %; larger grids less.",
    paper: "17²: almost 50 %, 33²: 29 %, falling",
};

const MEASURED: Claim = Claim {
    id: "bolz2003/batch-measured",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.3",
    statement: "The same on the present GPU: small grids cost more a fragment than large ones, the less \
                the larger they are.",
    paper: "17²: almost 50 %, 33²: 29 %, falling",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/batch-quantisation",
    section: "§4.3",
    title: "The penalty of batches on small grids",
    claims: &[MODEL, MEASURED],
    run,
};

/// Sides of grids.
const SIDES: [u32; 7] = [9, 17, 33, 65, 129, 257, 513];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let nv30 = Nv30::default();
    let model = SIDES.map(|n| nv30.waste(n, n));
    let measured = measure(machine, options)?;
    let renderer = &machine.context().description().renderer;
    let picture = draw(&model, &measured)?;
    let caption = format!(
        "Share of the time that a square grid drawn alone wastes: as the paper states it, in the model \
         of the GeForce FX, and measured on {renderer} with a long program (time a fragment, against the \
         fastest of all sizes)."
    );
    let finding = judge_measured(&measured, renderer).with_model(percent(&model));
    Ok(vec![
        judge_model(&model),
        finding.with_figure("bolz2003/batch.png", caption, picture),
    ])
}

/// The penalty of each grid on the present GPU: what a fragment takes more than in the best of them,
/// as a share.
fn measure(machine: &Machine, options: &Options) -> Result<Vec<f64>, BoxedError> {
    let (work, repetitions) = match options.quick {
        true => (3_000_000, 5),
        false => (20_000_000, 9),
    };
    // Small grids get longer programs, so that each draw takes about as long.
    let runs = SIDES.map(|side| Run {
        size: (side, side),
        instructions: (work / (side * side)).clamp(100, 20_000),
    });
    let times = seconds_per_instruction(machine, &runs, repetitions)?;
    let timed = SIDES.iter().zip(times);
    let per_fragment: Vec<f64> = timed
        .map(|(side, time)| time / f64::from(side * side))
        .collect();
    let (best, _) = range(per_fragment.iter().copied());
    Ok(per_fragment.iter().map(|time| 1.0 - best / time).collect())
}

/// The penalties of 17×17 and 33×33, in words.
fn percent(penalties: &[f64]) -> String {
    format!(
        "17²: {:.0} %, 33²: {:.0} %",
        100.0 * penalties[1],
        100.0 * penalties[2]
    )
}

fn judge_model(penalties: &[f64]) -> Finding {
    let falls = penalties.is_sorted_by(|a, b| a > b);
    let like = (0.4..0.5).contains(&penalties[1]) && (0.285..0.295).contains(&penalties[2]);
    let why = match like && falls {
        true => {
            "17² leave 44 % of one batch unused, which the paper calls almost half; 33² need three."
        }
        false => "The model's batches are others.",
    };
    MODEL.judge(like && falls, percent(penalties), why)
}

fn judge_measured(penalties: &[f64], renderer: &str) -> Finding {
    let [_, small, larger, _, _, large, _] = penalties else {
        return MEASURED.judge(false, "nothing", "Not every size was measured.");
    };
    let falls = small > larger && larger > large;
    let near = |penalty: f64, paper: f64| (penalty - paper).abs() <= NEAR;
    let holds = falls && near(*small, 0.50) && near(*larger, 0.29);
    let why = match holds {
        true => format!(
            "Not for the same reason on {renderer}: there are no batches of 512 (fig3-measured). \
             Blocks of pixels at the rim and on the diagonal are partly empty, and a small grid does \
             not keep all of the machine busy."
        ),
        false => {
            let does = if falls {
                "falls"
            } else {
                "does not fall steadily"
            };
            format!(
                "The penalty {does} with size, but {renderer} has no batches of 512 (fig3-measured): what \
                 small grids lose here is not isolated."
            )
        }
    };
    MEASURED.judge(holds, percent(penalties), why)
}

/// How far a measured penalty may be from the paper's.
const NEAR: f64 = 0.15;

fn draw(model: &[f64], measured: &[f64]) -> Result<Vec<u8>, BoxedError> {
    let series = |label, penalties: &[f64]| {
        let points = SIDES.map(f64::from).into_iter();
        let points = points.zip(penalties.iter().map(|penalty| 100.0 * penalty));
        Series::new(label, Style::LinePoints, points)
    };
    Ok(chart(&Chart {
        title: "What a small grid wastes".into(),
        x: Axis::logarithmic("side of the grid (fragments)"),
        y: Axis::linear("time wasted (%)").with_range(0.0, 100.0),
        series: vec![
            Series::new("", Style::Points, [(17.0, 50.0), (33.0, 29.0)]),
            series("model", model),
            series("this GPU", measured),
        ],
        marks: vec![
            (17.0, "paper: < 50 %".into()),
            (33.0, "\u{a0}\u{a0}\u{a0}29 %".into()),
        ],
    })?)
}
