//! How long cycles, sweeps and tests of convergence take: variants beside each other, beside the
//! trivial kernel, and beside the CPU, all in one run (goodnight2003 §6, §7.1).

use std::f64::consts::TAU;

use crate::card::cost::bill;
use crate::claim::timing::{Effort, Work, medians};
use crate::solver::Cycle;
use crate::stream::{Format, Machine, Pass, Source, Stream, StreamError, source};

use super::{
    Axis, Boundaries, Colour, Condition, CpuSolver, Grid, HostOptions, HostSolver, Metric, Norm,
    Problem, ProblemError, Settings, Side, Solver, SolverError, Test,
};

const CONSTANT: Source = source!("goodnight2003/constant");
const SMOOTH_CEILING: Source = source!("goodnight2003/smooth_ceiling");

/// The settings that are timed: the paper's cycle, eight sweeps on each grid.
pub fn eight_sweeps() -> Settings {
    Settings {
        cycle: Cycle::v(4, 4),
        ..Settings::default()
    }
}

/// The residual that tests of convergence ask for; its value does not change their cost.
const TOLERANCE: f64 = 1e-3;

/// The far radius of the flow problem, in radii of the cylinder.
const FAR: f64 = 20.0;

/// The stream function round a cylinder on n² nodes: ln r along the columns, the angle, which is
/// periodic, along the rows; prescribed on the cylinder and far away. The problem of Figs. 3 and 4.
pub fn flow(n: u32) -> Result<Problem, ProblemError> {
    let intervals = f64::from(n.max(2) - 1);
    let grid = Grid {
        x: Axis::new(n, 0.0, FAR.ln() / intervals)?,
        y: Axis::periodic(n, 0.0, TAU / intervals)?,
    };
    let far = (0..n).map(|row| Condition::value((FAR - 1.0 / FAR) * grid.y.position(0, row).sin()));
    let boundaries = Boundaries::new()
        .with(&grid, Side::West, Condition::value(0.0))
        .with_each(Side::East, far.collect());
    Problem::new(
        grid,
        Metric::cartesian(),
        boundaries,
        vec![0.0; grid.nodes(0)],
    )
}

/// A plate on n² nodes, heated evenly and kept cold along its sides. The problem of Fig. 2.
pub fn plate(n: u32) -> Result<Problem, ProblemError> {
    let grid = Grid::unit(n, n)?;
    let boundaries = Boundaries::all(&grid, Condition::value(0.0));
    Problem::new(
        grid,
        Metric::cartesian(),
        boundaries,
        vec![-1.0; grid.nodes(0)],
    )
}

/// What one cycle costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Median seconds.
    pub seconds: f64,
    /// Passes: draws of a kernel.
    pub passes: u64,
    /// Rectangles that they rasterise.
    pub rectangles: u64,
    /// Changes of the surface that is rendered to.
    pub target_switches: u64,
    /// Of these, changes of the buffer that it belongs to: a pbuffer in 2003.
    pub buffer_switches: u64,
    /// Of these, changes of the rendering context.
    pub context_switches: u64,
    /// Seconds that the model of the NV30 gives its fragments.
    pub nv30_seconds: f64,
}

/// The cost of one cycle for each of some settings, timed in turns.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problem: &Problem,
    settings: [Settings; N],
    effort: Effort,
) -> Result<[Cost; N], SolverError> {
    let solvers = settings.map(|settings| Solver::new(machine, problem, &settings));
    let mut solvers = solvers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut costs = Vec::with_capacity(N);
    for solver in &mut solvers {
        // The first cycle may upload geometry.
        solver.cycle()?;
        machine.take_ledger();
        solver.cycle()?;
        let ledger = machine.take_ledger();
        costs.push(Cost {
            seconds: 0.0,
            passes: ledger.total().passes,
            rectangles: ledger.total().rectangles,
            target_switches: ledger.target_switches,
            buffer_switches: ledger.buffer_switches,
            context_switches: ledger.context_switches,
            nv30_seconds: bill(&ledger).total().nv30_seconds,
        });
    }
    let mut turns = solvers.iter_mut();
    let works: [Work; N] = std::array::from_fn(|_| {
        let mut solver = turns.next();
        let work = move |_| match &mut solver {
            Some(solver) => machine_error(solver.cycle()),
            None => Ok(()),
        };
        Box::new(work) as Work
    });
    let seconds = medians(machine, effort, works)?;
    Ok(std::array::from_fn(|n| Cost {
        seconds: seconds[n],
        ..costs[n]
    }))
}

/// The seconds of costs.
pub fn seconds<const N: usize>(costs: &[[Cost; N]]) -> Vec<[f64; N]> {
    let seconds = |costs: &[Cost; N]| costs.map(|cost| cost.seconds);
    costs.iter().map(seconds).collect()
}

/// The only error that a cycle can meet once the solver stands.
fn machine_error(result: Result<(), SolverError>) -> Result<(), StreamError> {
    result.map_err(|error| match error {
        SolverError::Stream(error) => error,
        other => unreachable!("a cycle on a solver that stands: {other}"),
    })
}

