//! §6 and §8: whole simulations in 24 bits, next to the same in 32, both by the interpreter.

use std::f64::consts::PI;

use image::RgbImage;

use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run};
use crate::kruger2003::scenes::picture::{FluidShown, Painter, WaterShown};
use crate::kruger2003::{Fluid, FluidSettings, Water, WaterSettings};
use crate::picture::Canvas;
use crate::picture::sheet::side_by_side;
use crate::program::formats::Registers;
use crate::stream::Machine;

/// Steps of a run, in quick mode and otherwise.
const STEPS: [usize; 2] = [20, 100];

/// Largest difference from 32 bits, relative to the state, that serves a picture.
const USABLE: f64 = 0.01;

/// Shades by which a picture may differ, and the largest share of channels that differ by more.
const SHADES: u8 = 4;
const VISIBLE: f64 = 0.01;

/// Number of pixels of a picture.
const PICTURE: (u32, u32) = (160, 120);

/// A state after the last step: its numbers, its energy relative to that at the start, and its picture.
struct End {
    state: Vec<f32>,
    energy: f64,
    picture: RgbImage,
}

type Simulation = fn(&Machine, u32, usize) -> Result<End, BoxedError>;

/// A hump of water that falls.
pub(super) fn water(run: &mut Run<'_>, _: &Claim) -> Checked {
    compared(run, "water-24", |machine, side, steps| {
        let mut water = Water::at_rest(machine, WaterSettings::new(side, side))?;
        let from_centre = |cell: u32| (f64::from(cell) + 0.5) / f64::from(side) - 0.5;
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let hump = cells.map(|(x, y)| {
            let squared = from_centre(x).powi(2) + from_centre(y).powi(2);
            (-40.0 * squared).exp() as f32
        });
        let hump: Vec<f32> = hump.collect();
        water.set(&hump, &hump)?;
        water.step()?;
        let first = water.energy()?;
        for _ in 1..steps {
            water.step()?;
        }
        let canvas = Canvas::with_samples(machine, PICTURE, 1)?;
        Painter::new(machine)?.draw_water(&water, WaterShown::Height, 0.5, &canvas)?;
        let energy = water.energy()? / first;
        Ok(End { state: water.height().read()?, energy, picture: canvas.image()? })
    })
}

/// Four vortices in a box.
pub(super) fn fluid(run: &mut Run<'_>, _: &Claim) -> Checked {
    compared(run, "fluid-24", |machine, side, steps| {
        let mut fluid = Fluid::at_rest(machine, FluidSettings::new(side, side))?;
        let turn = |place: f64| 2.0 * PI * place / f64::from(side);
        fluid.set_velocity(|[x, y]| {
            let ([x, y], speed) = ([turn(x), turn(y)], 0.5);
            [speed * x.sin() * y.cos(), -speed * x.cos() * y.sin()]
        })?;
        let energy = |fluid: &Fluid| -> Result<f64, BoxedError> {
            let velocity = fluid.read_velocity()?;
            Ok(velocity.as_flattened().iter().map(|&v| f64::from(v).powi(2)).sum())
        };
        let first = energy(&fluid)?;
        for _ in 0..steps {
            fluid.step()?;
        }
        let canvas = Canvas::with_samples(machine, PICTURE, 1)?;
        Painter::new(machine)?.draw_fluid(&fluid, FluidShown::Pressure, 0.5, &canvas)?;
        let state = fluid.read_velocity()?.into_iter().flatten().collect();
        Ok(End { state, energy: energy(&fluid)? / first, picture: canvas.image()? })
    })
}

fn compared(run: &mut Run<'_>, name: &str, simulation: Simulation) -> Checked {
    let (side, steps) = (run.pick(16, 64), run.pick(STEPS[0], STEPS[1]));
    let end = |registers| simulation(&Machine::interpreted(registers)?, side, steps);
    let single = end(Registers::Single)?;
    let size = |state: &mut dyn Iterator<Item = f64>| state.map(|v| v * v).sum::<f64>().sqrt();
    let whole = size(&mut single.state.iter().map(|&v| v.into()));
    let mut panels = vec![("32 bits".to_owned(), single.picture.clone())];
    let mut found = Found::new().shows("energy left in 32 bits", single.energy);
    // What holds for a chip between the two holds for both.
    let (mut off, mut visible) = ([0.0; 2], [0.0; 2]);
    let kinds = [(Registers::R300Nearest, "rounded"), (Registers::R300, "truncated")];
    for (at, (registers, kind)) in kinds.into_iter().enumerate() {
        let end = end(registers)?;
        let pairs = end.state.iter().zip(&single.state);
        off[at] = size(&mut pairs.map(|(&a, &b)| f64::from(a) - f64::from(b))) / whole;
        let channels = end.picture.iter().zip(single.picture.iter());
        let seen = channels.filter(|(a, b)| a.abs_diff(**b) > SHADES).count() as f64;
        visible[at] = seen / end.picture.len() as f64;
        found = found.shows(format!("energy left, {kind}"), end.energy);
        panels.push((format!("24 bits, {kind}"), end.picture));
    }
    let caption = format!("{steps} steps on {side}² cells, by the interpreter.");
    run.figure(name, &caption, side_by_side(&panels)?);
    let name = "relative difference from 32 bits, rounded and truncated";
    let shades = format!("share of channels {SHADES} shades off, rounded and truncated");
    Ok(found
        .at_most(name, Interval::of_ratios(off), USABLE)
        .headline("of the state")
        .at_most(shades, Interval::of_ratios(visible), VISIBLE)
        .because("How the Radeon's chip rounds was not verified: published measurements place it between truncation and \
                  rounding to the nearest."))
}
