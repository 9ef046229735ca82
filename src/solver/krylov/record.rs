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

/// An observer. Not generic, so that the methods exist once per space.
pub(super) type Shown<'o, V> = &'o mut dyn FnMut(&Progress<'_, V>);

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
    pub fn precondition(&self, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        precondition(self.space, self.preconditioner, r, z)
    }

    /// r ← b − A x; returns rᵀr.
    pub(super) fn residual(&self, x: &S::Vector, r: &mut S::Vector) -> Result<f64, S::Error> {
        self.operator.residual(self.space, self.b, x, r)?;
        self.space.dot(r, r)
    }
}

/// Norms of the residuals of all iterations so far, the best iterate if it is not the last, and the observer.
pub(super) struct Record<'o, V> {
    observer: Shown<'o, V>,
    pub criteria: Criteria,
    /// Reference of the relative tolerance.
    pub scale: f64,
    pub tolerance: f64,
    /// Norm that ends the recursion.
    target: f64,
    pub iterations: usize,
    norms: Vec<f64>,
    /// Smallest norm of this cycle, and its iteration.
    smallest: (f64, usize),
    /// Smallest norm below that at the start, and its iteration (0 at the start).
    best: (f64, usize),
    /// Iterate of `best`, if it is not the last one.
    kept: Option<V>,
}

impl<'o, V> Record<'o, V> {
    /// Prepares the first iteration from the given x: the tolerance, r = b − A x, and rᵀr.
    pub fn start<S: VectorSpace<Vector = V>>(
        system: &LinearSystem<'_, S>,
        x: &V,
        r: &mut V,
        criteria: &Criteria,
        observer: Shown<'o, V>,
    ) -> Result<(Self, f64), S::Error> {
        let norm_of_b = system.space.dot(system.b, system.b)?.sqrt();
        let squared = system.residual(x, r)?;
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
            iterations: 0,
            norms: Vec::new(),
            smallest: (f64::INFINITY, 0),
            best: (squared.sqrt(), 0),
            kept: None,
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

    fn show(&mut self, residual: f64, x: &V) {
        self.norms.push(residual);
        (self.observer)(&Progress {
            iteration: self.iterations,
            residual,
            tolerance: self.tolerance,
            x,
        });
    }

    /// As [`Self::push`], after x has changed by the sum of the step's factors times vectors. If x was the best iterate
    /// before it, that one is kept.
    pub fn push_step<S: VectorSpace<Vector = V>>(
        &mut self,
        space: &S,
        norm: f64,
        x: &V,
        step: &[(f64, &V)],
    ) -> Result<Option<Reason>, S::Error> {
        if norm < self.best.0 {
            self.best = (norm, self.iterations);
        } else if self.best.1 > 0 && self.best.1 + 1 == self.iterations {
            let kept = match &mut self.kept {
                Some(kept) => kept,
                none => none.insert(space.zeros()?),
            };
            space.copy(x, kept)?;
            step.iter().try_for_each(|(factor, vector)| space.axpy(kept, -factor, vector))?;
        }
        Ok(self.push(norm, x))
    }

    /// x ← the best iterate, unless that is the last one, or the start: another start may do better.
    pub fn restore<S: VectorSpace<Vector = V>>(
        &self,
        space: &S,
        x: &mut V,
    ) -> Result<(), S::Error> {
        match &self.kept {
            Some(kept) if (1..self.iterations).contains(&self.best.1) => space.copy(kept, x),
            _ => Ok(()),
        }
    }

    /// Records the norm of an iteration. Returns the reason to end the recursion, if there is one; converged
    /// and stagnated refer to the recursive residual.
    pub fn push(&mut self, norm: f64, x: &V) -> Option<Reason> {
        self.show(norm, x);
        self.target = self.target.max((self.criteria.of_largest * norm).min(self.scale / 10.0));
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
