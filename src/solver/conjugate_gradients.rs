//! Conjugate gradients, with and without a preconditioner.
//!
//! bolz2003 §3.1 takes the method from Shewchuk (1994, p. 50); this is that method with what a
//! single-precision machine adds to it. The recursion r ← r − α A p drifts away from b − A x, and
//! in single precision on an ill-conditioned matrix it happily reports a residual that the solution
//! does not have. So no solve is called converged on the recursion's word:
//!
//! 1. A *cycle* iterates until the recursion is within the tolerance, or has brought no new smallest
//!    residual for [`Criteria::patience`] iterations.
//! 2. The residual is then computed anew as b − A x, in the space's own precision. If it is within
//!    the tolerance, the solve has converged.
//! 3. If not, but it is at most half of what the previous cycle ended with, it replaces the
//!    recursion's, and another cycle starts from it.
//! 4. Otherwise the precision is exhausted: the solve has stagnated, and x is the better of the last
//!    two cycles' results.
//!
//! An iteration costs one product and two reductions without a preconditioner; one product, one
//! preconditioning and three reductions with one. Starting costs one product and two reductions,
//! a verification one product and one reduction.

use super::space::{Operator, VectorSpace};
use super::stopping::{Criteria, Outcome, Reason};

/// What an observer is shown: the start, and every iteration.
#[derive(Debug)]
pub struct Progress<'a, V> {
    /// How many iterations have been done.
    pub iteration: usize,
    /// The norm of the residual, as the recursion has it.
    pub residual: f64,
    /// The norm at which the system counts as solved.
    pub tolerance: f64,
    /// The iterate.
    pub x: &'a V,
}

/// Solves A x = b for a symmetric positive definite A, starting from the x given.
///
/// `preconditioner` applies M⁻¹, symmetric positive definite too. `observer` is called once before
/// the first iteration and once after each. Where b is zero, the relative tolerance is one of the
/// first residual instead: x may hold known values, which act as a right side of their own.
/// On [`Reason::MaximumIterations`], the two indefinite ones and [`Reason::NotFinite`], x is what the
/// last complete iteration left.
///
/// # Errors
/// What the space or the operators report. A system that cannot be solved is no error but a
/// [`Reason`] in the [`Outcome`].
///
/// Source: bolz2003 §3.1; J. R. Shewchuk, *An introduction to the conjugate gradient method without
/// the agonizing pain*, 1994; the replacement of the residual after H. A. van der Vorst and Q. Ye,
/// *Residual replacement strategies for Krylov subspace iterative methods*, 2000.
pub fn conjugate_gradients<S: VectorSpace>(
    space: &S,
    operator: &dyn Operator<S>,
    preconditioner: Option<&dyn Operator<S>>,
    b: &S::Vector,
    x: &mut S::Vector,
    criteria: &Criteria,
    observer: impl FnMut(&Progress<'_, S::Vector>),
) -> Result<Outcome, S::Error> {
    let norm_of_b = space.dot(b, b)?.sqrt();
    let mut run = Run {
        space,
        operator,
        preconditioner,
        criteria,
        observer,
        tolerance: 0.0,
        target: 0.0,
        residual: space.zeros()?,
        residual_squared: 0.0,
        direction: space.zeros()?,
        product: space.zeros()?,
        preconditioned: preconditioner.map(|_| space.zeros()).transpose()?,
        history: Vec::new(),
    };

    let mut best: Option<Verified<S::Vector>> = None;
    let mut replacements = 0;
    let mut norm = run.compute_residual(b, x)?;
    let scale = if norm_of_b > 0.0 { norm_of_b } else { norm };
    let tolerance = criteria.tolerance(scale);
    run.tolerance = tolerance;
    // No precision verifies less than this, and squares of much less underflow to pᵀAp = 0.
    run.target = tolerance.max(f64::EPSILON * scale);
    run.record(x);
    let (reason, verified) = loop {
        if !norm.is_finite() || !norm_of_b.is_finite() {
            break (Reason::NotFinite, Some(norm));
        }
        if norm <= tolerance {
            break (Reason::Converged, Some(norm));
        }
        // The start is no result: no copy of it is kept to fall back to.
        if run.iterations() > 0 {
            if let Some(best) = best.as_ref().filter(|best| norm > best.norm / 2.0) {
                if best.norm < norm {
                    space.copy(&best.x, x)?;
                }
                break (Reason::Stagnated, Some(norm.min(best.norm)));
            }
            best = Some(Verified::keep(space, best, x, norm)?);
            replacements += 1;
        }
        if let Some(reason) = run.cycle(x)? {
            break (reason, None);
        }
        norm = run.compute_residual(b, x)?;
    };
    Ok(Outcome {
        reason,
        iterations: run.iterations(),
        residual: run.history.last().copied().unwrap_or(norm),
        verified,
        history: run.history,
        replacements,
    })
}

/// A cycle's result, and the norm of its b − A x.
struct Verified<V> {
    x: V,
    norm: f64,
}

impl<V> Verified<V> {
    /// A copy of x, in the vector of `former` if there is one.
    fn keep<S: VectorSpace<Vector = V>>(
        space: &S,
        former: Option<Self>,
        x: &V,
        norm: f64,
    ) -> Result<Self, S::Error> {
        let mut copy = match former {
            Some(former) => former.x,
            None => space.zeros()?,
        };
        space.copy(x, &mut copy)?;
        Ok(Verified { x: copy, norm })
    }
}

/// The recursion, its vectors and its history.
struct Run<'a, S: VectorSpace, O> {
    space: &'a S,
    operator: &'a dyn Operator<S>,
    preconditioner: Option<&'a dyn Operator<S>>,
    criteria: &'a Criteria,
    observer: O,
    /// The residual norm at which the system is solved.
    tolerance: f64,
    /// The residual norm that ends a cycle.
    target: f64,
    /// r
    residual: S::Vector,
    /// rᵀr
    residual_squared: f64,
    /// p
    direction: S::Vector,
    /// A p
    product: S::Vector,
    /// z = M⁻¹ r. Without a preconditioner z is r itself, and there is no second vector.
    preconditioned: Option<S::Vector>,
    history: Vec<f64>,
}

