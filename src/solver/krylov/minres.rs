//! MINRES: the smallest residual of all Krylov methods, for symmetric matrices that need not be definite.
//!
//! Lanczos' process gives orthonormal v_k with A V_k = V_{k+1} T_k for a tridiagonal T_k (α_k on the diagonal, β_k
//! next to it). Givens rotations reduce T_k to a triangle with three diagonals, column by column, and the directions
//! W_k = V_k R_k⁻¹ follow by a recurrence of three terms. ‖b − A x‖ falls monotonically and cannot break down before
//! it is zero, unless A is singular.
//!
//! An iteration costs one product, two reductions and five passes over vectors. The vector u = β v is stored in place of
//! v, so that no pass only normalises.

use super::super::space::VectorSpace;
use super::super::stopping::{Criteria, Outcome, Reason};
use super::record::{LinearSystem, Progress, Record};

/// Iterates for A x = b from the given x, without the system's preconditioner. The recursive residual is not verified:
/// [`Reason::Converged`] refers to it alone. `observer` is called once before the first iteration and once after each.
///
/// Source: C. C. Paige and M. A. Saunders, *Solution of sparse indefinite systems of linear equations*, 1975.
pub fn minimal_residuals<S: VectorSpace>(
    system: &LinearSystem<'_, S>,
    x: &mut S::Vector,
    criteria: &Criteria,
    mut observer: impl FnMut(&Progress<'_, S::Vector>),
) -> Result<Outcome, S::Error> {
    let space = system.space;
    let [mut u, mut before, mut q] = [space.zeros()?, space.zeros()?, space.zeros()?];
    let (mut record, squared) = Record::start(system, x, &mut u, criteria, &mut observer)?;
    if let Some(reason) = record.at_start() {
        return Ok(record.outcome(reason, None, 0));
    }
    let [mut w, mut w_before] = [space.zeros()?, space.zeros()?];
    // ‖u‖ and that of the one before; the residual with its sign; the last two rotations.
    let (mut beta, mut beta_before) = (squared.sqrt(), 1.0);
    let mut residual = beta;
    let [mut rotation, mut rotation_before] = [[1.0, 0.0]; 2];
    let mut off_diagonal = 0.0;
    let reason = loop {
        if record.iterations == criteria.max_iterations {
            break Reason::MaximumIterations;
        }
        // u ← A v − α v − β v (before)
        system.operator.apply(space, &u, &mut q)?;
        space.axpby(&mut before, -off_diagonal / beta_before, 1.0 / beta, &q)?;
        let alpha = space.dot(&u, &before)? / beta;
        space.axpy(&mut before, -alpha / beta, &u)?;
        let next = space.dot(&before, &before)?.sqrt();
        if !next.is_finite() {
            break Reason::NotFinite;
        }
        // The column of T, rotated twice, and the rotation that removes what is below its diagonal.
        let [[cosine, sine], [cosine_before, sine_before]] = [rotation, rotation_before];
        let turned = cosine_before * off_diagonal;
        let third = sine_before * off_diagonal;
        let second = cosine * turned + sine * alpha;
        let left = cosine * alpha - sine * turned;
        let diagonal = left.hypot(next);
        if diagonal == 0.0 {
            break Reason::Breakdown;
        }
        rotation_before = rotation;
        rotation = [left / diagonal, next / diagonal];
        // w ← (v − second w − third w (before)) / diagonal
        space.axpby(&mut w_before, -third / diagonal, 1.0 / (beta * diagonal), &u)?;
        space.axpy(&mut w_before, -second / diagonal, &w)?;
        std::mem::swap(&mut w, &mut w_before);
        space.axpy(x, rotation[0] * residual, &w)?;
        residual *= -rotation[1];
        std::mem::swap(&mut u, &mut before);
        (beta_before, beta, off_diagonal) = (beta, next, next);
        record.iterations += 1;
        if let Some(reason) = record.push(residual.abs(), x) {
            break reason;
        }
    };
    Ok(record.outcome(reason, None, 0))
}
