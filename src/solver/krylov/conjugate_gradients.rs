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

use super::super::space::{Operator, VectorSpace};
use super::super::stopping::{Criteria, Outcome, Reason};
use super::lanczos::Coefficients;
use super::record::{LinearSystem, Progress, Record};

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
    let system = LinearSystem {
        space,
        operator,
        preconditioner,
        b,
    };
    Workspace::new(space)?.solve(&system, x, criteria, observer)
}

/// The vectors that conjugate gradients work with beside b and x: kept by whoever solves again and
/// again, so that no solve allocates any.
pub struct Workspace<S: VectorSpace> {
    /// r
    residual: S::Vector,
    /// p
    direction: S::Vector,
    /// A p
    product: S::Vector,
    /// z = M⁻¹ r, from the first solve with a preconditioner on.
    preconditioned: Option<S::Vector>,
    /// A cycle's result to fall back to, from the first solve that has kept one on.
    kept: Option<S::Vector>,
    coefficients: Coefficients,
    /// β of the direction in which the last cycle would have gone on, without a preconditioner.
    next: Option<f64>,
    /// β of the first direction of the next cycle.
    first: Option<f64>,
    is_correction: bool,
}

impl<S: VectorSpace> Workspace<S> {
    /// Vectors of this space.
    ///
    /// # Errors
    /// What the space reports.
    pub fn new(space: &S) -> Result<Self, S::Error> {
        Ok(Self {
            residual: space.zeros()?,
            direction: space.zeros()?,
            product: space.zeros()?,
            preconditioned: None,
            kept: None,
            coefficients: Default::default(),
            next: None,
            first: None,
            is_correction: false,
        })
    }

    /// As [`conjugate_gradients`], in these vectors. All must be of the workspace's space; what an
    /// earlier solve has left in them does not matter.
    pub fn solve(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &mut S::Vector,
        criteria: &Criteria,
        observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        let space = system.space;
        let (mut record, mut squared) = self.start(system, x, criteria, observer)?;
        let tolerance = record.tolerance;
        // The norm of the vector that is kept.
        let mut best: Option<f64> = None;
        let mut replacements = 0;
        let (reason, verified) = loop {
            let norm = squared.sqrt();
            if !norm.is_finite() || !record.scale.is_finite() {
                break (Reason::NotFinite, Some(norm));
            }
            if norm <= tolerance {
                break (Reason::Converged, Some(norm));
            }
            // The start is no result: no copy of it is kept to fall back to.
            if record.iterations > 0 {
                if let Some(best) = best.filter(|best| norm > best / 2.0) {
                    if best < norm {
                        self.fall_back(space, x)?;
                    }
                    break (Reason::Stagnated, Some(norm.min(best)));
                }
                self.keep(space, x)?;
                best = Some(norm);
                replacements += 1;
            }
            if let Some(reason) = self.iterate(system, x, squared, criteria, &mut record)? {
                break (reason, None);
            }
            squared = self.replace_residual(system, x)?;
        };
        Ok(record.outcome(reason, verified, replacements))
    }

    /// One cycle alone, which takes the recursion at its word: nothing is verified, and so
    /// [`Reason::Converged`] is what the recursion says. For who computes b − A x by other means.
    pub fn recursion(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &mut S::Vector,
        criteria: &Criteria,
        observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        let (mut record, squared) = self.start(system, x, criteria, observer)?;
        let reason = match record.at_start() {
            Some(reason) => reason,
            None => {
                let end = self.iterate(system, x, squared, criteria, &mut record)?;
                end.unwrap_or_else(|| record.word())
            }
        };
        Ok(record.outcome(reason, None, 0))
    }

    /// As [`Self::recursion`], for a correction d to an x that is kept elsewhere, from d = 0.
    ///
    /// With a factor, b is what the correction before has left, times the factor, and the method goes on in
    /// the direction that it would have taken next: if each correction started again, all that the method has
    /// learnt of the matrix would be lost (G. L. G. Sleijpen and H. A. van der Vorst, *Reliable updated
    /// residuals in hybrid Bi-CG methods*, 1996). The relative tolerance is one of the largest residual on
    /// the way: what rounding leaves is a share of that.
    pub fn correction(
        &mut self,
        system: &LinearSystem<'_, S>,
        d: &mut S::Vector,
        criteria: &Criteria,
        factor: Option<f64>,
        observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        let next = self.next.take().zip(factor);
        self.first = next.map(|(beta, factor)| beta * factor);
        self.is_correction = true;
        let outcome = self.recursion(system, d, criteria, observer);
        self.is_correction = false;
        outcome
    }

    /// A lower bound of the condition number of M⁻¹A, from the longest cycle so far: the closer the longer
    /// that was. `None` before the second iteration.
    pub fn condition(&self) -> Option<f64> {
        self.coefficients.condition()
    }

