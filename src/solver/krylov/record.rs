//! The common parts of the Krylov methods: the system, the progress, and the record of norms with the stopping
//! test.

use super::super::space::{Operator, VectorSpace};
use super::super::stopping::{Criteria, Outcome, Reason};

/// Progress, passed to an observer at the start and after every iteration.
#[derive(Debug)]
pub struct Progress<'a, V> {
    /// Number of iterations done.
    pub iteration: usize,
    /// Norm of the recursive residual.
    pub residual: f64,
    /// Norm at which the system counts as solved.
    pub tolerance: f64,
    /// The iterate.
    pub x: &'a V,
}

/// A x = b, with M⁻¹ if there is a preconditioner.
pub struct LinearSystem<'a, S: VectorSpace> {
    /// Space of x and b.
    pub space: &'a S,
    /// A
    pub operator: &'a dyn Operator<S>,
    /// M⁻¹
    pub preconditioner: Option<&'a dyn Operator<S>>,
    /// b
    pub b: &'a S::Vector,
}

impl<S: VectorSpace> LinearSystem<'_, S> {
    /// z ← M⁻¹ r, or r itself.
    ///
    /// # Errors
    /// Errors of the preconditioner.
    pub fn precondition(&self, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        precondition(self.space, self.preconditioner, r, z)
    }

    /// r ← b − A x; returns rᵀr. A x is left in `product`.
    pub(super) fn residual(
        &self,
        x: &S::Vector,
        product: &mut S::Vector,
        r: &mut S::Vector,
    ) -> Result<f64, S::Error> {
        self.operator.apply(self.space, x, product)?;
        self.space.subtract(self.b, product, r)?;
        self.space.dot(r, r)
    }
}

/// Norms of the residuals of all iterations so far, and the observer.
pub(super) struct Record<O> {
    observer: O,
    pub criteria: Criteria,
    /// Reference of the relative tolerance.
    pub scale: f64,
    pub tolerance: f64,
    /// Norm that ends the recursion.
    target: f64,
    /// True if the relative tolerance refers to the largest norm so far.
    pub is_of_largest: bool,
    pub iterations: usize,
    norms: Vec<f64>,
    /// Smallest norm of this cycle, and its iteration.
    smallest: (f64, usize),
}

impl<O> Record<O> {
    /// Prepares the first iteration from the given x: the tolerance, r = b − A x, and rᵀr.
    pub fn start<S: VectorSpace>(
        system: &LinearSystem<'_, S>,
        x: &S::Vector,
        [product, r]: [&mut S::Vector; 2],
        criteria: &Criteria,
        observer: O,
    ) -> Result<(Self, f64), S::Error>
    where
        O: FnMut(&Progress<'_, S::Vector>),
    {
        let norm_of_b = system.space.dot(system.b, system.b)?.sqrt();
        let squared = system.residual(x, product, r)?;
        let scale = match norm_of_b {
            0.0 => squared.sqrt(),
            norm => norm,
        };
        let tolerance = criteria.tolerance(scale);
        let mut record = Self {
            observer,
            criteria: *criteria,
            scale,
            tolerance,
            // No precision verifies less than this, and squares of much smaller norms underflow to pᵀAp = 0.
            target: tolerance.max(f64::EPSILON * scale),
            is_of_largest: false,
            iterations: 0,
            norms: Vec::new(),
            smallest: (f64::INFINITY, 0),
        };
        record.show(squared.sqrt(), x);
        Ok((record, squared))
    }

    /// Returns the reason to stop before the first iteration, if there is one.
    pub fn at_start(&self) -> Option<Reason> {
        match self.last() {
            norm if !norm.is_finite() || !self.scale.is_finite() => Some(Reason::NotFinite),
            norm if norm <= self.tolerance => Some(Reason::Converged),
            _ => None,
        }
    }

    /// Starts a cycle, and with it the wait for a smallest norm.
    pub fn start_cycle(&mut self) {
        self.smallest = (f64::INFINITY, self.iterations);
    }

    /// The last norm. There is one from the start on.
    fn last(&self) -> f64 {
        self.norms.last().copied().unwrap_or(f64::NAN)
    }

    fn show<V>(&mut self, residual: f64, x: &V)
    where
        O: FnMut(&Progress<'_, V>),
    {
        self.norms.push(residual);
        (self.observer)(&Progress {
            iteration: self.iterations,
            residual,
            tolerance: self.tolerance,
            x,
        });
    }

    /// Records the norm of an iteration. Returns the reason to end the recursion, if there is one; converged
    /// and stagnated refer to the recursive residual.
    pub fn push<V>(&mut self, norm: f64, x: &V) -> Option<Reason>
    where
        O: FnMut(&Progress<'_, V>),
    {
        self.show(norm, x);
        if self.is_of_largest {
            self.target = self.target.max(self.criteria.rtol * norm);
        }
        if norm < self.smallest.0 {
            self.smallest = (norm, self.iterations);
        }
        let is_impatient = self.iterations - self.smallest.1 >= self.criteria.patience;
        match norm {
            _ if !norm.is_finite() => Some(Reason::NotFinite),
            _ if norm <= self.target => Some(Reason::Converged),
            _ => is_impatient.then_some(Reason::Stagnated),
        }
    }

    pub fn outcome(self, reason: Reason, verified: Option<f64>, replacements: usize) -> Outcome {
        Outcome {
            reason,
            iterations: self.iterations,
            residual: self.last(),
            verified,
            history: self.norms,
            replacements,
        }
    }
}

/// z ← M⁻¹ r, or r itself.
pub(super) fn precondition<S: VectorSpace>(
    space: &S,
    preconditioner: Option<&dyn Operator<S>>,
    r: &S::Vector,
    z: &mut S::Vector,
) -> Result<(), S::Error> {
    match preconditioner {
        Some(preconditioner) => preconditioner.apply(space, r, z),
        None => space.copy(r, z),
    }
}

/// Returns the reason to stop if division by `number` is impossible.
pub(super) fn breakdown(number: f64) -> Option<Reason> {
    match number {
        0.0 => Some(Reason::Breakdown),
        _ if !number.is_finite() => Some(Reason::NotFinite),
        _ => None,
    }
}
