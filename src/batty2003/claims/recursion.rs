//! Preconditioned Conjugate Gradient Method: the iterates compared with double precision.

use crate::batty2003::{GpuSolver, Settings, System};
use crate::claim::{Checked, Claim, Found, Run, difference, worst};
use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Real, conjugate_gradients,
};

use super::dam;

/// Number of iterates compared.
const COUNT: usize = 20;

pub(super) fn iterates_agree(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let side = run.given.grid.unwrap_or(dam::side(run.quick));
    let system = dam::first_system(side)?;
    let expected = iterates(&system)?;
    // After k iterations conjugate gradients have solved a system of k unknowns, the given one on the space of their k
    // directions. Each iteration rounds its direction, its product and two scalars, which changes that system by a
    // relative error of about ε, and so its solution by ε times its condition number. (To first order: not a theorem,
    // but fixed before anything is run on the GPU.)
    let condition = condition(&system, &expected);
    let bound = COUNT as f64 * condition * f64::from(f32::EPSILON);
    let mut solver = GpuSolver::new(run.machine, system.size, Settings::default())?;
    solver.set_up(&system, &vec![0.0; system.cells()])?;
    let iterate = |count| {
        solver.start_from_zero();
        solver.iterate(&Criteria::exactly(count))?;
        solver.read_back()
    };
    let found = (0..=COUNT).map(iterate).collect::<Result<Vec<_>, _>>()?;
    let in_single = iterates(&system.map(|entry| entry as f32))?;
    let mut result = Found::new()
        .at_most("largest relative difference", off(&found, &expected), bound)
        .shows("the same in single precision on the CPU", off(&in_single, &expected))
        .shows("unknowns", system.unknowns() as f64)
        .because(
            "The bound is the number of iterations times ε times the condition number on the space of their \
             directions.",
        );
    if run.given.grid.is_some() {
        result = result.expecting(claim.paper);
    }
    Ok(result)
}

/// Largest relative difference of an iterate after the start.
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

/// A bound of the condition number of D⁻¹A on the space of the directions d from iterate to iterate.
///
/// These are conjugate. If each is scaled so that dᵀA d = 1, the inverse is the matrix of all dᵢᵀD dⱼ, whose largest
/// eigenvalue is at most its Frobenius norm. That of D⁻¹A is at most 2: no row's off-diagonal entries sum to more than
/// its diagonal one.
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
