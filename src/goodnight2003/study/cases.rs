//! Timed cases (goodnight2003 §6, §7.1): the claims judge them, and `fragstream bench` prints them.

use rayon::ThreadPoolBuilder;

use crate::base::error::BoxedError;
use crate::experiment::{Study, Subject, Takes};
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::{Colour, Error, Problem, Reference, Settings, Solver};
use crate::stream::Machine;
use crate::timing::cost::all;
use crate::timing::rig::{program, work};
use crate::timing::{Bench, Case, Work};

/// Variants of an experiment of `heat`: their names, and their options.
pub type Variants<const N: usize> = [[&'static str; N]; 2];

/// Fig. 2: programs that support periodic sides everywhere, only where needed, and nowhere.
pub const PROGRAMS: Variants<3> = [
    ["slow", "fastpath", "fast"],
    ["--programs original", "--programs fastpath", "--programs fast"],
];

/// Fig. 4, with `--buffer context` like a pbuffer of 2003: the paper's names of its four ways to store the levels, each
/// with fewer changes of the pbuffer than the previous one. The original programs had no map of colours.
#[rustfmt::skip]
pub const BUFFERS: Variants<4> = [
    ["very naive", "optimised", "two buffers", "one buffer"],
    ["--programs original --no-red-black-map --storage separate", "--storage separate", "--storage two", "--storage one"],
];

/// §6: ways to avoid that a pass reads what the previous one may still be writing.
pub const HAZARDS: Variants<3> =
    [["barrier", "glFinish", "copies"], ["--hazard barrier", "--hazard finish", "--hazard copy"]];

/// Fig. 6: the colours of nodes.
pub const COLOURS: Variants<2> =
    [["stored", "computed"], ["--red-black-map", "--no-red-black-map"]];

/// §7.1: floats of 32 and of 16 bits.
pub const FORMATS: Variants<2> =
    [["32-bit floats", "16-bit floats"], ["--precision full", "--precision half"]];

/// A cycle with the given settings.
pub fn cycle(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, Error> {
    let mut solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |_| solver.cycle()))
}

/// Settings on which a cycle depends.
pub const OF_A_CYCLE: &str = "problem coordinates boundary size pre post cycle smoother coarsest_sweeps levels storage \
    hazard buffer programs red_black_map precision surface_limit";

/// A cycle.
pub static CYCLE: Study = Study::timing(
    "goodnight2003/cycle",
    "A cycle for a problem of the paper",
    Takes::of(&HEAT, "paper", OF_A_CYCLE),
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        Ok(cycle(place.machine, &one.problem()?, &one.method.settings())?)
    },
);

/// A test.
pub static TEST: Study = Study::timing(
    "goodnight2003/test",
    "A test for convergence with the residual that it needs",
    Takes::of(
        &HEAT,
        "paper",
        "problem coordinates boundary size programs red_black_map precision hazard norm test",
    ),
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        Ok(measure(place.machine, &one.problem()?, &one.method.settings())?)
    },
);

/// Cycles on one core of the CPU and on all, which cycles on the GPU are compared with.
pub fn on_cpu(settings: &heat::Settings) -> Result<[Work<'static>; 2], BoxedError> {
    let (problem, settings) = (settings.problem()?, settings.method.settings());
    let cpu = |threads| -> Result<Work<'static>, BoxedError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| error.to_string())?;
        let mut solver = Reference::<f32>::new(&problem, &settings)?;
        Ok(program(move |_| pool.install(|| solver.cycle(settings.cycle))))
    };
    // No number of threads stands for one per core.
    all([cpu(1), cpu(0)])
}

/// The residual required by convergence tests; its value does not change their cost.
const TOLERANCE: f64 = 1e-3;

/// A convergence test with the residual with which it begins.
pub fn measure(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, Error> {
    let mut solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |_| solver.measure(TOLERANCE).map(drop)))
}

/// Fig. 7: the residual with which each test begins, and a cycle without a test.
pub fn residual_and_cycle(
    machine: &Machine,
    settings: &heat::Settings,
) -> Result<[Work<'static>; 2], BoxedError> {
    let (problem, settings) = (settings.problem()?, settings.method.settings());
    let residual = Solver::new(machine, &problem, &settings)?;
    let residual = work(move |_| residual.levels().residual(0));
    Ok([residual, cycle(machine, &problem, &settings)?])
}

/// §7.1: half a sweep, of one colour and then of the other.
pub fn half_sweep(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, Error> {
    let solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |run| solver.levels().half_sweep(0, Colour::BOTH[run % 2])))
}

/// The line of `fragstream bench`.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), BoxedError> {
    let n = bench.pick(129, 1025);
    bench.text("\na boundary value problem; a node per texel")?;
    let mut flow = HEAT.experiment("paper")?;
    flow.given(&format!("--problem flow --size {n}"))?;
    let flow: heat::Settings = flow.typed()?;
    let (problem, method) = (flow.problem()?, flow.method.settings());
    bench.case(&format!("half a sweep on {n}²"), |machine| {
        let sweep = half_sweep(machine, &problem, &method)?;
        Ok::<_, BoxedError>(Case::with_ceiling(machine, sweep))
    })
}
