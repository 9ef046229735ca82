//! How long cycles and tests of convergence take (goodnight2003 §6).

use crate::goodnight2003::{
    CpuSolver, HostOptions, HostSolver, Norm, Problem, Settings, Solver, SolverError, Test,
};
use crate::solver::Cycle;
use crate::stream::Machine;
use crate::timing::cost::{all, costs};
use crate::timing::rig::{program, work};
use crate::timing::{Cost, Effort, TimingError};

/// The residual that tests of convergence ask for; its value does not change their cost.
const TOLERANCE: f64 = 1e-3;

/// The cost of one cycle for each of some settings, timed in turns.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problem: &Problem,
    settings: [Settings; N],
    effort: Effort,
) -> Result<[Cost; N], TimingError> {
    let cycle = |settings| {
        let mut solver = Solver::new(machine, problem, &settings)?;
        Ok::<_, SolverError>(work(move |_| solver.cycle()))
    };
    costs(machine, effort, all(settings.map(cycle))?)
}

/// The cost of a cycle: on the GPU, and in single precision on one core and on all cores.
pub fn cycles_beside_cpu(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    effort: Effort,
) -> Result<[Cost; 3], TimingError> {
    let mut gpu = Solver::new(machine, problem, settings)?;
    let host = HostSolver::<f32>::new(problem, HostOptions::default())?;
    let Cycle { before, after, .. } = settings.cycle;
    let cpu = |parallel| {
        let mut solver = CpuSolver::new(&host, settings.coarsest_sweeps, parallel);
        program(move |_| solver.cycle(before, after))
    };
    let works = [work(|_| gpu.cycle()), cpu(false), cpu(true)];
    costs(machine, effort, works)
}

/// The costs of three tests of convergence, and of a cycle without one: the residual and an occlusion
/// query that counts where it is too large; the residual, read back, and its largest magnitude found
/// on the CPU; the residual, and its L2 norm by reduction.
pub fn cycle_and_tests(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    effort: Effort,
) -> Result<[Cost; 4], TimingError> {
    let test = |test, norm| {
        let settings = Settings {
            test,
            norm,
            ..settings.clone()
        };
        let mut solver = Solver::new(machine, problem, &settings)?;
        let test = move |_| solver.measure(TOLERANCE).map(drop);
        Ok::<_, SolverError>(work(test))
    };
    let mut solver = Solver::new(machine, problem, settings)?;
    let works = [
        test(Test::Occlusion, Norm::Maximum)?,
        test(Test::ReadBack, Norm::Maximum)?,
        test(Test::Reduction, Norm::L2)?,
        work(|_| solver.cycle()),
    ];
    costs(machine, effort, works)
}
