//! Timed cases (goodnight2003 §6, §7.1): the claims judge them, and `fragstream bench` prints them.

use std::f64::consts::TAU;

use rayon::ThreadPoolBuilder;

use crate::error::BoxedError;
use crate::goodnight2003::{
    Axis, Boundaries, Colour, Condition, Error, Grid, Hazard, Metric, Norm, Problem, Programs,
    Reference, Settings, Side, Solver, Strategy, Test,
};
use crate::stream::{Buffer, Format, Machine, Pass, Source, Stream, source};
use crate::timing::cost::{all, costs};
use crate::timing::rig::{program, work};
use crate::timing::{Bench, Case, Cost, PingPong, Work};

/// The paper's trivial program (§7.1).
const CONSTANT: Source = source!(goodnight2003, "speed/constant");

/// The far radius of the flow problem, in radii of the cylinder.
const FAR: f64 = 20.0;

/// The stream function around a cylinder on n² nodes: ln r along the columns, the angle, which is
/// periodic, along the rows; prescribed on the cylinder and far away. The problem of Figs. 3 and 4.
pub fn flow(n: u32) -> Result<Problem, Error> {
    let intervals = f64::from(n.max(2) - 1);
    let grid = Grid {
        x: Axis::new(n, 0.0, FAR.ln() / intervals)?,
        y: Axis::periodic(n, 0.0, TAU / intervals)?,
    };
    let far = (0..n).map(|row| Condition::value((FAR - 1.0 / FAR) * grid.y.position(0, row).sin()));
    let boundaries = Boundaries::new()
        .with(&grid, Side::West, Condition::value(0.0))
        .with_each(Side::East, far.collect());
    let source = vec![0.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}

/// A plate on n² nodes, heated evenly and kept cold along its sides. The problem of Fig. 2.
pub fn plate(n: u32) -> Result<Problem, Error> {
    plate_of([n, n])
}

/// The case on a grid with this number of columns and rows.
pub fn plate_of([columns, rows]: [u32; 2]) -> Result<Problem, Error> {
    let grid = Grid::unit(columns, rows)?;
    let boundaries = Boundaries::all(&grid, Condition::value(0.0));
    let source = vec![-1.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}

/// A variant: its name, and its difference from the paper's settings.
pub type Variant = (&'static str, fn(&mut Settings));

/// Fig. 2: programs that support periodic sides everywhere, only where needed, and nowhere.
pub const PROGRAMS: [Variant; 3] = [
    ("slow", |s| s.programs = Programs::Original),
    ("fastpath", |s| s.programs = Programs::Fastpath),
    ("fast", |s| s.programs = Programs::Fast),
];

/// Fig. 4: the paper's names of its four ways to store the levels, each with fewer changes of the pbuffer than
/// the previous one. A pbuffer of 2003 had a rendering context of its own.
pub const BUFFERS: [Variant; 4] = [
    ("very naive", |s| {
        s.programs = Programs::Original;
        // The original programs had no map of colours.
        s.red_black_map = false;
        (s.storage, s.buffer) = (Strategy::Separate, Buffer::Context);
    }),
    ("optimised", |s| {
        (s.storage, s.buffer) = (Strategy::Separate, Buffer::Context);
    }),
    ("two buffers", |s| {
        (s.storage, s.buffer) = (Strategy::Two, Buffer::Context);
    }),
    ("one buffer", |s| {
        (s.storage, s.buffer) = (Strategy::One, Buffer::Context);
    }),
];

/// §6: ways to avoid that a pass reads what the previous one may still be writing.
pub const HAZARDS: [Variant; 3] = [
    ("barrier", |s| s.hazard = Hazard::Barrier),
    ("glFinish", |s| s.hazard = Hazard::Finish),
    ("copies", |s| s.hazard = Hazard::Copy),
];

/// Fig. 6: the colours of nodes.
pub const COLOURS: [Variant; 2] =
    [("stored", |s| s.red_black_map = true), ("computed", |s| s.red_black_map = false)];

/// §7.1: floats of 32 and of 16 bits.
pub const FORMATS: [Variant; 2] = [
    ("32-bit floats", |s| s.precision = Format::Rgba32F),
    ("16-bit floats", |s| s.precision = Format::Rgba16F),
];

/// A cycle with the given settings.
pub fn cycle(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, Error> {
    let mut solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |_| solver.cycle()))
}

/// One cycle for each variant of the paper's settings.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problem: &Problem,
    variants: &[Variant; N],
) -> Result<[Work<'static>; N], BoxedError> {
    let works = variants.each_ref().map(|(_, change)| {
        let mut settings = Settings::paper_2003();
        change(&mut settings);
        cycle(machine, problem, &settings)
    });
    Ok(all(works)?)
}

/// Fig. 3: a cycle on the GPU, and on the CPU in single precision on one core and on all cores.
pub fn processors(machine: &Machine, n: u32) -> Result<[Work<'static>; 3], BoxedError> {
    let (problem, settings) = (flow(n)?, Settings::paper_2003());
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

/// Fig. 7: three convergence tests, the residual with which each begins, and a cycle without a test. The
/// tests are an occlusion query that counts nodes with too large a residual; the residual read back,
/// with its largest magnitude found on the CPU; and its L2 norm by reduction.
pub fn cycle_and_tests(machine: &Machine, n: u32) -> Result<[Work<'static>; 5], BoxedError> {
    let (problem, paper) = (flow(n)?, Settings::paper_2003());
    let test = |test, norm| {
        let settings = Settings { test, norm, ..paper.clone() };
        let mut solver = Solver::new(machine, &problem, &settings)?;
        let test = move |_| solver.measure(TOLERANCE).map(drop);
        Ok::<_, Error>(work(test))
    };
    let residual = Solver::new(machine, &problem, &paper)?;
    Ok([
        test(Test::Occlusion, Norm::Maximum)?,
        test(Test::ReadBack, Norm::Maximum)?,
        test(Test::Reduction, Norm::L2)?,
        work(move |_| residual.levels().residual(0)),
        cycle(machine, &problem, &paper)?,
    ])
}

/// §7.1: half a sweep on n² nodes, of one colour and then of the other.
pub fn half_sweep(machine: &Machine, n: u32) -> Result<Work<'static>, Error> {
    let solver = Solver::new(machine, &flow(n)?, &Settings::paper_2003())?;
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
    bench.case(&format!("half a sweep on {n}²"), |machine| {
        Ok::<_, BoxedError>(Case::with_ceiling(machine, half_sweep(machine, n)?))
    })?;
    let small = bench.pick(65, 257);
    variants(bench, &flow(small)?, &BUFFERS)?;
    variants(bench, &flow(small)?, &HAZARDS)?;
    variants(bench, &plate(n)?, &PROGRAMS)?;
    variants(bench, &flow(n)?, &COLOURS)?;
    variants(bench, &flow(n)?, &FORMATS)?;
    let costs = bench.measure("the CPU", |machine, effort| {
        costs(machine, effort.of_long_runs(5), processors(machine, n)?)
    })?;
    let [gpu, one, all] = costs.map(|cost| cost.seconds);
    let what = format!("V(4,4)-cycle on {n}², and on the CPU");
    let [one, all] = [one, all].map(|seconds| seconds * 1e3);
    bench.line(&what, gpu, format!("   CPU {one:.3} on one core, {all:.3} on all"))
}

/// Prints a cycle for each variant.
fn variants<const N: usize>(
    bench: &mut Bench<'_>,
    problem: &Problem,
    variants: &[Variant; N],
) -> Result<(), BoxedError> {
    let costs = bench.measure("cycles", |machine, effort| {
        let works = cycles(machine, problem, variants)?;
        costs(machine, effort.of_long_runs(5), works)
    })?;
    let n = problem.grid.size(0).0;
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
    for ((name, _), Cost { seconds, nv30_seconds, ledger, .. }) in variants.iter().zip(&costs) {
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
