//! §6, Fig. 8: the Navier–Stokes equations.

use std::f64::consts::PI;

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::kruger2003::scenes::dye;
use crate::kruger2003::scenes::picture::{FluidShown, Painter};
use crate::kruger2003::{Fluid, FluidSettings, Interpolation, Walls};
use crate::picture::Canvas;
use crate::scene::Settings as _;
use crate::stream::{Machine, Size};

use super::water::compared;

/// Largest share of the value after a cold start: below one.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON;
/// Largest error of the vortex, as a share of its first speed.
const VORTEX: f64 = 0.01;
/// Steps without pens after the picture.
const AT_REST: usize = 20;
/// Largest share of the dye lost or gained in these steps.
const DYE: f64 = 0.01;

pub(super) fn warm_start(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(64, 256);
    let warm = stirred(run.machine, side, true)?;
    let cold = stirred(run.machine, side, false)?;
    Ok(Found::new()
        .at_most("residual relative to a cold start's", warm[0] / cold[0], BELOW_ONE)
        .headline("of a cold start's")
        .at_most("divergence relative to a cold start's", warm[1] / cold[1], BELOW_ONE)
        .because("In a box with a moving lid. Where pens push the fluid, four iterations leave it divergent (`fig8`)."))
}

pub(super) fn vortex(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(48, 128);
    let cubic = vortex_error(run.machine, side, Interpolation::Cubic)?;
    let linear = vortex_error(run.machine, side, Interpolation::Linear)?;
    let name = "largest error after a decay by a tenth, as a share of the first speed";
    Ok(Found::new()
        .at_most(name, cubic, VORTEX)
        .headline("share")
        .shows("the same with the paper's linear advection", linear))
}

/// Average residual and divergence after the four iterations of each step.
fn stirred(machine: &Machine, side: u32, warm_start: bool) -> Result<[f64; 2], BoxedError> {
    let settings = FluidSettings { warm_start, ..FluidSettings::cavity(side, 100.0) };
    let mut fluid = Fluid::at_rest(machine, settings)?;
    let steps = 100;
    let mut left = [0.0; 2];
    for _ in 0..steps {
        fluid.step()?;
        left[0] += fluid.residual() / f64::from(steps);
        left[1] += fluid.divergence()? / f64::from(steps);
    }
    Ok(left)
}

/// Largest difference of a vortex from the exact solution after it has decayed by a tenth, as a share of its first
/// speed.
fn vortex_error(
    machine: &Machine,
    side: u32,
    interpolation: Interpolation,
) -> Result<f64, BoxedError> {
    let k = PI / f64::from(side);
    let settings = FluidSettings {
        dt: 0.4,
        viscosity: 0.5,
        walls: Walls::Slip,
        interpolation,
        ..FluidSettings::new(side, side)
    };
    let speed = 0.5;
    let exact = |[x, y]: [f64; 2]| {
        [speed * (k * x).sin() * (k * y).cos(), -speed * (k * x).cos() * (k * y).sin()]
    };
    let mut fluid = Fluid::at_rest(machine, settings)?;
    fluid.set_velocity(exact)?;
    let rate = 2.0 * settings.viscosity * k * k;
    let steps = (0.1 / (rate * settings.dt)).ceil() as u32;
    for _ in 0..steps {
        fluid.step()?;
    }
    let decay = (-rate * f64::from(steps) * settings.dt).exp();
    let at = velocity(&fluid)?;
    let off = cells(&fluid).map(|(x, y)| {
        let ([u, v], x, y) = (at(x, y), x as f64, y as f64);
        let off_u = u - decay * exact([x, y + 0.5])[0];
        let off_v = v - decay * exact([x + 0.5, y])[1];
        off_u.abs().max(off_v.abs())
    });
    Ok(off.fold(0.0, f64::max) / speed)
}

/// Scene of Fig. 8: pens stir a fluid and leave dye. Returns a typical speed too.
fn stirred_by_pens(machine: &Machine, size: Size, steps: u32) -> Result<(Fluid, f32), BoxedError> {
    let settings = dye::Settings { size, ..dye::Settings::preset("fig8")?.settings };
    let pens = settings.pens().ok_or("pens stir Fig. 8")?;
    let mut fluid = settings.at_rest(machine)?;
    for step in 0..steps {
        pens.push(step, &mut fluid)?;
        fluid.step()?;
    }
    Ok((fluid, pens.speed))
}