/// Median seconds of a cycle: on the GPU, and in single precision on one core and on all cores.
pub fn cycles_beside_cpu(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    effort: Effort,
) -> Result<[f64; 3], SolverError> {
    let mut gpu = Solver::new(machine, problem, settings)?;
    let host = HostSolver::<f32>::new(problem, HostOptions::default())?;
    let Cycle { before, after, .. } = settings.cycle;
    let cpu = |parallel| CpuSolver::new(&host, settings.coarsest_sweeps, parallel);
    let (mut one, mut all) = (cpu(false), cpu(true));
    let works: [Work; 3] = [
        Box::new(|_| machine_error(gpu.cycle())),
        Box::new(|_| {
            one.cycle(before, after);
            Ok(())
        }),
        Box::new(|_| {
            all.cycle(before, after);
            Ok(())
        }),
    ];
    Ok(medians(machine, effort, works)?)
}

/// Median seconds of a cycle and of three tests of convergence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// A cycle without a test.
    pub cycle: f64,
    /// The residual, and an occlusion query that counts where it is too large.
    pub query: f64,
    /// The residual, read back, and its largest magnitude found on the CPU.
    pub read_back: f64,
    /// The residual, and its L2 norm by reduction.
    pub reduction: f64,
}

/// Times a cycle and the tests of convergence, in turns.
pub fn cycles_with_test(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    effort: Effort,
) -> Result<Tested, SolverError> {
    let tests = [Test::Occlusion, Test::ReadBack, Test::Reduction];
    let solver = |test| {
        let norm = match test {
            Test::Reduction => Norm::L2,
            _ => Norm::Maximum,
        };
        let settings = Settings {
            test,
            norm,
            ..settings.clone()
        };
        Solver::new(machine, problem, &settings)
    };
    let mut cycled = Solver::new(machine, problem, settings)?;
    let [mut query, mut read_back, mut reduction] = tests.map(solver);
    let measure = |solver: &mut Result<Solver, SolverError>| match solver {
        Ok(solver) => machine_error(solver.measure(TOLERANCE).map(drop)),
        Err(_) => Ok(()),
    };
    let works: [Work; 4] = [
        Box::new(|_| machine_error(cycled.cycle())),
        Box::new(|_| measure(&mut query)),
        Box::new(|_| measure(&mut read_back)),
        Box::new(|_| measure(&mut reduction)),
    ];
    let [cycle, query, read_back, reduction] = medians(machine, effort, works)?;
    Ok(Tested {
        cycle,
        query,
        read_back,
        reduction,
    })
}

/// What half a sweep moves, and how long it takes beside trivial programs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BesideTrivial {
    /// Median seconds of half a sweep.
    pub smooth: f64,
    /// Its bytes, fetched and written.
    pub bytes: f64,
    /// Median seconds of a program with the same fetches.
    pub ceiling: f64,
    /// Median seconds of a program that writes a constant.
    pub trivial: f64,
    /// Its bytes.
    pub trivial_bytes: f64,
}

/// Times half a sweep on n² nodes beside a program with the same fetches and the paper's trivial one,
/// in turns.
pub fn half_sweep_beside_trivial(
    machine: &Machine,
    n: u32,
    effort: Effort,
) -> Result<BesideTrivial, SolverError> {
    let solver = Solver::new(machine, &flow(n)?, &Settings::default())?;
    let (maps, nodes) = (solver.maps(), machine.rect(solver.state().1)?);
    let surface = |label| Stream::zeros(machine, label, maps.atlas.size, Format::Rgba32F);
    let turns = [surface("even")?, surface("odd")?];
    let ceiling = machine.kernel(&SMOOTH_CEILING, &[])?;
    let constant = machine.kernel(&CONSTANT, &[])?;
    let works: [Work; 3] = [
        Box::new(|run| {
            let colour = Colour::BOTH[run % 2];
            solver.levels().half_sweep(0, colour)
        }),
        Box::new(|run| {
            Pass::new(&ceiling)
                .read("state", &turns[run % 2])
                .read("operator_map", &maps.operator)
                .read("red_black_map", &maps.red_black)
                .draw(&turns[(run + 1) % 2], &nodes)
        }),
        Box::new(|run| {
            // Another target each time: nothing is covered before it is shown.
            let value = [run as f32; 4];
            Pass::new(&constant)
                .set("value", value)
                .draw(&turns[run % 2], &nodes)
        }),
    ];
    let [smooth, ceiling, trivial] = medians(machine, effort, works)?;
    machine.take_ledger();
    solver.levels().half_sweep(0, Colour::Red)?;
    let moved = bill(&machine.take_ledger()).total();
    Ok(BesideTrivial {
        smooth,
        bytes: moved.bytes() as f64,
        ceiling,
        trivial,
        trivial_bytes: nodes.area() as f64 * Format::Rgba32F.bytes() as f64,
    })
}
