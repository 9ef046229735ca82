//! Appendix C: each step by itself.
//!
//! Each switch is turned back alone in the paper's final configuration, and what a solve of so many
//! iterations then takes is compared with what it takes there, in turns; step 2 also in the state in which
//! all switches are back. A gain counts as reproduced if there is one and the ratio is within a factor of
//! 2 of the paper's; where the paper gives no number, if there is one.

use crate::batty2003::pressure::gpu::{Entries, Guess, Index, Offsets, Scalars, Storage};
use crate::batty2003::pressure::{GpuSolver, PressureSolver, Settings, System};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::Criteria;
use crate::stream::{Grouping, Machine};
use crate::timing::rig::{TimingError, agrees, interval_of_median, samples, work};
use crate::timing::{Effort, median};

use super::dam;

const fn claim(id: &'static str, statement: &'static str, paper: &'static str) -> Claim {
    Claim {
        id,
        class: Class::Shape,
        section: "Appendix C",
        statement,
        paper,
    }
}

const C1: Claim = claim(
    "batty2003/c1",
    "The matrix in floats instead of bytes, which have to be mapped, saves about 3 s.",
    "15.2 to 12.3 s: 1.24 times",
);
const C2: Claim = claim(
    "batty2003/c2",
    "Skewed coordinates instead of a quotient and a remainder for each offset save around 3 s.",
    "24 to 21 s: 1.14 times",
);
const C3: Claim = claim(
    "batty2003/c3",
    "Pairs of floats for offsets built by the CPU and not by the program save nearly a second.",
    "about 13.3 to 12.3 s: 1.08 times",
);
const C4: Claim = claim(
    "batty2003/c4",
    "Starting from the last step's solution instead of from b saves around a second.",
    "about 13.3 to 12.3 s: 1.08 times",
);
const C5: Claim = claim(
    "batty2003/c5",
    "The fraction of the skewed row replaces fmod.",
    "faster; no number",
);
const C6: Claim = claim(
    "batty2003/c6",
    "Sums of adjacent texels instead of corresponding ones of four quadrants save a few tenths of a \
     second.",
    "about 12.6 to 12.3 s: 1.02 times",
);
const C7: Claim = claim(
    "batty2003/c7",
    "Not to wait after each operation saves about 0.7 s.",
    "13.0 to 12.3 s: 1.06 times",
);
const C8: Claim = claim(
    "batty2003/c8",
    "Scalars on the CPU instead of in surfaces of one texel save a couple of seconds.",
    "about 14.3 to 12.3 s: 1.16 times",
);
const C9: Claim = claim(
    "batty2003/c9",
    "The matrix in one large texture instead of seven was rejected.",
    "not faster; no number",
);
const C10: Claim = claim(
    "batty2003/c10",
    "Reading back about 16 texels of a sum instead of one is a minor improvement.",
    "faster; no number",
);

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/switches",
    section: "Appendix C",
    title: "The ten steps of the optimisation, each by itself",
    claims: &[C1, C2, C3, C4, C5, C6, C7, C8, C9, C10],
    run,
};

/// The paper's final configuration.
const LAST: Settings = Settings::paper_2003();

/// Before all of the steps; step 9 was never taken.
const FIRST: Settings = Settings {
    entries: Entries::Byte,
    index: Index::Divmod,
    offsets: Offsets::Built,
    guess: Guess::RightSide,
    grouping: Grouping::Quadrants,
    finish: true,
    scalars: Scalars::Surfaces,
    stop_at: 1,
    ..LAST
};

/// A step: its claim, the paper's ratio if it gives one, and the switch turned back.
struct Step {
    claim: Claim,
    paper: Option<f64>,
    before: Settings,
    after: Settings,
}

