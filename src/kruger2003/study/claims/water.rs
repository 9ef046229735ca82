//! §6, Figs. 1, 6 and 7: water.

use std::f64::consts::PI;

use crate::claim::BoxedError;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::kruger2003::explicit::Explicit;
use crate::kruger2003::scenes::picture::{Painter, WaterShown};
use crate::kruger2003::scenes::water::{self, Rain, WATER};
use crate::kruger2003::{Water, WaterSettings};
use crate::picture::{Canvas, png};

use super::layouts::Side;
use super::pictures::{VISIBLY, compared};

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
    Ok(Record::numbers([
        ("frequency", (frequency / exact - 1.0).abs()),
        ("energy", worst),
        ("period", (2.0 * PI / exact).round()),
    ]))
}

/// Steps of the comparison with an explicit scheme.
const STEPS: usize = 40;

/// Largest heights by both schemes.
pub static HEIGHTS: Study = Study::measuring(
    "kruger2003/heights",
    "The largest height of a hump of water after growing time steps, by the implicit scheme and by the explicit one",
    Takes::all::<Side>(),
    &[
        ("{implicit|explicit}.{0.5|1|2|4}", "", "largest height, by Courant number"),
        ("steps", "", "steps"),
    ],
    heights,
);

/// The implicit scheme and the explicit one, (u_after − 2 u + u_before) / Δt² = c² ∇² u, at growing time steps. In two
/// dimensions the explicit one is stable up to a Courant number of √½.
fn heights(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, Side { side }) = (place.machine, experiment.typed()?);
    let place = |cell: u32| f64::from(cell) + 0.5 - f64::from(side) / 2.0;
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let hump: Vec<f32> =
        cells.map(|(x, y)| (-(place(x).powi(2) + place(y).powi(2)) / 18.0).exp() as f32).collect();
    let mut record = Record::new();
    record.one("steps", STEPS as f64);
    for courant in [0.5, 1.0, 2.0, 4.0] {
        let settings = WaterSettings { courant, ..WaterSettings::new(side, side) };
        let mut water = Water::at_rest(machine, settings)?;
        water.set(&hump, &hump)?;
        let implicit = highest(|| {
            water.step()?;
            Ok(water.height().read()?)
        })?;
        record.one(format!("implicit.{courant}"), implicit);
        let mut water = Explicit::new(machine, side, courant, &hump)?;
        let explicit = highest(|| {
            water.step()?;
            Ok(water.heights[1].read()?)
        })?;
        record.one(format!("explicit.{courant}"), explicit);
    }
    Ok(record)
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

/// A picture of water.
pub static SURFACE: Study = Study::measuring(
    "kruger2003/surface",
    "Water drawn from the solver's texture, compared with the interpreter's picture",
    Takes::of(&WATER, "fig1", "size courant damping shore iterations rain finger seed start steps"),
    &[
        ("side", "", "cells along the width"),
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
    record.one("side", f64::from(settings.water.size.0));
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
