//! Appendix C: each step by itself.
//!
//! Each switch is turned back alone in the paper's final configuration, and what a solve of so many
//! iterations then takes is compared with what it takes there, in turns; step 2 also in the state in which
//! all switches are back. A gain counts as reproduced if there is one and the ratio is within a factor of
//! 2 of the paper's; where the paper gives no number, if there is one.

use crate::batty2003::LiquidError;
use crate::batty2003::pressure::gpu::{
    Entries, Guess, Index, NORM_EVERY, Offsets, Scalars, Storage,
};
use crate::batty2003::pressure::{GpuSolver, Settings, System};
use crate::card::cost::{Bill, QUADRO_FX_1000, bill};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::Criteria;
use crate::stream::{Grouping, Ledger, Machine};
use crate::timing::rig::{Work, agrees, interval_of_median, warm_samples, work};
use crate::timing::{Effort, cost, median};

use super::dam;
use super::timed::Timed;

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

/// Judged in the run of the dam: it changes how many iterations there are, and not what one costs.
pub const C4: Claim = Claim {
    judged_on: JudgedOn::Count,
    id: "batty2003/c4",
    statement: "Starting from the last step's solution instead of from b saves around a second.",
    paper: "about 13.3 to 12.3 s: 1.08 times",
    ..STEP.claim()
};

/// A step that changes what an iteration costs.
struct Step {
    id: &'static str,
    statement: &'static str,
    paper: &'static str,
    /// The paper's ratio of times, if it gives one.
    ratio: Option<f64>,
    /// The final configuration, but for these settings, before and after it.
    before: fn(&mut Settings),
    after: fn(&mut Settings),
    /// What there is to be said about it.
    remark: &'static str,
}

impl Step {
    const fn claim(&self) -> Claim {
        Claim {
            id: self.id,
            class: Class::Shape,
            variant: Variant::Paper,
            judged_on: JudgedOn::Measurement,
            section: "Appendix C",
            statement: self.statement,
            paper: self.paper,
        }
    }
}

/// What most steps have in common.
const STEP: Step = Step {
    id: "",
    statement: "",
    paper: "faster; no number",
    ratio: None,
    before: |_| (),
    after: |_| (),
    remark: "",
};

const STEPS: [Step; 9] = [
    Step {
        id: "batty2003/c1",
        statement: "The matrix in floats instead of bytes, which have to be mapped, saves about 3 s.",
        paper: "15.2 to 12.3 s: 1.24 times",
        ratio: Some(15.2 / 12.3),
        before: |s| s.entries = Entries::Byte,
        remark: "In a unit in which neighbours have entries of −1; those of cells beside air, which are \
                 no whole numbers, are rounded, so that the solution in bytes is another one.",
        ..STEP
    },
    Step {
        id: "batty2003/c2",
        statement: "Skewed coordinates instead of a quotient and a remainder for each offset save \
                    around 3 s.",
        paper: "24 to 21 s: 1.14 times",
        ratio: Some(24.0 / 21.0),
        before: |s| s.index = Index::Divmod,
        after: |s| s.index = Index::Skew,
        remark: "From quotient and remainder to skewed coordinates, all else final.",
    },
    Step {
        id: "batty2003/c3",
        statement: "Pairs of floats for offsets built by the CPU and not by the program save \
                    nearly a second.",
        paper: "about 13.3 to 12.3 s: 1.08 times",
        ratio: Some(13.3 / 12.3),
        before: |s| (s.index, s.offsets) = (Index::Skew, Offsets::Built),
        after: |s| s.index = Index::Skew,
        remark: "With skewed coordinates and a remainder, where both floats of an offset are needed.",
    },
    Step {
        id: "batty2003/c5",
        statement: "The fraction of the skewed row replaces fmod.",
        before: |s| s.index = Index::Skew,
        ..STEP
    },
    Step {
        id: "batty2003/c6",
        statement: "Sums of adjacent texels instead of corresponding ones of four quadrants save a few \
                    tenths of a second.",
        paper: "about 12.6 to 12.3 s: 1.02 times",
        ratio: Some(12.6 / 12.3),
        before: |s| s.grouping = Grouping::Quadrants,
        ..STEP
    },
    Step {
        id: "batty2003/c7",
        statement: "Not to wait after each operation saves about 0.7 s.",
        paper: "13.0 to 12.3 s: 1.06 times",
        ratio: Some(13.0 / 12.3),
        before: |s| s.finish = true,
        ..STEP
    },
    Step {
        id: "batty2003/c8",
        statement: "Scalars on the CPU instead of in surfaces of one texel save a couple of seconds.",
        paper: "about 14.3 to 12.3 s: 1.16 times",
        ratio: Some(14.3 / 12.3),
        before: |s| s.scalars = Scalars::Surfaces,
        ..STEP
    },
    Step {
        id: "batty2003/c9",
        statement: "The matrix in one large texture instead of seven was rejected.",
        paper: "not faster; no number",
        before: |s| s.storage = Storage::One,
        remark: "The seven entries of a texel lie side by side; rows are seven times as long.",
        ..STEP
    },
    Step {
        id: "batty2003/c10",
        statement: "Reading back about 16 texels of a sum instead of one is a minor improvement.",
        before: |s| s.stop_at = 1,
        ..STEP
    },
];

