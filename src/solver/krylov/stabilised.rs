//! BiCGSTAB: biconjugate gradients without the transpose, smoothed.
//!
//! The shadow residual remains the first one, r̂. In place of BiCG's product with the transpose there is a
//! second product with A, followed by a step of length ω along the residual that minimises it. An iteration
//! costs two products and five reductions.

use super::super::space::VectorSpace;
use super::super::stopping::{Criteria, Outcome, Reason};
use super::record::{LinearSystem, Progress, Record, breakdown};

/// Iterates for A x = b from the given x. The recursive residual is not verified: [`Reason::Converged`] refers
/// to it alone. `observer` is called once before the first iteration and once after each. The preconditioner is
/// applied from the right: residuals are those of A x = b.
///
/// Source: H. A. van der Vorst, *Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the
/// solution of nonsymmetric linear systems*, 1992.
pub fn stabilised_biconjugate_gradients<S: VectorSpace>(
    system: &LinearSystem<'_, S>,
    x: &mut S::Vector,
    criteria: &Criteria,
    mut observer: impl FnMut(&Progress<'_, S::Vector>),
) -> Result<Outcome, S::Error> {
    let space = system.space;
    let [mut r, mut p, mut v] = [space.zeros()?, space.zeros()?, space.zeros()?];
    let [mut shadow, mut z, mut t] = [space.zeros()?, space.zeros()?, space.zeros()?];
    let mut half = space.zeros()?;
    let (mut record, _) = Record::start(system, x, &mut r, criteria, &mut observer)?;
    if let Some(reason) = record.at_start() {
        return Ok(record.outcome(reason, None, 0));
    }
    space.copy(&r, &mut shadow)?;
    let [mut rho, mut alpha, mut omega] = [1.0; 3];
    let reason = loop {
        if record.iterations == criteria.max_iterations {
            break Reason::MaximumIterations;
        }
        let next = space.dot(&shadow, &r)?;
        if let Some(reason) = breakdown(next) {
            break reason;
        }
        // p ← r + β (p − ω v)
        let beta = next / rho * (alpha / omega);
        rho = next;
        space.axpy(&mut p, -omega, &v)?;
        space.xpby(&mut p, beta, &r)?;
        system.precondition(&p, &mut half)?;
        system.operator.apply(space, &half, &mut v)?;
        let mut along = space.dot(&shadow, &v)?;
        if along == 0.0 && record.iterations == 0 {
            // rᵀ A r = 0, for example where b is nonzero only if the diagonal is zero: another shadow with the same rᵀ r̂.
            space.axpy(&mut shadow, 1.0, &v)?;
            along = space.dot(&shadow, &v)?;
        }
        if let Some(reason) = breakdown(along) {
            break reason;
        }
        alpha = rho / along;
        space.axpy(x, alpha, &half)?;
        space.axpy(&mut r, -alpha, &v)?;

        system.precondition(&r, &mut z)?;
        system.operator.apply(space, &z, &mut t)?;
        let length = space.dot(&t, &t)?;
        // Zero if the half step has already reached the solution, with its zero residual.
        omega = match length {
            0.0 => 0.0,
            length => space.dot(&t, &r)? / length,
        };
        space.axpy(x, omega, &z)?;
        space.axpy(&mut r, -omega, &t)?;
        record.iterations += 1;
        let norm = space.dot(&r, &r)?.sqrt();
        let step = [(alpha, &half), (omega, &z)];
        if let Some(reason) = record.push_step(space, norm, x, &step)? {
            break reason;
        }
        if let Some(reason) = breakdown(omega) {
            break reason;
        }
    };
    record.restore(space, x)?;
    Ok(record.outcome(reason, None, 0))
}