impl<S: VectorSpace, O: FnMut(&Progress<'_, S::Vector>)> Run<'_, S, O> {
    fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    fn residual_norm(&self) -> f64 {
        self.residual_squared.sqrt()
    }

    /// Writes the present residual into the history and shows it to the observer.
    fn record(&mut self, x: &S::Vector) {
        let residual = self.residual_norm();
        self.history.push(residual);
        let progress = Progress {
            iteration: self.iterations(),
            residual,
            tolerance: self.tolerance,
            x,
        };
        (self.observer)(&progress);
    }

    /// r ← b − A x; its norm.
    fn compute_residual(&mut self, b: &S::Vector, x: &S::Vector) -> Result<f64, S::Error> {
        self.operator.apply(self.space, x, &mut self.product)?;
        self.space.subtract(b, &self.product, &mut self.residual)?;
        self.residual_squared = self.space.dot(&self.residual, &self.residual)?;
        Ok(self.residual_norm())
    }

    /// z ← M⁻¹ r; rᵀz, which without a preconditioner is the rᵀr that is known already.
    fn precondition(&mut self) -> Result<f64, S::Error> {
        match (self.preconditioner, &mut self.preconditioned) {
            (Some(preconditioner), Some(z)) => {
                preconditioner.apply(self.space, &self.residual, z)?;
                self.space.dot(&self.residual, z)
            }
            _ => Ok(self.residual_squared),
        }
    }

    /// x ← x + α p, r ← r − α A p with α = rᵀz / pᵀAp.
    fn step(&mut self, x: &mut S::Vector, alpha: f64) -> Result<(), S::Error> {
        self.space.add_scaled(x, alpha, &self.direction)?;
        self.space
            .add_scaled(&mut self.residual, -alpha, &self.product)?;
        self.residual_squared = self.space.dot(&self.residual, &self.residual)?;
        self.record(x);
        Ok(())
    }

    /// Iterates from the present residual until the recursion reaches the target or loses patience
    /// (`None`: b − A x is now to be looked at), or until there is a reason to stop.
    fn cycle(&mut self, x: &mut S::Vector) -> Result<Option<Reason>, S::Error> {
        let (mut smallest, mut smallest_at) = (f64::INFINITY, self.iterations());
        let mut rz = self.precondition()?;
        let z = self.preconditioned.as_ref().unwrap_or(&self.residual);
        self.space.copy(z, &mut self.direction)?;
        while self.iterations() < self.criteria.max_iterations {
            if let Some(reason) = unless_positive(rz, Reason::IndefinitePreconditioner) {
                return Ok(Some(reason));
            }
            self.operator
                .apply(self.space, &self.direction, &mut self.product)?;
            let curvature = self.space.dot(&self.direction, &self.product)?;
            if let Some(reason) = unless_positive(curvature, Reason::Indefinite) {
                return Ok(Some(reason));
            }
            self.step(x, rz / curvature)?;

            let norm = self.residual_norm();
            if !norm.is_finite() {
                return Ok(Some(Reason::NotFinite));
            }
            if norm < smallest {
                (smallest, smallest_at) = (norm, self.iterations());
            }
            if norm <= self.target || self.iterations() - smallest_at >= self.criteria.patience {
                return Ok(None);
            }

            let previous = std::mem::replace(&mut rz, self.precondition()?);
            let z = self.preconditioned.as_ref().unwrap_or(&self.residual);
            self.space
                .scale_and_add(&mut self.direction, rz / previous, z)?;
        }
        Ok(Some(Reason::MaximumIterations))
    }
}

/// The reason to stop where a number that has to be positive is not.
fn unless_positive(number: f64, reason: Reason) -> Option<Reason> {
    match number {
        _ if !number.is_finite() => Some(Reason::NotFinite),
        _ if number <= 0.0 => Some(reason),
        _ => None,
    }
}
