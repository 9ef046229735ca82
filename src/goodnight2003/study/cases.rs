//! Timed cases (goodnight2003 §6, §7.1): the claims judge them, and `fragstream bench` prints them.

use rayon::ThreadPoolBuilder;

use crate::error::BoxedError;
use crate::experiment::Subject;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::{Colour, Error, Problem, Reference, Settings, Solver};
use crate::stream::{Format, Machine, Pass, Source, Stream, source};
use crate::timing::cost::{all, costs};
use crate::timing::rig::{program, work};
use crate::timing::{Bench, Case, Cost, PingPong, Work};

/// The paper's trivial program (§7.1).
const CONSTANT: Source = source!(goodnight2003, "speed/constant");

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

/// One cycle for each of several settings.
pub fn cycles<const N: usize>(
    machine: &Machine,
    each: &[heat::Settings; N],
) -> Result<[Work<'static>; N], BoxedError> {
    all(each
        .each_ref()
        .map(|one| Ok::<_, BoxedError>(cycle(machine, &one.problem()?, &one.method.settings())?)))
}

/// Fig. 3: a cycle on the GPU, and on the CPU in single precision on one core and on all cores.
pub fn processors(
    machine: &Machine,
    settings: &heat::Settings,
) -> Result<[Work<'static>; 3], BoxedError> {
    let (problem, settings) = (settings.problem()?, settings.method.settings());
    let cpu = |threads| -> Result<Work<'static>, BoxedError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| error.to_string())?;
        let mut solver = Reference::<f32>::new(&problem, &settings)?;
        Ok(program(move |_| pool.install(|| solver.cycle(settings.cycle))))
    };
    // No number of threads stands for one per core.
    Ok([cycle(machine, &problem, &settings)?, cpu(1)?, cpu(0)?])
}

/// The residual required by convergence tests; its value does not change their cost.
const TOLERANCE: f64 = 1e-3;

/// Fig. 7: convergence tests, the residual with which each begins, and a cycle without a test.
pub fn cycle_and_tests(
    machine: &Machine,
    each: &[heat::Settings; 3],
) -> Result<[Work<'static>; 5], BoxedError> {
    let solver = |one: &heat::Settings| -> Result<Solver, BoxedError> {
        Ok(Solver::new(machine, &one.problem()?, &one.method.settings())?)
    };
    let [query, read, sum] = all(each.each_ref().map(solver))?
        .map(|mut solver| work(move |_| solver.measure(TOLERANCE).map(drop)));
    let residual = solver(&each[0])?;
    let residual = work(move |_| residual.levels().residual(0));
    let [cycle] = cycles(machine, &[each[0].clone()])?;
    Ok([query, read, sum, residual, cycle])
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

/// §7.1: a program that writes a constant to n² nodes.
pub fn constant(machine: &Machine, n: u32) -> Result<Work<'static>, BoxedError> {
    let stream = || Stream::zeros(machine, "constant", (n, n), Format::Rgba32F);
    let mut written = PingPong::new(2, stream)?;
    let constant = machine.kernel(&CONSTANT, &[])?;
    Ok(work(move |run| {
        // Another target each time, so that nothing is overwritten before it is used.
        let (_, target) = written.of(run);
        let pass = Pass::new(&constant).set("value", [run as f32; 4]);
        pass.draw(target, target.full())
    }))
}

/// Prints all lines.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), BoxedError> {
    let n = bench.pick(129, 1025);
    bench.text("\na boundary value problem; a node per texel")?;
    let [flow] = variants_of(&format!("--problem flow --size {n}"), &[""])?;
    let (problem, method) = (flow.problem()?, flow.method.settings());
    bench.case(&format!("half a sweep on {n}²"), |machine| {
        let sweep = half_sweep(machine, &problem, &method)?;
        Ok::<_, BoxedError>(Case::with_ceiling(machine, sweep))
    })?;
    let small = bench.pick(65, 257);
    variants(bench, &format!("--problem flow --size {small} --buffer context"), &BUFFERS)?;
    variants(bench, &format!("--problem flow --size {small}"), &HAZARDS)?;
    variants(bench, &format!("--problem plate --size {n}"), &PROGRAMS)?;
    variants(bench, &format!("--problem flow --size {n}"), &COLOURS)?;
    variants(bench, &format!("--problem flow --size {n}"), &FORMATS)?;
    let costs = bench.measure("the CPU", |machine, effort| {
        costs(machine, effort.of_long_runs(5), processors(machine, &flow)?)
    })?;
    let [gpu, one, all] = costs.map(|cost| cost.seconds);
    let what = format!("V(4,4)-cycle on {n}², and on the CPU");
    let [one, all] = [one, all].map(|seconds| seconds * 1e3);
    bench.line(&what, gpu, format!("   CPU {one:.3} on one core, {all:.3} on all"))
}

/// Settings of `heat` as in the paper, with some options and those of each variant.
fn variants_of<const N: usize>(
    line: &str,
    options: &[&str; N],
) -> Result<[heat::Settings; N], BoxedError> {
    let paper = HEAT.experiment("paper")?;
    all(options.map(|options| {
        let mut experiment = paper.clone();
        [line, options].into_iter().try_for_each(|line| experiment.given(line))?;
        experiment.typed()
    }))
}

/// Prints a cycle for each variant.
fn variants<const N: usize>(
    bench: &mut Bench<'_>,
    line: &str,
    [names, options]: &Variants<N>,
) -> Result<(), BoxedError> {
    let each = variants_of(line, options)?;
    let costs = bench.measure("cycles", |machine, effort| {
        let works = cycles(machine, &each)?;
        costs(machine, effort.of_long_runs(5), works)
    })?;
    let n = each[0].size.map_or(0, |size| size.columns);
    bench.text(format_args!(
        "\n{:<44} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}",
        format!("V(4,4)-cycles on {n}²"),
        "here",
        "passes",
        "surfaces",
        "buffers",
        "contexts",
        "NV30*"
    ))?;
    for (name, Cost { seconds, nv30_seconds, ledger, .. }) in names.iter().zip(&costs) {
        let remark = format!(
            " {:>7} {:>9} {:>9} {:>9} {:>9.3}",
            ledger.total().passes,
            ledger.target_switches,
            ledger.buffer_switches,
            ledger.context_switches,
            nv30_seconds * 1e3,
        );
        bench.line(name, *seconds, remark)?;
    }
    bench.text("  target switches; * model, without them")
}
