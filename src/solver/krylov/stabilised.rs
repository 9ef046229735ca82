//! BiCGSTAB: biconjugate gradients without the transpose, smoothed.
//!
//! The shadow residual stays the first one, r̂; what BiCG would do with the transpose is done by a second
//! product with A instead, after which a step of length ω along the residual makes that as short as it
//! can. An iteration costs two products and five reductions.

use super::super::space::VectorSpace;
use super::super::stopping::{Criteria, Outcome, Reason};
use super::record::{LinearSystem, Progress, precondition, start, unless_usable};

/// Iterates for A x = b from the x given, and takes the recursion at its word: nothing is verified, and
/// [`Reason::Converged`] is what the recursion says. `observer` is called once before the first iteration
/// and once after each. The preconditioner acts from the right: residuals are those of A x = b.
///
/// Source: H. A. van der Vorst, *Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the
/// solution of nonsymmetric linear systems*, 1992.
pub fn stabilised_biconjugate_gradients<S: VectorSpace>(
    system: &LinearSystem<'_, S>,
    x: &mut S::Vector,
    criteria: &Criteria,
    observer: impl FnMut(&Progress<'_, S::Vector>),
) -> Result<Outcome, S::Error> {
    let space = system.space;
    let (mut record, mut r) = start(system, x, criteria, observer)?;
    if let Some(reason) = record.at_start() {
        return Ok(record.outcome(reason, None, 0));
    }
    let [mut p, mut v, mut t] = [space.zeros()?, space.zeros()?, space.zeros()?];
    let [mut shadow, mut z] = [space.zeros()?, space.zeros()?];
    space.copy(&r, &mut shadow)?;
    let [mut rho, mut alpha, mut omega] = [1.0; 3];
    let mut smallest = (f64::INFINITY, 0);
    let reason = loop {
        if record.iterations == criteria.max_iterations {
            break Reason::MaximumIterations;
        }
        let next = space.dot(&shadow, &r)?;
        if let Some(reason) = unless_usable(next) {
            break reason;
        }
        // p ← r + β (p − ω v)
        let beta = next / rho * (alpha / omega);
        rho = next;
        space.axpy(&mut p, -omega, &v)?;
        space.xpby(&mut p, beta, &r)?;
        precondition(space, system.preconditioner, &p, &mut z)?;
        system.operator.apply(space, &z, &mut v)?;
        let along = space.dot(&shadow, &v)?;
        if let Some(reason) = unless_usable(along) {
            break reason;
        }
        alpha = rho / along;
        space.axpy(x, alpha, &z)?;
        space.axpy(&mut r, -alpha, &v)?;

        precondition(space, system.preconditioner, &r, &mut z)?;
        system.operator.apply(space, &z, &mut t)?;
        let length = space.dot(&t, &t)?;
        // Zero where the half step was all: its residual is.
        omega = match length {
            0.0 => 0.0,
            length => space.dot(&t, &r)? / length,
        };
        space.axpy(x, omega, &z)?;
        space.axpy(&mut r, -omega, &t)?;
        record.iterations += 1;
        let norm = space.dot(&r, &r)?.sqrt();
        if let Some(end) = record.look(norm, x, &mut smallest, criteria) {
            break end.unwrap_or_else(|| record.word());
        }
        if let Some(reason) = unless_usable(omega) {
            break reason;
        }
    };
    Ok(record.outcome(reason, None, 0))
}
