//! Preconditioned Conjugate Gradient Method: the iterates against double precision.

use crate::batty2003::pressure::{GpuSolver, Settings, System};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options, difference, worst};
use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Real, conjugate_gradients,
};
use crate::stream::Machine;

use super::dam;

const PCG: Claim = Claim {
    id: "batty2003/pcg",
    class: Class::Tolerance,
    section: "Preconditioned Conjugate Gradient Method",
    statement: "Conjugate gradients with the diagonal preconditioner: the first twenty iterates.",
    paper: "as in double precision",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/recursion",
    section: "Preconditioned Conjugate Gradient Method",
    title: "Preconditioned conjugate gradients, iterate by iterate",
    claims: &[PCG],
    run,
};

/// Iterates that are compared.
const COUNT: usize = 20;

/// The iterates may be off by so many times what the same recursion in single precision on the CPU is
/// off by: sums are taken in other orders there.
const BOUND: f64 = 4.0;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mut solver = GpuSolver::new(machine, Settings::default());
    let systems = dam::systems(options.quick, 1, &mut solver)?;
    let system = systems.first().ok_or("the scene has no first step")?;
    let zeros = vec![0.0; system.cells()];
    let expected = iterates(system)?;
    let single = iterates(&system.convert::<f32>())?;
    let pairs = single.iter().zip(&expected).skip(1);
    let bound = BOUND * worst(pairs.map(|(found, expected)| difference(found, expected)));
    let mut errors = Vec::new();
    for (count, expected) in expected.iter().enumerate().skip(1) {
        solver.set_up(system, &zeros)?;
        solver.iterate(&criteria(count))?;
        errors.push(difference(&solver.read_back()?, expected));
    }
    let error = worst(errors);
    let measured = format!("largest relative difference {error:.1e}");
    let why = format!(
        "The first step of the dam, {} unknowns in a box of {}³; the bound is {bound:.1e}, {BOUND} \
         times what the same recursion in single precision on the CPU is off by.",
        system.unknowns(),
        dam::side(options.quick)
    );
    Ok(vec![PCG.judge(error <= bound, measured, why)])
}

fn criteria(max_iterations: usize) -> Criteria {
    Criteria {
        rtol: 0.0,
        max_iterations,
        ..Criteria::default()
    }
}

/// The start, zero, and the iterates on the CPU.
fn iterates<T: Real>(system: &System<T>) -> Result<Vec<Vec<T>>, LengthMismatch> {
    let mut iterates = Vec::new();
    conjugate_gradients(
        &HostSpace::new(system.cells()),
        system,
        Some(&DiagonalPreconditioner::of_diagonal(&system.diagonal)),
        &system.right_side,
        &mut vec![T::ZERO; system.cells()],
        &criteria(COUNT),
        |progress| iterates.push(progress.x.clone()),
    )?;
    Ok(iterates)
}
