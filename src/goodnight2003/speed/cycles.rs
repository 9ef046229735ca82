//! How long cycles and tests of convergence take (goodnight2003 §6).

use crate::goodnight2003::{
    CpuSolver, HostSolver, Norm, Problem, Settings, Solver, SolverError, Test,
};
use crate::solver::Cycle;
use crate::stream::Machine;
use crate::timing::cost::{all, costs};
use crate::timing::rig::{program, work};
use crate::timing::{Cost, Effort, TimingError, Work};

/// The residual that tests of convergence ask for; its value does not change their cost.
const TOLERANCE: f64 = 1e-3;

/// Cycles with some settings.
fn cycle(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, SolverError> {
    let mut solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |_| solver.cycle()))
}

/// The cost of one cycle for each of some settings, timed alternately.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problem: &Problem,
    settings: [Settings; N],
    effort: Effort,
) -> Result<[Cost; N], TimingError> {
    let works = settings
        .each_ref()
        .map(|settings| cycle(machine, problem, settings));
    costs(machine, effort, all(works)?)
}

/// The cost of a cycle: on the GPU with some settings and with others, and in single precision on one
/// core and on all cores.
pub fn cycles_beside_cpu(
    machine: &Machine,
    problem: &Problem,
    settings: [Settings; 2],
    effort: Effort,
) -> Result<[Cost; 4], TimingError> {
    let host = HostSolver::new(problem, &settings[0])?;
    let Cycle { before, after, .. } = settings[0].cycle;
    let coarsest = settings[0].coarsest_sweeps;
    let cpu = |parallel| {
        let mut solver = CpuSolver::new(&host, coarsest, parallel);
        program(move |_| solver.cycle(before, after))
    };
    let [first, second] = settings
        .each_ref()
        .map(|settings| cycle(machine, problem, settings));
    costs(machine, effort, [first?, second?, cpu(false), cpu(true)])
}

/// The costs of three tests of convergence, of the residual that each begins with, and of a cycle
/// without a test: an occlusion query that counts where the residual is too large; the residual, read
/// back, and its largest magnitude found on the CPU; its L2 norm by reduction.
pub fn cycle_and_tests(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    effort: Effort,
) -> Result<[Cost; 5], TimingError> {
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
    let residual = Solver::new(machine, problem, settings)?;
    let works = [
        test(Test::Occlusion, Norm::Maximum)?,
        test(Test::ReadBack, Norm::Maximum)?,
        test(Test::Reduction, Norm::L2)?,
        work(|_| residual.levels().residual(0)),
        cycle(machine, problem, settings)?,
    ];
    costs(machine, effort, works)
}
