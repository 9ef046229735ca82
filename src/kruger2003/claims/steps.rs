//! §6: times of both simulations' steps, and of an iteration of conjugate gradients in them.

use crate::claim::{BoxedError, Checked, Claim, Found, Run, Samples};
use crate::kruger2003::cases::banded_product;
use crate::kruger2003::scenes::dye::Pens;
use crate::kruger2003::scenes::water::Rain;
use crate::kruger2003::{Fluid, FluidSettings, Water, WaterSettings};
use crate::stream::{Format, Layout, Machine};
use crate::timing::rig::work;

use super::speed::times;
use super::water::{COURANT, Explicit};

/// Products timed together.
const PRODUCTS: usize = 4;
/// Water on a quarter of the cells: position of this work in a round.
const SMALL: usize = 0;
/// Water with five iterations.
const FIVE: usize = 1;
/// Water with one iteration.
const ONE: usize = 2;
/// Products.
const PRODUCT: usize = 3;
/// The fluid.
const FLUID: usize = 4;
/// Water by the explicit scheme.
const EXPLICIT: usize = 5;

/// A Courant number with which the explicit scheme is stable: below √½.
const EXPLICIT_COURANT: f64 = 0.7;
/// Largest factor of the time that is not significantly more.
const NOT_SIGNIFICANT: f64 = 2.0;

/// Cells per side of the larger grid; the smaller one has half.
fn side(run: &Run<'_>) -> u32 {
    run.pick(512, 1024)
}

fn seconds(run: &mut Run<'_>) -> Result<Samples, BoxedError> {
    let (machine, side) = (run.machine, side(run));
    let mut small = rough_water(machine, side / 2, 5)?;
    let mut five = rough_water(machine, side, 5)?;
    let mut one = rough_water(machine, side, 1)?;
    let mut fluid = stirred_fluid(machine, FluidSettings::new(side, side))?;
    let (row, n) = (side as usize, (side * side) as usize);
    let mut explicit = Explicit::new(machine, side, EXPLICIT_COURANT, &vec![0.0; n])?;
    let layout = Layout::grid((side, side), Format::R32F);
    let mut product = banded_product(machine, layout, &[0, 1, row, n - row, n - 1], None)?.kernel;
    let mut works = [
        work(|_| small.step()),
        work(|_| five.step()),
        work(|_| one.step()),
        work(|_| (0..PRODUCTS).try_for_each(&mut product)),
        work(|_| fluid.step()),
        work(|_| (0..PRODUCTS).try_for_each(|_| explicit.step())),
    ];
    // Four claims share the rounds: all that the time allows.
    Ok(run.rounds(1, &mut works, |_| false)?)
}

/// Water in waves.
fn rough_water(machine: &Machine, side: u32, iterations: usize) -> Result<Water, BoxedError> {
    let settings = WaterSettings { iterations, ..WaterSettings::new(side, side) };
    let mut water = Water::at_rest(machine, settings)?;
    let rain = Rain { every: 1, finger: true, seed: 3 };
    for step in 0..2 {
        rain.push(step, &mut water)?;
        water.step()?;
    }
    Ok(water)
}

/// A fluid that pens have pushed.
fn stirred_fluid(machine: &Machine, settings: FluidSettings) -> Result<Fluid, BoxedError> {
    let mut fluid = Fluid::at_rest(machine, settings)?;
    let pens = Pens { speed: 2.0, seed: 1 };
    for step in 0..2 {
        pens.push(step, &mut fluid)?;
    }
    Ok(fluid)
}

pub(super) fn iteration(run: &mut Run<'_>, _: &Claim) -> Checked {
    let samples = run.once(seconds)?;
    // The rest of a step cancels.
    let iteration = |round: &[f64]| (round[FIVE] - round[ONE]).max(0.0) / 4.0;
    let product = |round: &[f64]| round[PRODUCT] / PRODUCTS as f64;
    let rows = [
        ("matrix–vector product", 4.54, samples.of(product)),
        ("iteration of conjugate gradients", 15.4, samples.of(iteration)),
        ("frame of water, 512²", 1e3 / 43.0, samples.interval(SMALL)),
        ("frame of water, 1024²", 1e3 / 13.0, samples.interval(FIVE)),
        ("frame of the fluid, 1024²", 1e3 / 9.0, samples.interval(FLUID)),
    ];
    let caption = "Steps of the simulations (half the sides in quick mode). The paper's frames include drawing.";
    run.table("steps", times(caption, &rows));
    let ratio = samples.of(|round| iteration(round) / product(round));
    Ok(Found::new()
        .ratio("times as long as a product", ratio)
        .shows("cells per side", f64::from(side(run))))
}

pub(super) fn sizes(run: &mut Run<'_>, _: &Claim) -> Checked {
    let samples = run.once(seconds)?;
    Ok(Found::new()
        .ratio("times as long on four times as many cells", samples.ratio(FIVE, SMALL))
        .shows("cells per side", f64::from(side(run)))
        .because("Only the steps are timed; the paper's frames include drawing."))
}

pub(super) fn rate(run: &mut Run<'_>, _: &Claim) -> Checked {
    let samples = run.once(seconds)?;
    Ok(Found::new()
        .ratio("times the rate of water, for the fluid", samples.ratio(FIVE, FLUID))
        .shows("cells per side", f64::from(side(run)))
        .because("A step of water takes five iterations; a step of the fluid takes four, and also carries dye."))
}

pub(super) fn explicit(run: &mut Run<'_>, _: &Claim) -> Checked {
    let samples = run.once(seconds)?;
    // In the time of one implicit step.
    let steps = COURANT / EXPLICIT_COURANT;
    let ratio = samples.of(|round| round[FIVE] / (steps * round[EXPLICIT] / PRODUCTS as f64));
    let name = "times as long as the explicit scheme for the same simulated time";
    Ok(Found::new()
        .at_most(name, ratio, NOT_SIGNIFICANT)
        .headline("times as long")
        .shows("cells per side", f64::from(side(run)))
        .because(
            "Water's five iterations take five products and fifteen reductions per step; the explicit scheme takes a \
             product and no reduction, in steps of a Courant number of 0.7 instead of 2.",
        ))
}