    /// What comes before the first iteration: the tolerance, the residual r = b − A x, rᵀr.
    fn start<O: FnMut(&Progress<'_, S::Vector>)>(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &S::Vector,
        criteria: &Criteria,
        observer: O,
    ) -> Result<(Record<O>, f64), S::Error> {
        let (space, b) = (system.space, system.b);
        if system.preconditioner.is_some() && self.preconditioned.is_none() {
            self.preconditioned = Some(space.zeros()?);
        }
        let norm_of_b = space.dot(b, b)?.sqrt();
        let squared = self.replace_residual(system, x)?;
        let scale = match norm_of_b {
            // NaN is no scale, and stays one.
            0.0 => squared.sqrt(),
            norm => norm,
        };
        let mut record = Record::new(observer, scale, criteria);
        record.push(squared.sqrt(), x);
        Ok((record, squared))
    }

    /// The method itself, as Shewchuk lists it: from the residual r with rᵀr = `squared` until the
    /// recursion reaches the target or loses patience (`None`: b − A x is now to be looked at), or
    /// until there is a reason to stop.
    fn iterate<O: FnMut(&Progress<'_, S::Vector>)>(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &mut S::Vector,
        mut squared: f64,
        criteria: &Criteria,
        record: &mut Record<O>,
    ) -> Result<Option<Reason>, S::Error> {
        let (space, a) = (system.space, system.operator);
        let (r, p, q) = (&mut self.residual, &mut self.direction, &mut self.product);
        let every = match system.preconditioner {
            Some(_) => criteria.norm_every.max(1),
            None => 1,
        };
        let mut smallest = (f64::INFINITY, record.iterations);
        let (z, mut delta) = precondition(system, r, squared, &mut self.preconditioned)?;
        if let Some(beta) = self.first.take() {
            space.xpby(p, beta, z)?;
        } else {
            space.copy(z, p)?;
            self.coefficients.start();
        }
        self.next = None;
        while record.iterations < criteria.max_iterations {
            if let Some(reason) = unless_positive(delta, Reason::IndefinitePreconditioner) {
                return Ok(Some(reason));
            }
            a.apply(space, p, q)?;
            let curvature = space.dot(p, q)?;
            if let Some(reason) = unless_positive(curvature, Reason::Indefinite) {
                return Ok(Some(reason));
            }
            let alpha = delta / curvature;
            space.axpy(x, alpha, p)?;
            space.axpy(r, -alpha, q)?;
            record.iterations += 1;
            let is_last = record.iterations == criteria.max_iterations;

            if every == 1 {
                squared = space.dot(r, r)?;
                if self.is_correction {
                    record.target = record.target.max(criteria.rtol * squared.sqrt());
                }
                if let Some(end) = record.look(squared.sqrt(), x, &mut smallest, criteria) {
                    let is_next = system.preconditioner.is_none() && record.last() <= record.target;
                    self.next = is_next.then_some(squared / delta);
                    return Ok(end);
                }
                if is_last {
                    break;
                }
            }
            let (z, next) = precondition(system, r, squared, &mut self.preconditioned)?;
            let beta = next / delta;
            self.coefficients.push(alpha, beta);
            space.xpby(p, beta, z)?;
            delta = next;
            if every > 1 && (is_last || record.iterations.is_multiple_of(every)) {
                let norm = space.dot(r, r)?.sqrt();
                if let Some(end) = record.look(norm, x, &mut smallest, criteria) {
                    return Ok(end);
                }
            }
        }
        Ok(Some(Reason::MaximumIterations))
    }

    /// r ← b − A x; rᵀr.
    fn replace_residual(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &S::Vector,
    ) -> Result<f64, S::Error> {
        let space = system.space;
        system.operator.apply(space, x, &mut self.product)?;
        space.subtract(system.b, &self.product, &mut self.residual)?;
        space.dot(&self.residual, &self.residual)
    }

    /// Keeps a copy of x.
    fn keep(&mut self, space: &S, x: &S::Vector) -> Result<(), S::Error> {
        let copy = match self.kept.take() {
            Some(vector) => vector,
            None => space.zeros()?,
        };
        space.copy(x, self.kept.insert(copy))
    }

    /// x ← the copy that was kept.
    fn fall_back(&self, space: &S, x: &mut S::Vector) -> Result<(), S::Error> {
        match &self.kept {
            Some(kept) => space.copy(kept, x),
            None => Ok(()),
        }
    }
}

/// z ← M⁻¹ r; z and rᵀz. Without a preconditioner z is r, and rᵀz the rᵀr that is known already.
fn precondition<'v, S: VectorSpace>(
    system: &LinearSystem<'_, S>,
    r: &'v S::Vector,
    squared: f64,
    z: &'v mut Option<S::Vector>,
) -> Result<(&'v S::Vector, f64), S::Error> {
    match (system.preconditioner, z) {
        (Some(preconditioner), Some(z)) => {
            preconditioner.apply(system.space, r, z)?;
            let product = system.space.dot(r, z)?;
            Ok((z, product))
        }
        _ => Ok((r, squared)),
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
