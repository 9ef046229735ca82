//! Preconditioned Conjugate Gradient Method: iterations saved by incomplete Cholesky, and its cost.

use std::thread::scope;

use crate::batty2003::Preconditioner;
use crate::batty2003::scenes::liquid::{self, LIQUID};
use crate::batty2003::study::cases;
use crate::claim::{Checked, Claim, Found, Race, Run, times};
use crate::experiment::{Record, Study, Takes};
use crate::timing::cost::all;
use crate::timing::laps::Lap;

use super::dam;
use super::iterations::TOLERANCES;

/// The system that the CPU's solves are timed on.
pub static SYSTEM: Study = Study::measuring(
    "batty2003/system",
    "The first system of a liquid, which the CPU solves",
    Takes::of(&LIQUID, "paper", "scene size dt"),
    &[("unknowns", "", "cells of the liquid"), ("right_side", "", "norm of the right-hand side")],
    |experiment, _| {
        let settings: liquid::Settings = experiment.typed()?;
        let system = dam::first_system(settings.read()?)?;
        let mut record = Record::new();
        record.one("unknowns", system.unknowns() as f64);
        record.one("right_side", system.residual_norm(&vec![0.0; system.cells()]));
        Ok(record)
    },
);

/// Ratio of the iterations with the diagonal to those with IC(0), on average.
const TIMES: [f64; 2] = [2.2, 3.5];

pub(super) fn iterations(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let [diagonal, ic] = all(["iterations.diagonal", "iterations.ic"].map(|name| dam.all(name)))?;
    let [loose, middle, dams] = [0, 1, 2].map(|k| diagonal[k] / ic[k].max(1.0));
    let rtol = dam.last("settings.rtol")?;
    let mut found = Found::new()
        .between(times("as many iterations with the diagonal"), dams, TIMES)
        .headline("times");
    for ((tolerance, name), ratio) in TOLERANCES.into_iter().zip([loose, middle]) {
        found = if rtol < tolerance { found.shows(name, ratio) } else { found };
    }
    Ok(found.because(format!(
        "The paper prints neither its tolerance nor its variant of Cholesky. Here the tolerance is {rtol:e} of ‖b‖."
    )))
}

/// Names and iterations of a short and of a long solve with each preconditioner; their difference is timed, so that the
/// set-up cancels.
const SOLVES: [[(&str, usize); 2]; 2] =
    [[("short", 2), ("long", 14)], [("short, IC(0)", 2), ("long, IC(0)", 14)]];

pub(super) fn cost(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, _) = run.settings::<liquid::Settings>(claim)?;
    let scene = settings.read()?;
    let side = scene.size[0];
    let system = dam::first_system(scene)?;
    let kinds = [Preconditioner::Diagonal, Preconditioner::Ic];
    // Seconds of an iteration.
    let one = |lap: &Lap, [(short, few), (long, many)]: [(&str, usize); 2]| {
        (lap[long] - lap[short]) / (many - few) as f64
    };
    scope(|scope| {
        let works = kinds.into_iter().zip(SOLVES).flat_map(|(kind, solves)| {
            solves
                .map(|(name, count)| (name, cases::solve_on_one_core(scope, &system, kind, count)))
        });
        let [diagonal, ic] = SOLVES;
        Race::new(works).decide(run, claim, |laps| {
            Found::new()
                .ratio(times("as long with IC(0)"), laps.of(|lap| one(lap, ic) / one(lap, diagonal)))
                .shows("with IC(0)", (laps.of(|lap| 1e3 * one(lap, ic)), "ms"))
                .shows("with the diagonal", (laps.of(|lap| 1e3 * one(lap, diagonal)), "ms"))
                .shows("side", (side as f64, "cells"))
                .because("A triangular solve needs each cell before the next one of its row. One core, single precision.")
        })
    })
}

/// Floating-point operations per cell of a product: seven multiplications, six additions; and of the transform: two
/// triangular solves, each with four multiplications and three subtractions.
const OPERATIONS: [f64; 2] = [13.0, 14.0];

/// Time of each operation of an iteration with IC(0) on the CPU.
pub(super) fn breakdown(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, _) = run.settings::<liquid::Settings>(claim)?;
    let system = dam::first_system(settings.read()?)?;
    const NAMES: [&str; 4] = ["product", "transform", "dot product", "scale-add"];
    scope(|scope| {
        let works = NAMES.into_iter().zip(cases::operations_on_one_core(scope, &system));
        Race::new(works).decide(run, claim, |laps| {
            let share = |name| laps.of(|lap| lap[name] / lap.values().iter().sum::<f64>());
            // Each operation relative to the next one in the paper's order.
            let name = "the transform's time, for the product";
            let found = Found::new().ratio(times(name), laps.ratio("product", "transform"));
            let name = "the dot products' time, for the transform";
            let found = found.ratio(times(name), laps.ratio("transform", "dot product")).each("times");
            let found = NAMES
                .into_iter()
                .fold(found, |found, name| found.shows(name, (share(name), "share")));
            let [product, transform] = OPERATIONS;
            found
                .shows(times("the transform's floating-point operations, for the product"), product / transform)
                .because(
                    "The transform is two triangular solves with about as many operations as a product, but their cells wait \
                     for each other. How long they wait was not measured. One core, single precision; two dot products and \
                     three scale-adds per iteration.",
                )
        })
    })
}
