//! §6 and §7: whole simulations in 24 bits, next to the same in 32, both by the interpreter.

use image::RgbImage;

use crate::claim::BoxedError;
use crate::experiment::{Declaration, Experiment, Place, Record, Study, Takes};
use crate::kruger2003::Fluid;
use crate::kruger2003::scenes::dye::{self, DYE};
use crate::kruger2003::scenes::picture::{FluidShown, Painter, WaterShown};
use crate::kruger2003::scenes::water::{self, WATER};
use crate::picture::Canvas;
use crate::picture::sheet::side_by_side;
use crate::program::formats::Registers;
use crate::stream::{Machine, Size};

/// Shades by which a picture may differ.
const SHADES: u8 = 4;

/// Number of pixels of a picture.
const PICTURE: (u32, u32) = (160, 120);

/// A state after the last step: its numbers, its energy relative to that at the start, and its picture.
struct End {
    state: Vec<f32>,
    energy: f64,
    picture: RgbImage,
}

/// Quantities of a simulation in 24 bits.
const FOUND: [Declaration; 4] = [
    ("energy.single", "", "energy at the end in 32 bits, relative to that at the start"),
    ("energy", "", "the same in 24 bits, rounded and truncated"),
    ("off", "", "difference from 32 bits, rounded and truncated, relative to the state"),
    (
        "visible",
        "share",
        "channels of the picture that are off by more than four shades, rounded and truncated",
    ),
];

/// A hump of water that falls.
pub static WATER_24: Study = Study::measuring(
    "kruger2003/water-24",
    "A hump of water in 24 bits, next to the same in 32, by the interpreter",
    Takes::of(&WATER, "hump", "size courant damping shore iterations start steps"),
    &FOUND,
    water,
);

fn water(experiment: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let (settings, steps): (water::Settings, _) = (experiment.typed()?, experiment.steps());
    compared("water-24", (settings.water.size, steps), |machine| {
        let mut water = settings.at_start(machine)?;
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
pub static FLUID_24: Study = Study::measuring(
    "kruger2003/fluid-24",
    "Four vortices in 24 bits, next to the same in 32, by the interpreter",
    Takes::of(&DYE, "vortices", "size reynolds viscosity dt iterations warm_start lid start steps"),
    &FOUND,
    fluid,
);

fn fluid(experiment: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let (settings, steps): (dye::Settings, _) = (experiment.typed()?, experiment.steps());
    compared("fluid-24", (settings.size, steps), |machine| {
        let mut fluid = settings.at_start(machine)?;
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

fn compared(
    name: &str,
    ((columns, rows), steps): (Size, u32),
    simulation: impl Fn(&Machine) -> Result<End, BoxedError>,
) -> Result<Record, BoxedError> {
    let end = |registers| simulation(&Machine::interpreted(registers)?);
    let single = end(Registers::Single)?;
    let size = |state: &mut dyn Iterator<Item = f64>| state.map(|v| v * v).sum::<f64>().sqrt();
    let whole = size(&mut single.state.iter().map(|&v| v.into()));
    let mut panels = vec![("32 bits".to_owned(), single.picture.clone())];
    // What holds for a chip between the two holds for both.
    let (mut off, mut visible, mut energy) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let kinds = [(Registers::R300Nearest, "rounded"), (Registers::R300, "truncated")];
    for (at, (registers, kind)) in kinds.into_iter().enumerate() {
        let end = end(registers)?;
        let pairs = end.state.iter().zip(&single.state);
        off[at] = size(&mut pairs.map(|(&a, &b)| f64::from(a) - f64::from(b))) / whole;
        let channels = end.picture.iter().zip(single.picture.iter());
        let seen = channels.filter(|(a, b)| a.abs_diff(**b) > SHADES).count() as f64;
        visible[at] = seen / end.picture.len() as f64;
        energy[at] = end.energy;
        panels.push((format!("24 bits, {kind}"), end.picture));
    }
    let mut record = Record::new();
    record.one("energy.single", single.energy);
    for (name, values) in [("energy", energy), ("off", off), ("visible", visible)] {
        record.each(name, values);
    }
    let caption = format!("{steps} steps on {columns} × {rows} cells, by the interpreter.");
    record.picture(name, caption, side_by_side(&panels)?);
    Ok(record)
}
