//! Appendix C: each step separately.
//!
//! Each switch is turned back alone in the paper's final configuration, and a solve of thirteen iterations is timed
//! alternately with the final one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::batty2003::scenes::flip::Scene;
use crate::batty2003::study::cases;
use crate::batty2003::study::table::{CALLS, SECONDS, SOLVES};
use crate::batty2003::{Entries, Error, NORM_EVERY, Settings, System};
use crate::card::cost::clock::WAIT;
use crate::card::cost::{QUADRO_FX_1000, bill};
use crate::claim::{Checked, Claim, Class, Found, Race, Run, Together, times};
use crate::experiment::{Study, Takes};
use crate::stream::Ledger;
use crate::timing::laps::ratio;
use crate::timing::rig::work;

use super::dam;

/// Iterations and seconds of a solve in the paper's table.
const SOLVE: [f64; 2] = [CALLS[0] / SOLVES, SECONDS[2]];

/// Remarks on claims.
#[rustfmt::skip]
const REMARKS: [(&str, &str); 5] = [
    ("c1", "In bytes the entries of cells next to air are rounded, so that the solution is different."),
    ("c3", "With skewed coordinates and a remainder, for which both floats of an offset are needed."),
    ("c6", "Only the texels of a sum change. The effect of the paper is smaller than the scatter of a solve here."),
    ("c10", "A sum has fewer passes, over few texels. What they take is smaller than the scatter of a solve here."),
    ("c7", "The model of a run does not charge waits. The time of a wait was taken from this step, and no other paper prints one."),
];

/// Remark on a step without which only the instructions are more, and the time is not.
const UNSEEN: &str = "Passes and fetches are as many, and an operation takes as long as its fetches here (`fig2`), so that the additional \
                      instructions do not show.";

/// The gains of the steps.
pub(super) const SWITCHES: Together = Together {
    file: "switches",
    title: "Gain of each step of Appendix C separately",
    axis: "longer without it (per cent)",
    caption: "Additional time of a solve with one switch turned back, compared with the final configuration: by the \
              paper's times, in the model of the FX 1000, and here.",
    model: "model of the FX 1000",
    quantity: "times as long without the step",
    rows: &["c1", "c2", "c3", "c5", "c6", "c7", "c8", "c10"],
};

/// Settings of a solve that is timed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Timed {
    /// Number of cells along a side of the box
    #[schemars(range(min = 4, max = 640))]
    pub size: u16,
    /// Storage of an entry of the matrix
    pub entries: Entries,
    /// The solver.
    #[serde(flatten)]
    pub solver: Settings,
}

impl Default for Timed {
    fn default() -> Self {
        Self { size: 100, entries: Entries::Float, solver: Settings::paper_2003() }
    }
}

/// Thirteen iterations from zero: a start has no effect on their time.
pub static ITERATIONS: Study = Study::timing(
    "batty2003/iterations",
    "Thirteen iterations of conjugate gradients for the dam's first system",
    Takes::all::<Timed>().without("guess"),
    |experiment, place| {
        let Timed { size, entries, solver } = experiment.typed()?;
        let system = place.kept.once(format!("dam in bytes, {size}"), || in_bytes(size))?;
        let settings = Settings { entries, ..solver };
        let mut solve = cases::iterations(place.machine, &system, settings)?;
        Ok(work(move |_| solve().map(drop)))
    },
);

/// The dam's first system in another unit: entries for neighbours become −1, which bytes can hold, and those of cells
/// next to air nearly integers; b is scaled as well.
fn in_bytes(size: u16) -> Result<System<f64>, Error> {
    let system = dam::first_system(Scene::dam(size.into()))?;
    let entries = system.upper.iter().flatten();
    let unit = entries.fold(f64::MIN_POSITIVE, |m, entry| m.max(entry.abs()));
    Ok(system.map(|value| value / unit))
}

pub(super) fn step(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [before, after] = run.works(claim)?;
    let race = Race::new([("before", before), ("after", after)]);
    let race = race.on(run.machine, QUADRO_FX_1000, |ledger| ledger.target_switches)?;
    let ratio = ratio("before", "after");
    let name = "as long without the step";
    let found = if claim.class == Class::Identity {
        let laps = race.laps(run)?;
        let model = laps.in_model(ratio).ok_or("a solve without a model")?;
        let found = Found::value(times(format!("{name} in the driver of 2003")), model);
        found.here(times(name), laps.of(ratio)).modelled(Some(model))
    } else {
        race.decide(run, claim, |laps| Found::new().raced(laps, times(name), ratio))?
    };
    let relative = |count: usize| ratio(&race.counts(|ledger| work_of(ledger)[count]));
    let waits = race.counts(|ledger| ledger.finishes as f64);
    let waits = (waits["before"] - waits["after"]) / NORM_EVERY as f64;
    let found = if waits > 0.0 {
        let [iterations, seconds] = SOLVE;
        let printed = 1.0 + waits * iterations * WAIT.seconds / seconds;
        found
            .shows("waits per iteration", waits)
            .shows(times(format!("{name} in the driver of 2003")), printed)
    } else {
        found
    };
    let least = claim.paper.range().map_or(1.0, |[least, _]| least);
    let is_longer = found.printed().any(|ratio| ratio.median >= least);
    let is_unseen = [0, 1].map(relative) == [1.0; 2] && relative(2) > 1.0 && !is_longer;
    Ok(found
        .because(if is_unseen { UNSEEN } else { "" })
        .shows(times("as many passes"), relative(0))
        .shows(times("as many fetches"), relative(1))
        .shows(times("as many instructions"), relative(2))
        .because(REMARKS.iter().find(|(id, _)| *id == claim.id).map_or("", |(_, remark)| remark)))
}

/// One texture for the matrix: a count, because the paper has no time.
pub(super) fn one_texture(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [one, seven] = run.records(claim)?;
    let count = |name: &str| Ok::<_, String>(one.last(name)? / seven.last(name)?);
    Ok(Found::new()
        .ratio(times("the instructions with one texture"), count("instructions")?)
        .shows(times("as many fetches"), count("fetches")?)
        .because(
            "The position of each of the seven entries is computed; rows are seven times as long.",
        ))
}

/// Times these two solves.
pub(super) fn one_texture_timed(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [one, seven] = run.works(claim)?;
    Race::new([("one", one), ("seven", seven)]).decide(run, claim, |laps| {
        Found::new().raced(laps, times("as long with one texture"), ratio("one", "seven"))
    })
}

/// Passes, fetches and instructions of a run.
fn work_of(ledger: &Ledger) -> [f64; 3] {
    let bill = bill(ledger);
    let charge = bill.total();
    [charge.done.passes as f64, charge.done.fetches as f64, bill.instructions()]
}
