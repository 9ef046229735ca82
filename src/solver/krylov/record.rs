//! What the methods on Krylov spaces share: the system, what an observer is shown, and the norms so far
//! with the test of when to stop.

use super::super::space::{Operator, VectorSpace};
use super::super::stopping::{Criteria, Outcome, Reason};

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

impl<S: VectorSpace> LinearSystem<'_, S> {
    /// z ← M⁻¹ r, or r itself.
    pub fn precondition(&self, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        precondition(self.space, self.preconditioner, r, z)
    }
}

/// The iterations so far with the norms of their residuals, and who is shown them.
pub(super) struct Record<O> {
    observer: O,
    /// What the relative tolerance is relative to.
    pub scale: f64,
    pub tolerance: f64,
    /// The norm that ends the recursion.
    pub target: f64,
    pub iterations: usize,
    norms: Vec<f64>,
}

impl<O> Record<O> {
    /// Of a system whose relative tolerance is one of `scale`.
    pub fn new(observer: O, scale: f64, criteria: &Criteria) -> Self {
        let tolerance = criteria.tolerance(scale);
        Record {
            observer,
            scale,
            tolerance,
            // No precision verifies less than this, and squares of much less underflow to pᵀAp = 0.
            target: tolerance.max(f64::EPSILON * scale),
            iterations: 0,
            norms: Vec::new(),
        }
    }

    /// The reason to stop before the first iteration, if there is one.
    pub fn at_start(&self) -> Option<Reason> {
        match self.last() {
            norm if !norm.is_finite() || !self.scale.is_finite() => Some(Reason::NotFinite),
            norm if norm <= self.tolerance => Some(Reason::Converged),
            _ => None,
        }
    }

    /// What the recursion says of its end, where it has come to one.
    pub fn word(&self) -> Reason {
        match self.last() <= self.target {
            true => Reason::Converged,
            false => Reason::Stagnated,
        }
    }

    /// The norm that was taken last. There is one from the start on.
    pub fn last(&self) -> f64 {
        self.norms.last().copied().unwrap_or(f64::NAN)
    }

    pub fn push<V>(&mut self, residual: f64, x: &V)
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

    /// Records a norm. Whether the recursion ends with it, and if so, the reason, or `None` where
    /// b − A x is now to be looked at. `smallest` is the smallest norm so far, and its iteration.
    pub fn look<V>(
        &mut self,
        norm: f64,
        x: &V,
        smallest: &mut (f64, usize),
        criteria: &Criteria,
    ) -> Option<Option<Reason>>
    where
        O: FnMut(&Progress<'_, V>),
    {
        self.push(norm, x);
        if !norm.is_finite() {
            return Some(Some(Reason::NotFinite));
        }
        if norm < smallest.0 {
            *smallest = (norm, self.iterations);
        }
        let is_impatient = self.iterations - smallest.1 >= criteria.patience;
        (norm <= self.target || is_impatient).then_some(None)
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

/// What comes before the first iteration from the x given: the tolerance, and the residual r = b − A x.
pub(super) fn start<S: VectorSpace, O: FnMut(&Progress<'_, S::Vector>)>(
    system: &LinearSystem<'_, S>,
    x: &S::Vector,
    criteria: &Criteria,
    observer: O,
) -> Result<(Record<O>, S::Vector), S::Error> {
    let space = system.space;
    let mut r = space.zeros()?;
    system.operator.residual(space, system.b, x, &mut r)?;
    let [norm_of_b, norm] = [system.b, &r].map(|v| space.dot(v, v).map(f64::sqrt));
    let (norm_of_b, norm) = (norm_of_b?, norm?);
    let scale = if norm_of_b == 0.0 { norm } else { norm_of_b };
    let mut record = Record::new(observer, scale, criteria);
    record.push(norm, x);
    Ok((record, r))
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

/// The reason to stop where a number that is to be divided by cannot be.
pub(super) fn unless_usable(number: f64) -> Option<Reason> {
    match number {
        0.0 => Some(Reason::Breakdown),
        _ if !number.is_finite() => Some(Reason::NotFinite),
        _ => None,
    }
}