/// The final configuration, but for some settings.
fn but_for(change: fn(&mut Settings)) -> Settings {
    let mut settings = LAST;
    change(&mut settings);
    settings
}

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/switches",
    section: "Appendix C",
    title: "The steps of the optimisation, each by itself",
    claims: &CLAIMS,
    run,
};

const CLAIMS: [Claim; STEPS.len()] = {
    let mut claims = [STEP.claim(); STEPS.len()];
    let mut step = 0;
    while step < STEPS.len() {
        claims[step] = STEPS[step].claim();
        step += 1;
    }
    claims
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let system = in_bytes(&dam::first_system(dam::side(options.quick))?);
    let steps = STEPS
        .iter()
        .map(|step| [step.before, step.after].map(but_for));
    let skew_at_first = Settings {
        index: Index::Skew,
        ..FIRST
    };
    let compared: Vec<[Settings; 2]> = steps.chain([[FIRST, skew_at_first]]).collect();
    // The least of which an interval of 95 % is known.
    let rounds = if options.quick { 6 } else { 9 };
    let mut gains = gains(machine, &system, &compared, rounds)?;
    let at_first = gains.pop().ok_or("nothing was compared")?;
    let pairs = STEPS.iter().zip(&gains);
    let mut findings: Vec<Finding> = pairs.map(|(step, gain)| judge(step, gain)).collect();
    findings[1].why += &format!(
        " With all other switches turned back it is {:.2} times.",
        at_first.median
    );
    let names = CLAIMS.map(|claim| claim.id.replace("batty2003/c", "C."));
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    let figure = bars(&Bars {
        title: "What each step of Appendix C gains by itself".into(),
        axis: Axis::linear("longer without it (per cent)"),
        categories: names.into(),
        groups: vec![
            Group::new("paper", STEPS.iter().map(|step| step.ratio.map(percent))),
            Group::new(
                "model of the cards",
                gains.iter().map(|gain| Some(percent(gain.model))),
            ),
            Group::new("here", gains.iter().map(|gain| Some(percent(gain.median)))),
        ],
    })?;
    let caption = "How much longer a solve takes with a switch turned back than in the final \
                   configuration: by the paper's times, in the model of the FX 1000, and here.";
    let first = findings.remove(0);
    findings.insert(
        0,
        first.with_figure("batty2003/switches.png", caption, figure),
    );
    Ok(findings)
}

/// The same system in another unit: entries for neighbours become −1, which bytes hold, and those of cells
/// beside air whole numbers nearly; b follows.
fn in_bytes(system: &System<f64>) -> System<f64> {
    let entries = system.upper.iter().flatten();
    let unit = entries.fold(f64::MIN_POSITIVE, |m, entry| m.max(entry.abs()));
    system.map(|value| value / unit)
}

/// What a step gains.
struct Gain {
    /// The median of the ratios of the times before and after, round by round.
    median: f64,
    /// Where that lies, with a confidence of 95 %.
    interval: [f64; 2],
    /// The ratio in the model of the cards.
    model: f64,
    /// What both make the machine do.
    bills: [Bill; 2],
}