/// All steps that change what an iteration costs.
fn steps() -> [Step; 10] {
    let step = |claim, paper, before, after| Step {
        claim,
        paper,
        before,
        after,
    };
    let back = |claim, paper, before| step(claim, paper, before, LAST);
    let skew = Settings {
        index: Index::Skew,
        ..LAST
    };
    // Offsets mattered while both of their numbers were needed.
    let built = Settings {
        offsets: Offsets::Built,
        ..skew
    };
    [
        back(
            C1,
            Some(15.2 / 12.3),
            Settings {
                entries: Entries::Byte,
                ..LAST
            },
        ),
        step(
            C2,
            Some(24.0 / 21.0),
            Settings {
                index: Index::Divmod,
                ..LAST
            },
            skew,
        ),
        step(C3, Some(13.3 / 12.3), built, skew),
        back(C5, None, skew),
        back(
            C6,
            Some(12.6 / 12.3),
            Settings {
                grouping: Grouping::Quadrants,
                ..LAST
            },
        ),
        back(
            C7,
            Some(13.0 / 12.3),
            Settings {
                finish: true,
                ..LAST
            },
        ),
        back(
            C8,
            Some(14.3 / 12.3),
            Settings {
                scalars: Scalars::Surfaces,
                ..LAST
            },
        ),
        back(
            C9,
            None,
            Settings {
                storage: Storage::One,
                ..LAST
            },
        ),
        back(C10, None, Settings { stop_at: 1, ..LAST }),
        step(
            C2,
            Some(24.0 / 21.0),
            FIRST,
            Settings {
                index: Index::Skew,
                ..FIRST
            },
        ),
    ]
}

/// Solves whose starts are compared.
const SOLVES: usize = 8;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mut solver = GpuSolver::new(machine, Settings::default());
    let systems = dam::systems(options.quick, SOLVES, &mut solver)?;
    let (rounds, iterations) = if options.quick { (5, 13) } else { (15, 26) };
    let steps = steps();
    let ratios = ratios(machine, &in_bytes(&systems[0]), &steps, rounds, iterations)?;
    let (naive, ratios) = ratios.split_last().ok_or("no steps")?;
    let mut findings: Vec<Finding> = steps
        .iter()
        .zip(ratios)
        .map(|(step, ratio)| judge(step, ratio, naive, iterations))
        .collect();
    findings.insert(3, guesses(machine, &systems)?);
    let names = steps[..ratios.len()]
        .iter()
        .map(|step| step.claim.id.replace("batty2003/c", "C."));
    let figure = bars(&Bars {
        title: "What each step of Appendix C gains by itself".into(),
        axis: Axis::linear("time before to time after"),
        categories: names.collect(),
        groups: vec![
            Group::new("paper", steps[..ratios.len()].iter().map(|step| step.paper)),
            Group::new("here", ratios.iter().map(|ratio| Some(ratio.median))),
        ],
    })?;
    if let Some(first) = findings.first_mut() {
        *first = first.clone().with_figure(
            "batty2003/switches.png",
            "Time of a solve with a switch turned back, to the time in the final configuration.",
            figure,
        );
    }
    Ok(findings)
}

/// The same system in another unit: entries for neighbours become −1, which bytes hold, and those of cells
/// beside air whole numbers nearly; b follows.
fn in_bytes(system: &System<f64>) -> System<f64> {
    let mut scaled = system.clone();
    let largest = |m: f64, entry: &f64| m.max(entry.abs());
    let unit = system
        .upper
        .iter()
        .flatten()
        .fold(f64::MIN_POSITIVE, largest);
    let [x, y, z] = &mut scaled.upper;
    for values in [&mut scaled.diagonal, x, y, z, &mut scaled.right_side] {
        values.iter_mut().for_each(|value| *value /= unit);
    }
    scaled
}

/// The ratios of the times before and after a step, round by round.
struct Ratio {
    median: f64,
    /// Where the median lies, with a confidence of 95 %.
    interval: [f64; 2],
}

