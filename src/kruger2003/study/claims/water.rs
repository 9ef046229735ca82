//! §6, Figs. 1, 6 and 7: water.

use std::f64::consts::PI;

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::kruger2003::explicit::Explicit;
use crate::kruger2003::scenes::picture::{Painter, WaterShown};
use crate::kruger2003::scenes::water::{self, Rain, WATER};
use crate::kruger2003::{Water, WaterSettings};
use crate::picture::{Canvas, png};
use crate::timing::interval::short;

use super::pictures::{VISIBLY, compared, judged};

/// Largest relative error of frequency and energy.
pub(super) const BOUND: f64 = 0.01;

/// A standing wave whose frequency and energy are known.
pub static WAVE: Study = Study::measuring(
    "kruger2003/wave",
    "A standing wave, whose frequency and energy are known",
    Takes::of(&WATER, "wave", "size courant damping iterations steps"),
    &[
        ("frequency", "", "relative error of the frequency"),
        ("energy", "", "largest relative error of the energy"),
        ("period", "", "steps per period"),
    ],
    wave,
);

fn wave(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (settings, steps): (water::Settings, _) = (experiment.typed()?, experiment.steps());
    let shape = settings.start.heights(settings.water.size).ok_or("water at rest")?;
    let exact = settings.phase();
    let squared: f64 = shape.iter().map(|v| v * v).sum();
    let exact_energy = 0.5 * exact * exact * squared;

    let mut water = settings.at_start(place.machine)?;
    let amplitude = |water: &Water| -> Result<f64, BoxedError> {
        let heights = water.height().read()?;
        let products = heights.iter().zip(&shape).map(|(&u, v)| f64::from(u) * v);
        Ok(products.sum::<f64>() / squared)
    };
    // At the end, two neighbouring amplitudes, cos φ and cos(φ − ω), give the phase.
    let (mut before, mut worst) = (0.0, 0.0_f64);
    for step in 0..steps {
        if step + 1 == steps {
            before = amplitude(&water)?;
        }
        water.step()?;
        if step % (steps / 20).max(1) == 0 {
            worst = worst.max((water.energy()? / exact_energy - 1.0).abs());
        }
    }
    let now = amplitude(&water)?;
    let phase = ((before - now * exact.cos()) / exact.sin()).atan2(now);
    let expected = f64::from(steps) * exact;
    let turns = ((expected - phase) / (2.0 * PI)).round();
    let frequency = (phase + 2.0 * PI * turns) / f64::from(steps);
    let mut record = Record::new();
    record.one("frequency", (frequency / exact - 1.0).abs());
    record.one("energy", worst);
    record.one("period", (2.0 * PI / exact).round());
    Ok(record)
}

pub(super) fn standing_wave(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [record] = run.records(claim)?;
    Ok(Found::new()
        .at_most("relative error of the frequency", record.last("frequency")?, BOUND)
        .headline("relative error")
        .at_most("relative error of the energy", record.last("energy")?, BOUND)
        .shows("steps per period", record.last("period")?)
        .because("The scheme averages the states after and before, not after and now as printed."))
}

/// Steps of the comparison with an explicit scheme.
const STEPS: usize = 40;
/// Largest height, relative to the first, of waves that a scheme does not amplify.
const STABLE: f64 = 2.0;
/// Largest height of an unstable scheme: the shortest wave grows at least 5.8 times per step from a rounding error.
const UNSTABLE: f64 = 1e3;

/// The implicit scheme and the explicit one, (u_after − 2 u + u_before) / Δt² = c² ∇² u, at growing time steps. In two
/// dimensions the explicit one is stable up to a Courant number of √½.
pub(super) fn implicit(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(32, 64);
    let place = |cell: u32| f64::from(cell) + 0.5 - f64::from(side) / 2.0;
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let hump: Vec<f32> =
        cells.map(|(x, y)| (-(place(x).powi(2) + place(y).powi(2)) / 18.0).exp() as f32).collect();
    let (mut found, mut last) = (Found::new().shows("steps", STEPS as f64), [0.0; 2]);
    for courant in [0.5, 1.0, 2.0, 4.0] {
        let settings = WaterSettings { courant, ..WaterSettings::new(side, side) };
        let mut water = Water::at_rest(run.machine, settings)?;
        water.set(&hump, &hump)?;
        let name = format!("largest height by the implicit scheme, Courant number {courant}");
        let largest = highest(|| {
            water.step()?;
            Ok(water.height().read()?)
        })?;
        last[0] = largest;
        found = found.at_most(name, largest, STABLE);
    }
    for courant in [0.5, 1.0, 2.0, 4.0] {
        let name = format!("largest height by the explicit scheme, Courant number {courant}");
        let mut water = Explicit::new(run.machine, side, courant, &hump)?;
        let largest = highest(|| {
            water.step()?;
            Ok(water.heights[1].read()?)
        })?;
        last[1] = largest;
        found = if courant < 0.5_f64.sqrt() {
            found.at_most(name, largest, STABLE)
        } else {
            found.at_least(name, largest, UNSTABLE)
        };
    }
    let heights = format!("{}, explicit {}", short(last[0]), short(last[1]));
    Ok(found.shows("largest heights at Courant number 4", heights).headline(""))
}

