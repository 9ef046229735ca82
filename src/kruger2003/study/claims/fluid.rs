//! §6, Fig. 8: the Navier–Stokes equations.

use crate::claim::{BoxedError, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::kruger2003::scenes::dye::{self, DYE};
use crate::kruger2003::scenes::picture::{FluidShown, Painter};
use crate::kruger2003::{Error, Fluid};
use crate::picture::{Canvas, png};

use super::pictures::{VISIBLY, compared};

/// Steps without pens after the picture.
const AT_REST: usize = 20;

/// Settings that a stirred fluid reads.
const STIRRED: &str = "size reynolds viscosity dt iterations warm_start lid pens seed start steps";

/// What the iterations leave.
pub static LEFT: Study = Study::measuring(
    "kruger2003/left",
    "What the iterations of a fluid's steps leave, with a lid or with pens",
    Takes::of(&DYE, "paper", STIRRED),
    &[
        ("residual", "", "residual, mean of the steps"),
        ("divergence", "1/time", "largest divergence, mean of the steps"),
    ],
    |experiment, place| {
        let (_, [residual, divergence]) = stirred(experiment, place)?;
        Ok(Record::numbers([("residual", residual), ("divergence", divergence)]))
    },
);

/// Average residual and divergence that the iterations of each step leave; `push` acts before a step.
fn left(
    fluid: &mut Fluid,
    steps: u32,
    push: impl Fn(u32, &mut Fluid) -> Result<(), Error>,
) -> Result<[f64; 2], Error> {
    let mut left = [0.0; 2];
    for step in 0..steps {
        push(step, fluid)?;
        fluid.step()?;
        left[0] += fluid.effort().residual / f64::from(steps);
        left[1] += fluid.divergence()? / f64::from(steps);
    }
    Ok(left)
}

/// A fluid after its steps, with average residual and divergence.
fn stirred(experiment: &Experiment, place: Place<'_>) -> Result<(Fluid, [f64; 2]), BoxedError> {
    let scene: dye::Settings = experiment.typed()?;
    let (mut fluid, pens) = (scene.at_start(place.machine)?, scene.pens());
    let push = |step, fluid: &mut Fluid| pens.map_or(Ok(()), |pens| pens.push(step, fluid));
    let left = left(&mut fluid, experiment.steps(), push)?;
    Ok((fluid, left))
}

/// A picture of the dye.
pub static INK: Study = Study::measuring(
    "kruger2003/dye",
    "Dye stirred by pens, drawn from the solver's textures, compared with the interpreter's picture",
    Takes::of(&DYE, "fig8", STIRRED).and("interpolation fade"),
    &[
        ("read_backs", "", "read-backs of the state for the picture"),
        (
            "carried",
            "",
            "largest relative difference of a step's dye from its interpolation weights",
        ),
        ("kept", "", "dye after 20 undisturbed steps, net of fading"),
        VISIBLY[0],
        VISIBLY[1],
    ],
    ink,
);

fn ink(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, mut record) = (place.machine, Record::new());
    let dye::Settings { size, pens, .. } = experiment.typed()?;
    let (mut fluid, _) = stirred(experiment, place)?;
    machine.take_ledger();
    let canvas = Canvas::new(machine, 768, 768 * size.1 / size.0)?;
    let painter = Painter::new(machine)?;
    let dye = |fluid: &Fluid, canvas: &Canvas| {
        painter.draw_fluid(fluid, FluidShown::Dye, pens as f32, canvas)
    };
    dye(&fluid, &canvas)?;
    record.one("read_backs", machine.take_ledger().read_backs as f64);
    compared(&mut record, machine, |canvas| dye(&fluid, canvas))?;
    record.picture("dye", "", png(&canvas.image()?)?);
    let [off, kept] = dye_at_rest(&mut fluid)?;
    record.one("carried", off);
    record.one("kept", kept);
    Ok(record)
}

/// A picture of streaks. A window in the middle is compared.
pub static STREAKS: Study = Study::measuring(
    "kruger2003/streaks",
    "Dye over streaks along the velocity, compared with the interpreter's picture",
    Takes::of(&DYE, "fig8", STIRRED).and("interpolation fade"),
    &VISIBLY,
    along,
);

fn along(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, mut record) = (place.machine, Record::new());
    let dye::Settings { size: (columns, rows), pens, .. } = experiment.typed()?;
    let ((fluid, _), fast) = (stirred(experiment, place)?, pens as f32);
    let canvas = Canvas::new(machine, 768, 768 * rows / columns)?;
    let painter = Painter::new(machine)?;
    painter.draw_fluid(&fluid, FluidShown::Streaks, fast, &canvas)?;
    let samples = canvas.stream().size();
    let corner = [(samples.0 - 64) / 2, (samples.1 - 48) / 2].map(|texels| texels as f32);
    let window = |window: &Canvas| painter.draw_window(&fluid, fast, (&canvas, corner), window);
    compared(&mut record, machine, window)?;
    record.picture("streaks", "", png(&canvas.image()?)?);
    Ok(record)
}

/// [`AT_REST`] steps without pens: the largest relative difference of the sum of all dye after a step from the sum of
/// its interpolation in double precision, and the share of the dye that is left, net of fading.
fn dye_at_rest(fluid: &mut Fluid) -> Result<[f64; 2], BoxedError> {
    let dye = |fluid: &Fluid| -> Result<Vec<f64>, BoxedError> {
        let light = fluid.dye().read()?;
        let cells = light.chunks(4);
        Ok(cells.map(|cell| cell[..3].iter().map(|&light| f64::from(light)).sum()).collect())
    };
    let fade = fluid.settings().fade;
    let (mut before, mut off, mut kept) = (dye(fluid)?, 0.0, 1.0);
    for _ in 0..AT_REST {
        fluid.step()?;
        let (after, carried) = (dye(fluid)?, fade * carried(fluid, &before)?);
        let [last, sum] = [&before, &after].map(|dye| dye.iter().sum::<f64>());
        off = worst([off, (sum / carried - 1.0).abs()]);
        (before, kept) = (after, kept * sum / (fade * last));
    }
    Ok([off, kept])
}

/// Sum of the dye that all cells fetch from `before` along the velocity.
fn carried(fluid: &Fluid, before: &[f64]) -> Result<f64, BoxedError> {
    let (at, settings) = (velocity(fluid)?, fluid.settings());
    let (width, height) = (settings.size.0 as usize, settings.size.1 as usize);
    // The cell before the origin, and the share of the next one.
    let origin = |cell: usize, faces: f64, cells: usize| {
        let from = (cell as f64 - 0.5 * settings.dt * faces).clamp(0.0, (cells - 1) as f64);
        let low = (from as usize).min(cells - 2);
        (low, from - low as f64)
    };
    let fetched = cells(fluid).map(|(x, y)| {
        let [u, v] = at(x, y);
        let (column, right) = origin(x, u + at(x + 1, y)[0], width);
        let (row, up) = origin(y, v + at(x, y + 1)[1], height);
        let along = |row: usize| {
            let first = row * width + column;
            (1.0 - right) * before[first] + right * before[first + 1]
        };
        (1.0 - up) * along(row) + up * along(row + 1)
    });
    Ok(fetched.sum())
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
