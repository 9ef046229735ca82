//! Conjugate gradients, with and without a preconditioner.
//!
//! bolz2003 §3.1 takes the method from Shewchuk (1994, p. 50). [`Workspace::recursion`] is that method. Its
//! residual r ← r − α A p drifts from b − A x. In single precision on an ill-conditioned matrix, the recursion
//! may reach a residual that the solution does not have. Therefore [`Workspace::solve`] never trusts the
//! recursion alone:
//!
//! 1. A *cycle* iterates until the recursive residual is within the tolerance, or has had no new smallest
//!    value for [`Criteria::patience`] iterations.
//! 2. The residual is then computed again as b − A x, in the space's own precision. If it is within
//!    the tolerance, the solve has converged.
//! 3. If not, but it is at most half of the previous cycle's, it replaces the recursive residual, and
//!    another cycle starts from it.
//! 4. Otherwise the precision is exhausted: the solve has stagnated, and x is the better of the last
//!    two cycles' results.
//!
//! Without a preconditioner an iteration costs one product and two reductions; with one, one product, one
//! preconditioning and three reductions. Starting costs one product and two reductions, a verification one
//! product and one reduction.

use super::super::space::{Operator, VectorSpace};
use super::super::stopping::{Criteria, Outcome, Reason};
use super::lanczos::Coefficients;
use super::record::{LinearSystem, Progress, Record, Shown};

/// Solves A x = b for a symmetric positive definite A, starting from the given x.
///
/// `preconditioner` applies M⁻¹, which must be symmetric positive definite too. `observer` is called once
/// before the first iteration and once after each. If b is zero, the relative tolerance refers to the first
/// residual instead: x may contain prescribed values, which act as a right-hand side. After
/// [`Reason::MaximumIterations`], the two indefinite reasons and [`Reason::NotFinite`], x is the result of the
/// last complete iteration.
/// A system that cannot be solved is not an error but a [`Reason`] in the [`Outcome`].
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
    let system = LinearSystem { space, operator, preconditioner, b };
    Workspace::new(space)?.solve(&system, x, criteria, observer)
}

/// The vectors of conjugate gradients other than b and x. Keep them to solve repeatedly without allocation.
pub struct Workspace<S: VectorSpace> {
    /// r
    residual: S::Vector,
    /// p
    direction: S::Vector,
    /// A p
    product: S::Vector,
    /// z = M⁻¹ r, allocated by the first solve with a preconditioner.
    preconditioned: Option<S::Vector>,
    /// A cycle's result to fall back to, allocated by the first solve that keeps one.
    kept: Option<S::Vector>,
    coefficients: Coefficients,
    /// β of the direction that the last cycle would have taken next, without a preconditioner.
    next: Option<f64>,
}

/// A record with the square of the first residual.
type Started<'o, V> = (Record<'o, V>, f64);

impl<S: VectorSpace> Workspace<S> {
    /// Vectors of this space.
    pub fn new(space: &S) -> Result<Self, S::Error> {
        Ok(Self {
            residual: space.zeros()?,
            direction: space.zeros()?,
            product: space.zeros()?,
            preconditioned: None,
            kept: None,
            coefficients: Default::default(),
            next: None,
        })
    }

    /// Solves as [`conjugate_gradients`] does, with verification, in these vectors. All vectors must be of the
    /// workspace's space; results of an earlier solve in them do not matter.
    pub fn solve(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &mut S::Vector,
        criteria: &Criteria,
        mut observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        let space = system.space;
        let (mut record, mut squared) = self.start(system, x, criteria, &mut observer)?;
        // Norm of the vector that is kept.
        let mut best: Option<f64> = None;
        let mut replacements = 0;
        let (reason, verified) = loop {
            let norm = squared.sqrt();
            if !norm.is_finite() || !record.scale.is_finite() {
                break (Reason::NotFinite, Some(norm));
            }
            if norm <= record.tolerance {
                break (Reason::Converged, Some(norm));
            }
            // The initial x is not a result: no copy of it is kept.
            if record.iterations > 0 {
                let kept = match &mut self.kept {
                    Some(kept) => kept,
                    none => none.insert(space.zeros()?),
                };
                if let Some(best) = best.filter(|best| norm > best / 2.0) {
                    if best < norm {
                        space.copy(kept, x)?;
                    }
                    break (Reason::Stagnated, Some(norm.min(best)));
                }
                space.copy(x, kept)?;
                best = Some(norm);
                replacements += 1;
            }
            match self.cycle(system, x, &mut record, squared, None)? {
                Reason::Converged | Reason::Stagnated => {}
                reason => break (reason, None),
            }
            squared = system.residual(x, &mut self.residual)?;
        };
        Ok(record.outcome(reason, verified, replacements))
    }

    /// The method without verification: [`Reason::Converged`] refers to the recursive residual. Use it when you
    /// verify b − A x yourself.
    pub fn recursion(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &mut S::Vector,
        criteria: &Criteria,
        observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        self.correction(system, x, criteria, None, observer)
    }

