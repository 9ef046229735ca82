//! Preconditioned Conjugate Gradient Method: the iterates against double precision.

use crate::batty2003::pressure::{GpuSolver, Settings, System};
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Real, conjugate_gradients,
};
use crate::stream::Machine;

use super::dam;

const PCG: Claim = Claim {
    id: "batty2003/pcg",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
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

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let side = options.given.grid.unwrap_or(dam::side(options.quick));
    let system = dam::first_system(side)?;
    let expected = iterates(&system)?;
    // After k iterations conjugate gradients have solved a system of k unknowns, the given one on the
    // space of their k directions. Each iteration rounds its direction, its product and two scalars,
    // which changes that system by about one ε, relatively, and so its solution by ε times its
    // condition. (To first order: not a theorem, but known before anything is run on the card.)
    let condition = condition(&system, &expected);
    let bound = COUNT as f64 * condition * f64::from(f32::EPSILON);
    let mut solver = GpuSolver::new(machine, system.size, Settings::default())?;
    solver.set_up(&system, &vec![0.0; system.cells()])?;
    let iterate = |count| {
        solver.start_from_zero();
        solver.iterate(&Criteria::exactly(count))?;
        solver.read_back()
    };
    let found = (0..=COUNT).map(iterate).collect::<Result<Vec<_>, _>>()?;
    let error = off(&found, &expected);
    let twin = off(&iterates(&system.map(|entry| entry as f32))?, &expected);
    let measured = format!("largest relative difference {error:.1e}");
    let why = format!(
        "The first step of the dam, {} unknowns in a box of {}³. The bound is {bound:.1e}: {COUNT} \
         iterations, each with a relative error of 2^-23, times the condition {condition:.0} that the \
         preconditioned matrix has on the space of their directions. The same recursion in single \
         precision on the CPU is off by {twin:.1e}.",
        system.unknowns(),
        side
    );
    Ok(vec![PCG.judge(error <= bound, measured, why)])
}

/// How far the iterates after the start are off, at most.
fn off<T: Copy + Into<f64>>(found: &[Vec<T>], expected: &[Vec<f64>]) -> f64 {
    let pairs = found.iter().zip(expected).skip(1);
    worst(pairs.map(|(found, expected)| difference(found, expected)))
}

/// The start, zero, and the first twenty iterates on the CPU.
pub fn iterates<T: Real>(system: &System<T>) -> Result<Vec<Vec<T>>, LengthMismatch> {
    let mut iterates = Vec::new();
    conjugate_gradients(
        &HostSpace::new(system.cells()),
        system,
        Some(&DiagonalPreconditioner::of_diagonal(&system.diagonal)),
        &system.right_side,
        &mut vec![T::ZERO; system.cells()],
        &Criteria::exactly(COUNT),
        |progress| iterates.push(progress.x.clone()),
    )?;
    Ok(iterates)
}

/// A bound on the condition of D⁻¹A on the space of the directions d from iterate to iterate.
///
/// These are conjugate. Where each is so long that dᵀA d = 1, the inverse is the matrix of all dᵢᵀD dⱼ,
/// whose largest eigenvalue is at most its Frobenius norm. That of D⁻¹A is at most 2: no row's other
/// entries add up to more than its diagonal one.
fn condition(system: &System<f64>, iterates: &[Vec<f64>]) -> f64 {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut product = vec![0.0; system.cells()];
    let directions = iterates.windows(2).map(|pair| {
        let direction = pair[1].iter().zip(&pair[0]).map(|(new, old)| new - old);
        let direction: Vec<f64> = direction.collect();
        system.product(&direction, &mut product);
        let length = dot(&direction, &product).sqrt();
        // √D d
        let cells = direction.iter().zip(&system.diagonal);
        cells.map(|(d, own)| d * own.sqrt() / length).collect()
    });
    let directions: Vec<Vec<f64>> = directions.collect();
    let pairs = directions
        .iter()
        .flat_map(|d| directions.iter().map(move |e| dot(d, e)));
    2.0 * pairs.map(|entry| entry * entry).sum::<f64>().sqrt()
}
