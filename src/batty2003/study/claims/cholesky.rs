//! Preconditioned Conjugate Gradient Method: iterations saved by incomplete Cholesky, and its cost.

use std::thread::scope;

use crate::batty2003::scenes::liquid;
use crate::batty2003::study::cases;
use crate::claim::{Checked, Claim, Found, Race, Run, times};
use crate::timing::laps::Lap;

use super::dam;
use super::iterations::TOLERANCES;

/// Ratio of the iterations with the diagonal to those with IC(0), on average.
const TIMES: [f64; 2] = [2.2, 3.5];

pub(super) fn iterations(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [mut experiment, _] = run.several(claim)?;
    // The run of the dam that all claims share.
    experiment.set("on", "none")?;
    let dam = dam::broken(run, &experiment)?;
    let ratios = dam.iterations.0.map(|[diagonal, ic]| diagonal as f64 / ic.max(1) as f64);
    let [loose, middle, dams] = ratios;
    Ok(Found::new()
        .between(times("as many iterations with the diagonal"), dams, TIMES)
        .headline("times")
        .shows(TOLERANCES[0].1, loose)
        .shows(TOLERANCES[1].1, middle)
        .because("The paper prints neither its tolerance nor its variant of Cholesky. Here the tolerance is 1e-4 of \
                  ‖b‖."))
}

/// Names and iterations of a short and of a long solve with each preconditioner; their difference is timed, so that the
/// set-up cancels.
const SOLVES: [[(&str, usize); 2]; 2] =
    [[("short", 2), ("long", 14)], [("short, IC(0)", 2), ("long, IC(0)", 14)]];

pub(super) fn cost(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let kinds = run.each::<liquid::Settings, 2>(claim)?;
    let scene = kinds[0].read()?;
    let side = scene.size[0];
    let system = dam::first_system(scene)?;
    // Seconds of an iteration.
    let one = |lap: &Lap, [(short, few), (long, many)]: [(&str, usize); 2]| {
        (lap[long] - lap[short]) / (many - few) as f64
    };
    scope(|scope| {
        let works = kinds.iter().zip(SOLVES).flat_map(|(settings, solves)| {
            solves.map(|(name, count)| {
                (name, cases::solve_on_one_core(scope, &system, settings.preconditioner, count))
            })
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
