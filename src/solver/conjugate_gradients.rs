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
    let system = LinearSystem {
        space,
        operator,
        preconditioner,
        b,
    };
    Workspace::new(space)?.solve(&system, x, criteria, observer)
}

/// A x = b, with M⁻¹ where there is one.
pub struct LinearSystem<'a, S: VectorSpace> {
    /// Where x and b live.
    pub space: &'a S,
    /// A
    pub operator: &'a dyn Operator<S>,
    /// M⁻¹
    pub preconditioner: Option<&'a dyn Operator<S>>,
    /// b
    pub b: &'a S::Vector,
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
        let (space, b) = (system.space, system.b);
        if system.preconditioner.is_some() && self.preconditioned.is_none() {
            self.preconditioned = Some(space.zeros()?);
        }
        let norm_of_b = space.dot(b, b)?.sqrt();
        let mut run = Run {
            system,
            vectors: self,
            criteria,
            observer,
            tolerance: 0.0,
            target: 0.0,
            residual_squared: 0.0,
            history: Vec::new(),
        };

        // The norm of the vector that is kept.
        let mut best: Option<f64> = None;
        let mut replacements = 0;
        let mut norm = run.compute_residual(x)?;
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
                if let Some(best) = best.filter(|best| norm > best / 2.0) {
                    if best < norm {
                        run.fall_back(x)?;
                    }
                    break (Reason::Stagnated, Some(norm.min(best)));
                }
                run.keep(x)?;
                best = Some(norm);
                replacements += 1;
            }
            if let Some(reason) = run.cycle(x)? {
                break (reason, None);
            }
            norm = run.compute_residual(x)?;
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
}

/// The recursion and its history.
struct Run<'a, S: VectorSpace, O> {
    system: &'a LinearSystem<'a, S>,
    vectors: &'a mut Workspace<S>,
    criteria: &'a Criteria,
    observer: O,
    /// The residual norm at which the system is solved.
    tolerance: f64,
    /// The residual norm that ends a cycle.
    target: f64,
    /// rᵀr
    residual_squared: f64,
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

    /// Keeps a copy of x.
    fn keep(&mut self, x: &S::Vector) -> Result<(), S::Error> {
        let space = self.system.space;
        let copy = match self.vectors.kept.take() {
            Some(vector) => vector,
            None => space.zeros()?,
        };
        space.copy(x, self.vectors.kept.insert(copy))
    }

    /// x ← the copy that was kept.
    fn fall_back(&self, x: &mut S::Vector) -> Result<(), S::Error> {
        match &self.vectors.kept {
            Some(kept) => self.system.space.copy(kept, x),
            None => Ok(()),
        }
    }

    /// r ← b − A x; its norm.
    fn compute_residual(&mut self, x: &S::Vector) -> Result<f64, S::Error> {
        let (system, v) = (self.system, &mut *self.vectors);
        system.operator.apply(system.space, x, &mut v.product)?;
        let space = system.space;
        space.subtract(system.b, &v.product, &mut v.residual)?;
        self.residual_squared = space.dot(&v.residual, &v.residual)?;
        Ok(self.residual_norm())
    }

    /// z ← M⁻¹ r; rᵀz, which without a preconditioner is the rᵀr that is known already.
    fn precondition(&mut self) -> Result<f64, S::Error> {
        let (space, v) = (self.system.space, &mut *self.vectors);
        match (self.system.preconditioner, &mut v.preconditioned) {
            (Some(preconditioner), Some(z)) => {
                preconditioner.apply(space, &v.residual, z)?;
                space.dot(&v.residual, z)
            }
            _ => Ok(self.residual_squared),
        }
    }

    /// p ← z + β p, or z where there is no p yet. Without a preconditioner z is r itself.
    fn turn(&mut self, beta: Option<f64>) -> Result<(), S::Error> {
        let v = &mut *self.vectors;
        let z = match (self.system.preconditioner, &v.preconditioned) {
            (Some(_), Some(z)) => z,
            _ => &v.residual,
        };
        match beta {
            Some(beta) => self.system.space.xpby(&mut v.direction, beta, z),
            None => self.system.space.copy(z, &mut v.direction),
        }
    }

    /// x ← x + α p, r ← r − α A p with α = rᵀz / pᵀAp.
    fn step(&mut self, x: &mut S::Vector, alpha: f64) -> Result<(), S::Error> {
        let (space, v) = (self.system.space, &mut *self.vectors);
        space.axpy(x, alpha, &v.direction)?;
        space.axpy(&mut v.residual, -alpha, &v.product)?;
        self.residual_squared = space.dot(&v.residual, &v.residual)?;
        self.record(x);
        Ok(())
    }

    /// q ← A p; pᵀAp.
    fn curvature(&mut self) -> Result<f64, S::Error> {
        let (space, v) = (self.system.space, &mut *self.vectors);
        let operator = self.system.operator;
        operator.apply(space, &v.direction, &mut v.product)?;
        space.dot(&v.direction, &v.product)
    }

    /// Iterates from the present residual until the recursion reaches the target or loses patience
    /// (`None`: b − A x is now to be looked at), or until there is a reason to stop.
    fn cycle(&mut self, x: &mut S::Vector) -> Result<Option<Reason>, S::Error> {
        let (mut smallest, mut smallest_at) = (f64::INFINITY, self.iterations());
        let mut rz = self.precondition()?;
        self.turn(None)?;
        while self.iterations() < self.criteria.max_iterations {
            if let Some(reason) = unless_positive(rz, Reason::IndefinitePreconditioner) {
                return Ok(Some(reason));
            }
            let curvature = self.curvature()?;
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
            if self.iterations() >= self.criteria.max_iterations {
                break;
            }
            let previous = std::mem::replace(&mut rz, self.precondition()?);
            self.turn(Some(rz / previous))?;
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
