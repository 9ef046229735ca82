//! The diagonal as preconditioner, by a change of variables.
//!
//! Conjugate gradients with the preconditioner D = diag(A) take the same steps as without one for
//!
//! ```text
//! (D^-1/2 A D^-1/2) (D^1/2 x) = D^-1/2 b
//! ```
//!
//! (Y. Saad, *Iterative methods for sparse linear systems*, 2003, section 9.2). Computed in these variables
//! an iteration has no pass that divides by the diagonal, and one inner product less: the norm of the residual
//! is the one that the method needs itself, ‖D^-1/2 r‖.

use crate::solver::Csr;
use crate::solver::refinement::{Correction, Defect};

use super::colours::Colours;
use super::scaled::Scaled;
use super::{norm, power_of_two};

/// D^-1/2 for corrections that are solved for in its variables, and a power of two that residuals are
/// multiplied by there, so that single precision holds them.
pub(super) struct Balance {
    factors: Vec<f64>,
    scale: f64,
    colours: Option<Colours>,
    /// The factors of what is solved for: of all, or of all classes but the first.
    of_own: Vec<f64>,
}

impl Balance {
    /// Of a matrix with a positive diagonal; with its colours as it came, it is solved with these too.
    pub fn new(Scaled { a, scale: of_a }: &Scaled, colours: Option<Colours>) -> Self {
        let diagonal = a.diagonal().into_iter();
        let factors: Vec<f64> = diagonal.map(|entry| 1.0 / entry.sqrt()).collect();
        let smallest = factors
            .iter()
            .fold(f64::INFINITY, |m, &factor| m.min(factor));
        let largest = factors.iter().fold(0.0, |m: f64, &factor| m.max(factor));
        let scale = power_of_two(&[smallest.sqrt() * largest.sqrt()]);
        let of_rows = || {
            factors
                .iter()
                .map(|factor| factor * of_a)
                .collect::<Vec<_>>()
        };
        let colours = colours.map(|colours| colours.scaled(&of_rows(), &factors));
        let of_own = match &colours {
            Some(colours) => colours.of(1..colours.count(), &factors, 1.0).collect(),
            None => factors.clone(),
        };
        Self {
            factors,
            scale,
            colours,
            of_own,
        }
    }

    /// D^-1/2 A D^-1/2
    pub fn of(&self, a: &Csr<f64>) -> Csr<f64> {
        a.clone().scaled(&self.factors, &self.factors)
    }

    /// The classes of unknowns of which one is not iterated for.
    pub fn colours(&self) -> Option<&Colours> {
        self.colours.as_ref()
    }

    /// Has a correction solved for. The norms that are told and shown are multiplied by ‖r‖ / ‖D^-1/2 r‖ as
    /// it was at the start: the goal is one of ‖r‖.
    pub fn correct<E>(
        &self,
        defect: &Defect<'_>,
        solve: impl FnOnce(&Defect<'_>) -> Result<Correction, E>,
    ) -> Result<Correction, E> {
        let factors = self.factors.iter().map(|factor| factor * self.scale);
        let own = defect.residual.iter().zip(factors.clone());
        let own: Vec<f64> = own.map(|(&r, factor)| f64::from(r) * factor).collect();
        let (own, first) = match &self.colours {
            Some(colours) => {
                let [first, others] = colours.reduce(&own);
                (others, Some((colours, first)))
            }
            None => (own, None),
        };
        let residual: Vec<f32> = own.iter().map(|&r| r as f32).collect();
        // What is left of ‖r‖ where the first class has no residual, as far as two colours tell.
        let left = own.iter().zip(&self.of_own);
        let left: Vec<f64> = left.map(|(r, factor)| r / (factor * self.scale)).collect();
        let longer = match norm(&own) / norm(&left) {
            longer if longer.is_finite() => longer,
            _ => 1.0,
        };
        let mut correction = solve(&Defect {
            residual: &residual,
            norm: norm(&own),
            scale: defect.scale / longer,
            goal: defect.goal * longer,
            ..*defect
        })?;
        let mut values: Vec<f64> = correction.values.iter().map(|&d| f64::from(d)).collect();
        if let Some((colours, first)) = first {
            values = colours.complete([&first, &values]);
        }
        let values = values.iter().zip(&self.factors);
        correction.values = values
            .map(|(value, factor)| (value * factor / self.scale) as f32)
            .collect();
        correction.norms.iter_mut().for_each(|norm| *norm /= longer);
        Ok(correction)
    }
}