    /// As [`Self::recursion`], for a correction d, starting from d = 0, to an x that is stored elsewhere.
    ///
    /// With a factor, b is the residual of the previous correction times the factor, and the method continues
    /// in its next direction. Restarting at each correction would lose what the method has learnt about the
    /// matrix (G. L. G. Sleijpen and H. A. van der Vorst, *Reliable updated residuals in hybrid Bi-CG methods*,
    /// 1996). The relative tolerance refers to the largest residual so far ([`Criteria::of_largest`]).
    pub fn correction(
        &mut self,
        system: &LinearSystem<'_, S>,
        d: &mut S::Vector,
        criteria: &Criteria,
        factor: Option<f64>,
        mut observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        let next = self.next.take().zip(factor);
        let beta = next.map(|(beta, factor)| beta * factor);
        let (mut record, squared) = self.start(system, d, criteria, &mut observer)?;
        let reason = match record.at_start() {
            Some(reason) => reason,
            None => self.cycle(system, d, &mut record, squared, beta)?,
        };
        Ok(record.outcome(reason, None, 0))
    }

    /// A lower bound of the condition number of M⁻¹A, from the longest cycle so far; longer cycles give better
    /// bounds. `None` before the second iteration.
    pub fn condition(&self) -> Option<f64> {
        self.coefficients.condition()
    }

    fn start<'o>(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &S::Vector,
        criteria: &Criteria,
        observer: Shown<'o, S::Vector>,
    ) -> Result<Started<'o, S::Vector>, S::Error> {
        if system.preconditioner.is_some() && self.preconditioned.is_none() {
            self.preconditioned = Some(system.space.zeros()?);
        }
        Record::start(system, x, &mut self.residual, criteria, observer)
    }

    /// The method as Shewchuk lists it. It starts from the residual r with rᵀr = `squared` and the direction z
    /// + `beta` p, or z. It ends when the recursion converges, stagnates or breaks down.
    fn cycle(
        &mut self,
        system: &LinearSystem<'_, S>,
        x: &mut S::Vector,
        record: &mut Record<'_, S::Vector>,
        mut squared: f64,
        mut beta: Option<f64>,
    ) -> Result<Reason, S::Error> {
        let (space, criteria) = (system.space, record.criteria);
        let (r, p, q) = (&mut self.residual, &mut self.direction, &mut self.product);
        // Without a preconditioner the norm is always known.
        let every = system.preconditioner.map_or(1, |_| criteria.norm_every.max(1));
        if beta.is_none() {
            self.coefficients.start();
        }
        self.next = None;
        record.start_cycle();
        let mut before: Option<[f64; 2]> = None;
        loop {
            // z ← M⁻¹ r; δ = rᵀz. Without a preconditioner z is r, and δ the known rᵀr.
            let (z, delta) = match (system.preconditioner, &mut self.preconditioned) {
                (Some(preconditioner), Some(z)) => {
                    preconditioner.apply(space, r, z)?;
                    let delta = space.dot(r, z)?;
                    (&*z, delta)
                }
                _ => (&*r, squared),
            };
            if let Some([alpha, before]) = before {
                beta = Some(delta / before);
                self.coefficients.push(alpha, delta / before);
            }
            match beta {
                Some(beta) => space.xpby(p, beta, z)?, // p ← z + β p
                None => space.copy(z, p)?,
            }
            let is_last = record.iterations == criteria.max_iterations;
            let is_due = is_last || record.iterations.is_multiple_of(every);
            if every > 1 && before.is_some() && is_due {
                let norm = space.dot(r, r)?.sqrt();
                if let Some(reason) = record.push(norm, x) {
                    return Ok(reason);
                }
            }
            if is_last {
                return Ok(Reason::MaximumIterations);
            }
            if let Some(reason) = not_positive(delta, Reason::IndefinitePreconditioner) {
                return Ok(reason);
            }
            system.operator.apply(space, p, q)?; // q ← A p
            let curvature = space.dot(p, q)?;
            if let Some(reason) = not_positive(curvature, Reason::Indefinite) {
                return Ok(reason);
            }
            let alpha = delta / curvature;
            space.axpy(x, alpha, p)?;
            space.axpy(r, -alpha, q)?;
            before = Some([alpha, delta]);
            record.iterations += 1;
            if every == 1 {
                squared = space.dot(r, r)?;
                if let Some(reason) = record.push(squared.sqrt(), x) {
                    let goes_on = system.preconditioner.is_none() && reason.is_converged();
                    self.next = goes_on.then_some(squared / delta);
                    return Ok(reason);
                }
                if record.iterations == criteria.max_iterations {
                    return Ok(Reason::MaximumIterations);
                }
            }
        }
    }
}

/// The reason to stop if a number that must be positive is not.
fn not_positive(number: f64, reason: Reason) -> Option<Reason> {
    match number {
        _ if !number.is_finite() => Some(Reason::NotFinite),
        _ if number <= 0.0 => Some(reason),
        _ => None,
    }
}