/// The gains from the first to the second of each pair, all timed in turns.
fn gains(
    machine: &Machine,
    system: &System<f64>,
    pairs: &[[Settings; 2]],
    rounds: usize,
) -> Result<Vec<Gain>, BoxedError> {
    let mut settings: Vec<Settings> = Vec::new();
    for one in pairs.iter().flatten() {
        if !settings.contains(one) {
            settings.push(*one);
        }
    }
    let mut works = Vec::new();
    for &settings in &settings {
        works.push(solve(machine, system, settings)?);
    }
    let ledgers = works.iter_mut().map(|work| cost::ledger(machine, work));
    let ledgers = ledgers.collect::<Result<Vec<Ledger>, _>>()?;
    let samples = warm_samples(machine, Effort { rounds, chain: 1 }, &mut works)?;
    let gain = |pair: &[Settings; 2]| {
        let [before, after] = pair.map(|one| settings.iter().position(|known| *known == one));
        let (before, after) = before.zip(after).ok_or("settings that were not timed")?;
        let ratios = samples[before].iter().zip(&samples[after]);
        let ratios: Vec<f64> = ratios.map(|(before, after)| before / after).collect();
        let seconds = |which: usize| QUADRO_FX_1000.seconds(&ledgers[which]);
        Ok(Gain {
            interval: interval_of_median(ratios.clone()),
            median: median(ratios),
            model: seconds(before)? / seconds(after)?,
            bills: [before, after].map(|which| bill(&ledgers[which])),
        })
    };
    pairs.iter().map(gain).collect()
}

/// So many iterations from zero.
fn solve(
    machine: &Machine,
    system: &System<f64>,
    settings: Settings,
) -> Result<Work<'static>, LiquidError> {
    let mut solver = GpuSolver::new(machine, system.size, settings)?;
    solver.set_up(system, &vec![0.0; system.cells()])?;
    // The norm is taken once.
    let criteria = Criteria {
        norm_every: NORM_EVERY,
        ..Criteria::exactly(NORM_EVERY)
    };
    Ok(work(move |_| {
        solver.start_from_zero();
        solver.iterate(&criteria).map(drop)
    }))
}

fn judge(step: &Step, gain: &Gain) -> Finding {
    let Gain {
        median,
        interval,
        model,
        bills,
    } = gain;
    // A gain is one that the scatter does not explain.
    let is_gain = interval[0] > 1.0;
    let holds = is_gain && step.ratio.is_none_or(|paper| agrees(*median, paper));
    let [before, after] = bills.each_ref().map(|bill| {
        let charge = bill.total();
        let kernels = bill.kernels.values();
        let instructions = kernels.map(|c| f64::from(c.instructions) * c.done.fragments as f64);
        [
            charge.done.passes as f64,
            charge.fetches as f64 * 1e-6,
            charge.bytes_read as f64 * 1e-6,
            instructions.sum::<f64>() * 1e-6,
        ]
    });
    let work = |[passes, fetches, bytes, instructions]: [f64; 4]| {
        format!(
            "{passes} passes, {fetches:.1} million fetches of {bytes:.0} MB and {instructions:.0} \
             million instructions"
        )
    };
    let [from, to] = [step.before, step.after].map(but_for);
    let is_search = from
        == Settings {
            index: from.index,
            offsets: from.offsets,
            ..to
        };
    let cause = match is_gain {
        true => "a gain",
        false if interval[1] >= step.ratio.unwrap_or(*model) => {
            "no gain that the scatter does not hide"
        }
        false if before == after => "no gain; both do the same work",
        false if is_search => {
            "no gain: both fetch the same texels and differ in instructions alone, so these are not what \
             a pass waits for here"
        }
        false => "no gain; why was not isolated",
    };
    let mut why = format!(
        "Solves of {NORM_EVERY} iterations on the first system of the dam; the median lies between \
         {:.2} and {:.2} with 95 % confidence: {cause}. Before {}, after {}. In the model of the cards it \
         is {model:.2} times.",
        interval[0],
        interval[1],
        work(before),
        work(after)
    );
    if !step.remark.is_empty() {
        why += " ";
        why += step.remark;
    }
    step.claim().judge(holds, format!("{median:.2} times"), why)
}

/// What step 4 gains: solves that start from b, and at the last pressure.
pub fn guesses([from_b, warm]: [&Timed; 2]) -> Finding {
    let ratio = from_b.iterations as f64 / warm.iterations as f64;
    let why = format!(
        "Iterations of {} solves of the dam. The unit of b is another than that of p, so b is no better \
         a start than zero.",
        warm.solves
    );
    let holds = ratio > 1.0 && agrees(ratio, 13.3 / 12.3);
    let (from_b, warm) = (from_b.iterations, warm.iterations);
    C4.judge(
        holds,
        format!("{from_b} to {warm} iterations: {ratio:.2} times"),
        why,
    )
}
