//! §6, Figs. 1, 6 and 7: water.

use std::f64::consts::PI;

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::kruger2003::simulation::picture::{Painter, WaterShown};
use crate::kruger2003::simulation::scene::Rain;
use crate::kruger2003::{Water, WaterSettings};
use crate::picture::Canvas;

use super::pictures::compared;

/// Largest relative error of frequency and energy.
const BOUND: f64 = 0.01;

/// The mode with two half waves across and one up, on a grid of two to three.
pub(super) fn standing_wave(run: &mut Run<'_>, _: &Claim) -> Checked {
    let width: u32 = run.pick(64, 128);
    let height = 2 * width / 3;
    let along = |cell: u32, cells: u32, half_waves: f64| {
        (PI * half_waves * (f64::from(cell) + 0.5) / f64::from(cells)).cos()
    };
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let shape: Vec<f64> = cells
        .map(|(x, y)| along(x, width, 2.0) * along(y, height, 1.0))
        .collect();
    let settings = WaterSettings::paper_2003(width, height);
    let exact = settings.courant * PI * (2.0 / f64::from(width)).hypot(1.0 / f64::from(height));
    let squared: f64 = shape.iter().map(|v| v * v).sum();
    let exact_energy = 0.5 * exact * exact * squared;

    let mut water = Water::at_rest(run.machine, settings)?;
    let heights = |scale: f64| shape.iter().map(|v| (scale * v) as f32).collect::<Vec<_>>();
    water.set(&heights(1.0), &heights(exact.cos()))?;
    let amplitude = |water: &Water| -> Result<f64, BoxedError> {
        let heights = water.read()?;
        let products = heights.iter().zip(&shape).map(|(&u, v)| f64::from(u) * v);
        Ok(products.sum::<f64>() / squared)
    };
    // Ten periods later, two neighbouring amplitudes, cos φ and cos(φ − ω), give the phase.
    let steps = (10.0 * 2.0 * PI / exact).round() as u32;
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
    let off = (frequency / exact - 1.0).abs();
    Ok(Found::new()
        .at_most("relative error of the frequency", off, BOUND)
        .at_most("relative error of the energy", worst, BOUND)
        .shows("steps per period", (2.0 * PI / exact).round())
        .because("The scheme averages the states after and before, not after and now as printed."))
}

/// Cells that a wave travels per step of a scene: more than an explicit scheme allows, which is the paper's reason
/// for an implicit one.
const COURANT: f64 = 2.0;
/// Undisturbed steps after a picture.
const AT_REST: usize = 20;

/// Scene of a figure.
struct Scene {
    figure: &'static str,
    /// Cells per side, in quick and in full mode.
    sides: [u32; 2],
    /// Number of basins that waves cross before the picture is taken.
    crossings: f64,
    /// Rain on a basin of 512² cells.
    rain: Rain,
    caption: &'static str,
}

#[rustfmt::skip]
const SCENES: [Scene; 3] = [
    Scene {
        figure: "fig1", sides: [128, 256], crossings: 0.9, rain: Rain { every: 70, finger: false, seed: 5 },
        caption: "Rain on water in a basin: the surface reflects the sky and the sun and refracts the tiles; waves \
                  focus light on them.",
    },
    Scene {
        figure: "fig6", sides: [128, 512], crossings: 0.9, rain: Rain { every: 40, finger: false, seed: 8 },
        caption: "Water on a grid of 512² cells (128² in quick mode).",
    },
    Scene {
        figure: "fig7", sides: [128, 1024], crossings: 0.25, rain: Rain { every: 0, finger: true, seed: 1 },
        caption: "A finger draws a circle in water on a grid of 1024² cells (128² in quick mode), faster than waves \
                  run.",
    },
];

pub(super) fn draw(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let mut scenes = SCENES.into_iter();
    let scene = scenes.find(|scene| scene.figure == claim.id);
    let scene = scene.ok_or("a figure without a scene")?;
    let usual = run.pick(scene.sides[0], scene.sides[1]);
    let side = (run.given.grid).map_or(Ok(usual), u32::try_from)?;
    let settings = WaterSettings {
        courant: COURANT,
        damping: 0.004 * COURANT,
        ..WaterSettings::paper_2003(side, side)
    };
    let mut water = Water::at_rest(run.machine, settings)?;
    let rain = Rain {
        every: (f64::from(scene.rain.every * side) / (512.0 * COURANT)) as u32,
        ..scene.rain
    };
    let steps = (scene.crossings * f64::from(side) / COURANT) as u32;
    for step in 0..steps {
        rain.push(step, &mut water)?;
        water.step()?;
    }
    run.machine.take_ledger();
    let canvas = Canvas::new(run.machine, 800, 600)?;
    let painter = Painter::new(run.machine)?;
    let surface =
        |canvas: &Canvas| painter.draw_water(&water, WaterShown::Surface, Rain::HEIGHT, canvas);
    surface(&canvas)?;
    let read_backs = run.machine.take_ledger().read_backs;
    let found = Found::new()
        .equal("read-backs of the state", read_backs as f64, 0.0)
        .shows("cells per side", f64::from(side))
        .shows("steps", f64::from(steps));
    let found = compared(found, run.machine, surface)?;
    run.image(scene.figure, scene.caption, &canvas.image()?)?;
    let name = "relative energy drift over 20 undisturbed steps, net of damping";
    Ok(found.at_most(name, energy_drift(&mut water)?, BOUND))
}

/// Relative energy drift over [`AT_REST`] undisturbed steps, net of damping, which takes D |u_after − u_before|² / 2
/// per step: the scheme times (u_after − u_before) / 2.
fn energy_drift(water: &mut Water) -> Result<f64, BoxedError> {
    let friction = water.settings().damping / 2.0;
    let mut before = water.read()?;
    water.step()?;
    let (mut now, first) = (water.read()?, water.energy()?);
    let mut taken = 0.0;
    for _ in 0..AT_REST {
        water.step()?;
        let after = water.read()?;
        let pairs = after.iter().zip(&before);
        let squared: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
        taken += friction * squared / 2.0;
        before = std::mem::replace(&mut now, after);
    }
    Ok(((water.energy()? + taken) / first - 1.0).abs())
}
