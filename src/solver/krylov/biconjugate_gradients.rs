//! Biconjugate gradients for matrices that are not symmetric, with products with the transpose.
//!
//! bolz2003 §3.1 names the transposed product and its cost in textures: a second, explicit matrix, padded so
//! that both have rows of the same length. The method that needs it is Fletcher's: besides r and p it updates
//! shadows r̃ and p̃, to which the transpose is applied, and α = r̃ᵀz / p̃ᵀAp, β = r̃ᵀz (new) / r̃ᵀz (old) make
//! r orthogonal to all previous shadows.
//!
//! An iteration costs two products, three reductions and, with a preconditioner, two applications of it.
//! Nothing is minimised, so the residual may jump, and r̃ᵀz or p̃ᵀAp may vanish before the residual does
//! ([`Reason::Breakdown`]).

use super::super::space::{Operator, VectorSpace};
use super::super::stopping::{Criteria, Outcome, Reason};
use super::record::{LinearSystem, Progress, Record, breakdown, precondition};

/// Aᵀ, and M⁻ᵀ if there is a preconditioner.
pub struct Transposed<'a, S: VectorSpace> {
    /// Aᵀ
    pub operator: &'a dyn Operator<S>,
    /// M⁻ᵀ; for a diagonal, M⁻¹ itself.
    pub preconditioner: Option<&'a dyn Operator<S>>,
}

/// Iterates for A x = b from the given x. The recursive residual is not verified: [`Reason::Converged`] refers
/// to it alone. `observer` is called once before the first iteration and once after each.
///
/// Source: R. Fletcher, *Conjugate gradient methods for indefinite systems*, 1976; with a preconditioner
/// as in R. Barrett et al., *Templates for the solution of linear systems*, 1994, §2.3.5.
pub fn biconjugate_gradients<S: VectorSpace>(
    system: &LinearSystem<'_, S>,
    transposed: &Transposed<'_, S>,
    x: &mut S::Vector,
    criteria: &Criteria,
    mut observer: impl FnMut(&Progress<'_, S::Vector>),
) -> Result<Outcome, S::Error> {
    let space = system.space;
    let [mut r, mut p, mut q] = [space.zeros()?, space.zeros()?, space.zeros()?];
    let (mut record, _) = Record::start(system, x, &mut r, criteria, &mut observer)?;
    if let Some(reason) = record.at_start() {
        return Ok(record.outcome(reason, None, 0));
    }
    let [mut shadow, mut z, mut shadow_z] = [space.zeros()?, space.zeros()?, space.zeros()?];
    let mut shadow_p = space.zeros()?;
    space.copy(&r, &mut shadow)?;
    let (mut rho, mut is_first_shadow) = (0.0, true);
    let reason = loop {
        if record.iterations == criteria.max_iterations {
            break Reason::MaximumIterations;
        }
        system.precondition(&r, &mut z)?;
        precondition(space, transposed.preconditioner, &shadow, &mut shadow_z)?;
        let next = space.dot(&shadow, &z)?;
        if let Some(reason) = breakdown(next) {
            break reason;
        }
        // The first directions are the residuals, because p and its shadow are still zero.
        let beta = if rho == 0.0 { 0.0 } else { next / rho };
        space.xpby(&mut p, beta, &z)?;
        space.xpby(&mut shadow_p, beta, &shadow_z)?;
        rho = next;

        system.operator.apply(space, &p, &mut q)?;
        let curvature = space.dot(&shadow_p, &q)?;
        if curvature == 0.0 && record.iterations == 0 && is_first_shadow {
            // rᵀ A r = 0, for example where b is nonzero only if the diagonal is zero: start with another shadow.
            space.axpy(&mut shadow, 1.0, &q)?;
            (rho, is_first_shadow) = (0.0, false);
            continue;
        }
        if let Some(reason) = breakdown(curvature) {
            break reason;
        }
        let alpha = rho / curvature;
        space.axpy(x, alpha, &p)?;
        space.axpy(&mut r, -alpha, &q)?;
        transposed.operator.apply(space, &shadow_p, &mut q)?;
        space.axpy(&mut shadow, -alpha, &q)?;
        record.iterations += 1;
        let norm = space.dot(&r, &r)?.sqrt();
        if let Some(reason) = record.push_step(space, norm, x, &[(alpha, &p)])? {
            break reason;
        }
    };
    record.restore(space, x)?;
    Ok(record.outcome(reason, None, 0))
}
