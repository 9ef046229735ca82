//! Cycles and convergence tests for timings (goodnight2003 §6).

use rayon::ThreadPoolBuilder;

use crate::goodnight2003::{Norm, Problem, Reference, Settings, Solver, SolverError, Test};
use crate::stream::Machine;
use crate::timing::cost::all;
use crate::timing::rig::{program, work};
use crate::timing::{TimingError, Work};

/// The residual required by convergence tests; its value does not change their cost.
const TOLERANCE: f64 = 1e-3;

/// Cycles with the given settings.
fn cycle(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, SolverError> {
    let mut solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |_| solver.cycle()))
}

/// One cycle for each of the settings.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problem: &Problem,
    settings: [Settings; N],
) -> Result<[Work<'static>; N], TimingError> {
    let works = settings
        .each_ref()
        .map(|settings| cycle(machine, problem, settings));
    Ok(all(works)?)
}

/// A cycle on the GPU, and on the CPU in single precision on one core and on all cores.
pub fn cycles_beside_cpu(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<[Work<'static>; 3], TimingError> {
    let shape = settings.cycle;
    let cpu = |threads| -> Result<Work<'static>, TimingError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| TimingError::Case(error.into()))?;
        let mut solver = Reference::<f32>::new(problem, settings)?;
        Ok(program(move |_| pool.install(|| solver.cycle(shape))))
    };
    // No number of threads stands for one per core.
    Ok([cycle(machine, problem, settings)?, cpu(1)?, cpu(0)?])
}

/// Three convergence tests, the residual with which each begins, and a cycle without a test. The
/// tests are an occlusion query that counts nodes with too large a residual; the residual read back,
/// with its largest magnitude found on the CPU; and its L2 norm by reduction.
pub fn cycle_and_tests(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<[Work<'static>; 5], TimingError> {
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
    Ok([
        test(Test::Occlusion, Norm::Maximum)?,
        test(Test::ReadBack, Norm::Maximum)?,
        test(Test::Reduction, Norm::L2)?,
        work(move |_| residual.levels().residual(0)),
        cycle(machine, problem, settings)?,
    ])
}