/// Pictures of the dye alone, on the paper's grid.
pub(super) fn dye(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (size, steps) = run.pick(((192, 128), 120), ((1024, 1024), 300));
    let (mut fluid, fast) = stirred_by_pens(run.machine, size, steps)?;
    run.machine.take_ledger();
    let canvas = Canvas::new(run.machine, 768, 768 * size.1 / size.0)?;
    let painter = Painter::new(run.machine)?;
    let dye = |canvas: &Canvas| painter.draw_fluid(&fluid, FluidShown::Dye, fast, canvas);
    dye(&canvas)?;
    let read_backs = run.machine.take_ledger().read_backs;
    let found = Found::new()
        .equal("read-backs of the state", read_backs as f64, 0.0)
        .shows_text("cells", format!("{}×{}", size.0, size.1))
        .shows("steps", f64::from(steps));
    let found = compared(found, run.machine, dye)?;
    run.image("fig8", "Dye left and stirred by three pens.", &canvas.image()?)?;
    let name = "relative drift of the dye over 20 undisturbed steps, net of fading and divergence";
    Ok(found.at_most(name, dye_drift(&mut fluid)?, DYE).headline("share lost or gained").because(
        "A force reaches only four cells in four iterations, so the fluid gives way around the pens. The drift is net of \
         this to first order in the time step; the cause of the rest is not known.",
    ))
}

/// The same with streaks along the velocity. A window in the middle of the picture is compared.
pub(super) fn streaks(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (columns, rows, steps) = run.pick((192, 128, 120), (768, 512, 480));
    let (fluid, fast) = stirred_by_pens(run.machine, (columns, rows), steps)?;
    let canvas = Canvas::new(run.machine, 768, 512)?;
    let painter = Painter::new(run.machine)?;
    painter.draw_fluid(&fluid, FluidShown::Streaks, fast, &canvas)?;
    let samples = canvas.stream().size();
    let corner = [(samples.0 - 64) / 2, (samples.1 - 48) / 2].map(|texels| texels as f32);
    let found = Found::new()
        .shows_text("cells", format!("{columns}×{rows}"))
        .shows("steps", f64::from(steps));
    let window = |window: &Canvas| painter.draw_window(&fluid, fast, (&canvas, corner), window);
    let found = compared(found, run.machine, window)?;
    let caption = "Dye left and stirred by three pens, over streaks along the velocity.";
    run.image("fig8-streaks", caption, &canvas.image()?)?;
    Ok(found)
}

/// Relative drift of the sum of all dye over [`AT_REST`] steps without pens, net of fading and of the divergence of the
/// fluid: to first order Δt times the divergence of each cell.
fn dye_drift(fluid: &mut Fluid) -> Result<f64, BoxedError> {
    let dye = |fluid: &Fluid| -> Result<Vec<f64>, BoxedError> {
        let light = fluid.dye().read()?;
        let cells = light.chunks(4);
        Ok(cells.map(|cell| cell[..3].iter().map(|&light| f64::from(light)).sum()).collect())
    };
    let settings = *fluid.settings();
    let mut before = dye(fluid)?;
    let mut expected: f64 = before.iter().sum();
    for _ in 0..AT_REST {
        fluid.step()?;
        let pairs = before.iter().zip(divergences(fluid)?);
        let spread: f64 = pairs.map(|(dye, divergence)| dye * divergence).sum();
        expected = settings.fade * (expected + settings.dt * spread);
        before = dye(fluid)?;
    }
    Ok((before.iter().sum::<f64>() / expected - 1.0).abs())
}

/// Divergence of every cell, rows from the bottom up.
fn divergences(fluid: &Fluid) -> Result<Vec<f64>, BoxedError> {
    let at = velocity(fluid)?;
    let divergence = cells(fluid).map(|(x, y)| {
        let [u, v] = at(x, y);
        at(x + 1, y)[0] - u + at(x, y + 1)[1] - v
    });
    Ok(divergence.collect())
}

/// The velocity, read back, by column and row: u on the left and v on the lower side of a cell.
fn velocity(fluid: &Fluid) -> Result<impl Fn(usize, usize) -> [f64; 2], BoxedError> {
    let columns = fluid.settings().size.0 as usize + 1;
    let velocity = fluid.read_velocity()?;
    Ok(move |x: usize, y: usize| velocity[y * columns + x].map(f64::from))
}

/// Column and row of all cells, rows from the bottom up.
fn cells(fluid: &Fluid) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (width, height) = fluid.settings().size;
    (0..height as usize).flat_map(move |y| (0..width as usize).map(move |x| (x, y)))
}