/// Of each step, the ratio of the times before and after it, taken in one turn.
fn ratios(
    machine: &Machine,
    system: &System<f64>,
    steps: &[Step],
    rounds: usize,
    iterations: usize,
) -> Result<Vec<Ratio>, BoxedError> {
    let mut settings: Vec<Settings> = Vec::new();
    for step in steps {
        for one in [step.before, step.after] {
            if !settings.contains(&one) {
                settings.push(one);
            }
        }
    }
    let criteria = Criteria {
        rtol: 0.0,
        max_iterations: iterations,
        ..Criteria::default()
    };
    let zeros = vec![0.0; system.cells()];
    let mut works = Vec::new();
    for &settings in &settings {
        let mut solver = GpuSolver::new(machine, settings);
        solver.set_up(system, &zeros)?;
        works.push(work(move |_| {
            solver.start_from_zero();
            let done = solver.iterate(&criteria);
            done.map(drop)
                .map_err(|error| TimingError::Case(error.into()))
        }));
    }
    let effort = Effort { rounds, chain: 1 };
    let samples = samples(machine, effort, &mut works)?;
    let of = |one: &Settings| {
        let place = settings.iter().position(|known| known == one);
        place
            .map(|place| &samples[place])
            .ok_or("settings that were not timed")
    };
    let ratio = |step: &Step| {
        let (before, after) = (of(&step.before)?, of(&step.after)?);
        let pairs = before.iter().zip(after);
        let ratios: Vec<f64> = pairs.map(|(before, after)| before / after).collect();
        Ok(Ratio {
            interval: interval_of_median(ratios.clone()),
            median: median(ratios),
        })
    };
    steps.iter().map(ratio).collect()
}

fn judge(step: &Step, ratio: &Ratio, naive: &Ratio, iterations: usize) -> Finding {
    // A gain is one that the scatter does not explain.
    let Ratio { median, interval } = *ratio;
    let holds = interval[0] > 1.0 && step.paper.is_none_or(|paper| agrees(median, paper));
    let mut why = format!(
        "Solves of {iterations} iterations on the first system of the dam; the median lies between \
         {:.2} and {:.2} with 95 % confidence, and counts as a gain above 1. ",
        interval[0], interval[1]
    );
    if step.claim == C1 {
        why += "In a unit in which neighbours have entries of −1; those of cells beside air, which are no \
                whole numbers, are rounded, so that the solution in bytes is another one.";
    } else if step.claim == C2 {
        why += &format!(
            "From quotient and remainder to skewed coordinates, all else final; with all other \
             switches turned back {:.2} times.",
            naive.median
        );
    } else if step.claim == C3 {
        why +=
            "With skewed coordinates and a remainder, where both floats of an offset are needed.";
    } else if step.claim == C9 {
        why += "The seven entries of a texel lie side by side; rows are seven times as long.";
    }
    step.claim.judge(holds, format!("{median:.2} times"), why)
}

/// Step 4 changes how many iterations there are.
fn guesses(machine: &Machine, systems: &[System<f64>]) -> Result<Finding, BoxedError> {
    let iterations = |guess| -> Result<usize, BoxedError> {
        let settings = Settings {
            guess,
            norm_every: 1,
            ..LAST
        };
        let mut solver = GpuSolver::new(machine, settings);
        let mut pressure = vec![0.0; systems[0].cells()];
        let mut sum = 0;
        for system in systems {
            sum += solver
                .solve(system, &mut pressure, &dam::CRITERIA)?
                .iterations;
        }
        Ok(sum)
    };
    let (from_b, warm) = (iterations(Guess::RightSide)?, iterations(Guess::Warm)?);
    let ratio = from_b as f64 / warm as f64;
    let why = format!(
        "Iterations of the dam's first {} solves. The unit of b is another than that of p, so b is no \
         better a start than zero.",
        systems.len()
    );
    let holds = ratio > 1.0 && agrees(ratio, 13.3 / 12.3);
    Ok(C4.judge(
        holds,
        format!("{from_b} to {warm} iterations: {ratio:.2} times"),
        why,
    ))
}