/// Largest height, relative to that of a hump of height 1, in [`STEPS`] steps; a state that is not finite is the
/// largest number.
fn highest(mut step: impl FnMut() -> Result<Vec<f32>, BoxedError>) -> Result<f64, BoxedError> {
    let mut highest = 0.0_f64;
    for _ in 0..STEPS {
        let heights = step()?;
        if heights.iter().any(|u| !u.is_finite()) {
            return Ok(f64::from(f32::MAX));
        }
        highest = heights.iter().fold(highest, |m, &u| m.max(f64::from(u).abs()));
    }
    Ok(highest)
}

/// Undisturbed steps after a picture.
const AT_REST: usize = 20;

/// Captions of the figures, which are presets of the scene.
#[rustfmt::skip]
const CAPTIONS: [[&str; 2]; 3] = [
    ["fig1", "Rain on water in a basin: the surface reflects the sky and the sun and refracts the tiles; waves focus \
              light on them."],
    ["fig6", "Water on a grid of 512² cells (128² in quick mode)."],
    ["fig7", "A finger draws a circle in water on a grid of 1024² cells (128² in quick mode), faster than waves run."],
];

/// A picture of water.
pub static SURFACE: Study = Study::measuring(
    "kruger2003/surface",
    "Water drawn from the solver's texture, compared with the interpreter's picture",
    Takes::of(&WATER, "fig1", "size courant damping shore iterations rain finger seed start steps"),
    &[
        ("read_backs", "", "read-backs of the state for the picture"),
        ("drift", "", "relative energy drift over 20 undisturbed steps, net of damping"),
        VISIBLY[0],
        VISIBLY[1],
    ],
    surface,
);

fn surface(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (settings, machine): (water::Settings, _) = (experiment.typed()?, place.machine);
    let (mut water, mut record) = (settings.at_start(machine)?, Record::new());
    for step in 0..experiment.steps() {
        settings.rain.push(step, &mut water)?;
        water.step()?;
    }
    machine.take_ledger();
    let canvas = Canvas::new(machine, 800, 600)?;
    let painter = Painter::new(machine)?;
    let surface =
        |canvas: &Canvas| painter.draw_water(&water, WaterShown::Surface, Rain::HEIGHT, canvas);
    surface(&canvas)?;
    record.one("read_backs", machine.take_ledger().read_backs as f64);
    compared(&mut record, machine, surface)?;
    record.picture("surface", "", png(&canvas.image()?)?);
    record.one("drift", energy_drift(&mut water)?);
    Ok(record)
}

/// Waves travel two cells per step: more than an explicit scheme allows, which is the paper's reason for an implicit one.
pub(super) fn draw(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ([experiment], [record]) = (run.several(claim)?, run.records(claim)?);
    let settings: water::Settings = experiment.typed()?;
    let found = Found::new()
        .equal("read-backs of the state", record.last("read_backs")?, 0.0)
        .shows("cells per side", f64::from(settings.water.size.0))
        .shows("steps", f64::from(experiment.steps()));
    let found = judged(found, &record)?;
    let caption = CAPTIONS.iter().find(|[figure, _]| *figure == claim.id);
    let [figure, caption] = caption.ok_or("a figure without a caption")?;
    let picture = record.pictures.first().ok_or("a record without a picture")?;
    run.figure(figure, caption, picture.png.clone());
    let name = "relative energy drift over 20 undisturbed steps, net of damping";
    Ok(found.at_most(name, record.last("drift")?, BOUND))
}

/// Relative energy drift over [`AT_REST`] undisturbed steps, net of damping, which takes D |u_after − u_before|² / 2
/// per step: the scheme times (u_after − u_before) / 2.
fn energy_drift(water: &mut Water) -> Result<f64, BoxedError> {
    let friction = water.settings().loss() / 2.0;
    let mut before = water.height().read()?;
    water.step()?;
    let (mut now, first) = (water.height().read()?, water.energy()?);
    let mut taken = 0.0;
    for _ in 0..AT_REST {
        water.step()?;
        let after = water.height().read()?;
        let pairs = after.iter().zip(&before);
        let squared: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
        taken += friction * squared / 2.0;
        before = std::mem::replace(&mut now, after);
    }
    Ok(((water.energy()? + taken) / first - 1.0).abs())
}
