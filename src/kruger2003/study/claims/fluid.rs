//! §6, Fig. 8: the Navier–Stokes equations.

use std::rc::Rc;

use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::kruger2003::scenes::dye::{self, DYE};
use crate::kruger2003::scenes::picture::{FluidShown, Painter};
use crate::kruger2003::{Error, Fluid};
use crate::picture::sheet::side_by_side;
use crate::picture::{Canvas, png};
use crate::timing::cost::all;

use super::pictures::{VISIBLY, compared, judged};

/// Largest share of the value after a cold start: below one.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON;
/// Smallest factor of residual and divergence that counts as inaccurate.
const INACCURATE: f64 = 10.0;
/// Steps without pens after the picture.
const AT_REST: usize = 20;
/// Largest relative difference of the dye after a step from that of its interpolation weights.
const CARRIED: f64 = 1e-6;

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
        let ((_, [residual, divergence]), mut record) =
            (stirred(experiment, place)?, Record::new());
        record.one("residual", residual);
        record.one("divergence", divergence);
        Ok(record)
    },
);

/// Residual and divergence of the records of a row.
fn both<const N: usize>(records: &[Rc<Record>; N]) -> Result<[[f64; 2]; N], String> {
    let both = |record: &Rc<Record>| all(["residual", "divergence"].map(|name| record.last(name)));
    all(records.each_ref().map(both))
}

pub(super) fn warm_start(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [warm, cold] = both(&run.records(claim)?)?;
    Ok(Found::new()
        .at_most("residual relative to a cold start's", warm[0] / cold[0], BELOW_ONE)
        .headline("of a cold start's")
        .at_most("divergence relative to a cold start's", warm[1] / cold[1], BELOW_ONE)
        .because("In a box with a moving lid. Pens, which push abruptly, are in `nse-forces`."))
}

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

pub(super) fn forces(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [few, many, smooth] = both(&run.records(claim)?)?;
    Ok(Found::new()
        .at_least("residual relative to sixty iterations'", few[0] / many[0], INACCURATE)
        .headline("times the residual")
        .at_least("divergence relative to sixty iterations'", few[1] / many[1], INACCURATE)
        .at_least("divergence relative to a moving lid's", few[1] / smooth[1], INACCURATE)
        .shows("divergence with four iterations, cells per unit of time", few[1])
        .because("A force reaches one cell further per iteration; the lid's force changes slowly."))
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

/// Pictures of the dye alone: on the paper's grid with its four iterations, and with four and sixty on a coarser one.
pub(super) fn dye(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (experiments, records) = (run.several::<3>(claim)?, run.records::<3>(claim)?);
    let [record, ..] = &records;
    let mut panels = Vec::new();
    for (experiment, record) in experiments.iter().zip(&records) {
        let dye::Settings { size: (columns, rows), iterations, .. } = experiment.typed()?;
        let name = format!("{iterations} iterations, {columns} × {rows} cells");
        let picture = record.pictures.first().ok_or("a record without a picture")?;
        panels.push((name, image::load_from_memory(&picture.png)?.into_rgb8()));
    }
    let dye::Settings { size, .. } = experiments[0].typed()?;
    let found = Found::new()
        .equal("read-backs of the state", record.last("read_backs")?, 0.0)
        .shows("cells", format!("{}×{}", size.0, size.1))
        .shows("steps", f64::from(experiments[0].steps()));
    let found = judged(found, record)?;
    let caption = "Dye left and stirred by three pens, with the paper's four iterations per step on its grid, and with \
                   four and sixty on one grid with pens of six cells.";
    run.figure("fig8", caption, side_by_side(&panels)?);
    let [off, kept] = all(["carried", "kept"].map(|name| record.last(name)))?;
    Ok(found
        .at_most("largest relative difference of a step's dye from its interpolation weights", off, CARRIED)
        .headline("relative difference")
        .shows("dye after 20 undisturbed steps, net of fading", kept)
        .because(
            "The paper's method carries dye backwards, which does not conserve it. With four iterations a force reaches \
             four cells, so that the pens are sources of fluid.",
        ))
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
    let caption = "Dye left and stirred by three pens, over streaks along the velocity.";
    record.picture("fig8-streaks", caption, png(&canvas.image()?)?);
    Ok(record)
}

/// Streaks along the velocity of the fluid with sixty iterations.
pub(super) fn streaks(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ([experiment], [record]) = (run.several(claim)?, run.records(claim)?);
    let dye::Settings { size: (columns, rows), .. } = experiment.typed()?;
    let found = Found::new()
        .shows("cells", format!("{columns}×{rows}"))
        .shows("steps", f64::from(experiment.steps()));
    run.pictures(&record);
    judged(found, &record)
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
