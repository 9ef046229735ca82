//! Timed cases (goodnight2003 §6, §7.1): the claims judge them, and `fragstream bench` prints them.

use crate::base::error::BoxedError;
use crate::experiment::Subject;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::{Colour, Error, Problem, Settings, Solver};
use crate::stream::Machine;
use crate::timing::rig::work;
use crate::timing::{Bench, Case, Work};

/// A cycle with the given settings.
pub fn cycle(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
) -> Result<Work<'static>, Error> {
    let mut solver = Solver::new(machine, problem, settings)?;
    Ok(work(move |_| solver.cycle()))
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
