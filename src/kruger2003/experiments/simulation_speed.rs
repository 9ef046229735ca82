//! §6: what steps of the two simulations cost, and an iteration of conjugate gradients in them.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::kruger2003::simulation::scene::{Pens, Rain};
use crate::kruger2003::speed::banded_product;
use crate::kruger2003::{Fluid, FluidSettings, Water, WaterSettings};
use crate::stream::{Format, Layout, Machine};
use crate::timing::rig::{agrees, work};
use crate::timing::{Effort, medians};

const ITERATION: Claim = Claim {
    id: "kruger2003/wave-iteration",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "At 1024², an iteration of conjugate gradients beside a product of the matrix with a \
                vector.",
    paper: "15.4 ms to 4.54 ms: 3.4 times",
};
const SIZES: Claim = Claim {
    id: "kruger2003/wave-sizes",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6, Figs. 6, 7",
    statement: "Steps a second on grids of 512² and 1024² cells.",
    paper: "43 to 13: 3.3 times",
};
const RATE: Claim = Claim {
    id: "kruger2003/nse-rate",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "At 1024², steps of the fluid beside steps of the water, a second.",
    paper: "9 to 13: 0.69 times",
};
/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/simulation-speed",
    section: "§6",
    title: "Times of the simulations' steps",
    claims: &[ITERATION, SIZES, RATE],
    run,
};

/// The paper's ratios.
const PAPER_ITERATION: f64 = 15.4 / 4.54;
const PAPER_SIZES: f64 = 43.0 / 13.0;
const PAPER_RATE: f64 = 9.0 / 13.0;
/// Cells of a side of the larger grid; the smaller one has half.
const fn side(quick: bool) -> u32 {
    if quick { 512 } else { 1024 }
}
/// Products that are timed together.
const PRODUCTS: usize = 4;

/// Medians, in seconds.
struct Times {
    /// Cells of a side of the larger grid.
    side: u32,
    /// A step of water on a quarter of the cells.
    small: f64,
    /// A step of water, with five iterations.
    water: f64,
    /// The same with one.
    shorter: f64,
    /// A product of the matrix with a vector.
    product: f64,
    /// A step of the fluid, traced back linearly.
    fluid: f64,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let rounds = if options.quick { 3 } else { 7 };
    let times = times(machine, side(options.quick), Effort { rounds, chain: 1 })?;
    Ok(vec![iteration(&times), sizes(&times), rate(&times)])
}

/// Steps on two grids, steps with fewer iterations, products, and steps of the fluid, alternately.
fn times(machine: &Machine, side: u32, effort: Effort) -> Result<Times, BoxedError> {
    let mut small = rough_water(machine, side / 2, 5)?;
    let mut few = rough_water(machine, side, 5)?;
    let mut one = rough_water(machine, side, 1)?;
    let mut fluid = stirred_fluid(machine, FluidSettings::paper_2003(side, side))?;
    let (row, n) = (side as usize, (side * side) as usize);
    let stencil = [0, 1, row, n - row, n - 1];
    let mut product =
        banded_product(machine, Layout::grid((side, side), Format::R32F), &stencil)?.kernel;
    let works = [
        work(|_| small.step()),
        work(|_| few.step()),
        work(|_| one.step()),
        work(|_| (0..PRODUCTS).try_for_each(&mut product)),
        work(|_| fluid.step()),
    ];
    let [small, water, shorter, products, fluid] = medians(machine, effort, works)?;
    Ok(Times {
        side,
        small,
        water,
        shorter,
        product: products / PRODUCTS as f64,
        fluid,
    })
}

/// Water in waves.
fn rough_water(machine: &Machine, side: u32, iterations: usize) -> Result<Water, BoxedError> {
    let settings = WaterSettings {
        iterations,
        ..WaterSettings::paper_2003(side, side)
    };
    let mut water = Water::at_rest(machine, settings)?;
    let rain = Rain {
        every: 1,
        finger: true,
        seed: 3,
    };
    for step in 0..2 {
        rain.push(step, &mut water)?;
        water.step()?;
    }
    Ok(water)
}

/// A fluid that pens have pushed.
fn stirred_fluid(machine: &Machine, settings: FluidSettings) -> Result<Fluid, BoxedError> {
    let mut fluid = Fluid::at_rest(machine, settings)?;
    let pens = Pens {
        speed: 2.0,
        seed: 1,
    };
    for step in 0..2 {
        pens.push(step, &mut fluid)?;
    }
    Ok(fluid)
}

fn iteration(times: &Times) -> Finding {
    // What five iterations take longer than one, so that what a step does beside them cancels.
    let iteration = (times.water - times.shorter).max(0.0) / 4.0;
    let ratio = iteration / times.product;
    let text = format!(
        "{:.1} ms to {:.2} ms at {}²: {ratio:.1} times",
        iteration * 1e3,
        times.product * 1e3,
        times.side
    );
    let why = format!(
        "An iteration is what five take longer than one, a quarter of it; a step with five takes {:.0} \
         ms. Beside its product, an iteration is three reductions with a read-back each and three \
         combinations of vectors: as much as {:.1} products in the paper and {:.1} here, where \
         fetches bound the product and memory bounds the rest (`bench`). What each part of an iteration \
         takes is not isolated.",
        times.water * 1e3,
        PAPER_ITERATION - 1.0,
        ratio - 1.0,
    );
    ITERATION.judge(agrees(ratio, PAPER_ITERATION), text, why)
}

fn sizes(times: &Times) -> Finding {
    let ratio = times.water / times.small;
    let [small, large] = [times.small, times.water].map(|seconds| 1.0 / seconds);
    let text = format!(
        "{small:.1} at {}² to {large:.1} at {}²: {ratio:.1} times",
        times.side / 2,
        times.side
    );
    let why = "Steps alone; the paper's frames are drawn as well.";
    SIZES.judge(agrees(ratio, PAPER_SIZES), text, why)
}

fn rate(times: &Times) -> Finding {
    let ratio = times.water / times.fluid;
    let [fluid, water] = [times.fluid, times.water].map(|seconds| 1.0 / seconds);
    let text = format!(
        "{fluid:.1} to {water:.1} at {}²: {ratio:.2} times",
        times.side
    );
    let why = "Steps alone, four iterations and five; the fluid carries dye too.";
    RATE.judge(agrees(ratio, PAPER_RATE), text, why)
}
