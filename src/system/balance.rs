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

use super::{norm, power_of_two};

/// D^-1/2 for corrections that are solved for in its variables, and a power of two that residuals are
/// multiplied by there, so that single precision holds them.
pub(super) struct Balance(Vec<f64>, f64);

impl Balance {
    /// Of a matrix with a positive diagonal, and D^-1/2 A D^-1/2.
    pub fn new(a: &Csr<f64>) -> (Self, Csr<f64>) {
        let diagonal = a.diagonal().into_iter();
        let factors: Vec<f64> = diagonal.map(|entry| 1.0 / entry.sqrt()).collect();
        let balanced = a.scaled(&factors, &factors);
        let smallest = factors
            .iter()
            .fold(f64::INFINITY, |m, &factor| m.min(factor));
        let largest = factors.iter().fold(0.0, |m: f64, &factor| m.max(factor));
        let scale = power_of_two(&[smallest.sqrt() * largest.sqrt()]);
        (Self(factors, scale), balanced)
    }

    /// Has a correction solved for. The norms that are told and shown are multiplied by ‖r‖ / ‖D^-1/2 r‖ as
    /// it was at the start: the goal is one of ‖r‖.
    pub fn correct<E>(
        &self,
        defect: &Defect<'_>,
        solve: impl FnOnce(&Defect<'_>) -> Result<Correction, E>,
    ) -> Result<Correction, E> {
        let Self(factors, scale) = self;
        let own = defect.residual.iter().zip(factors);
        let own: Vec<f64> = own
            .map(|(&r, factor)| f64::from(r) * factor * scale)
            .collect();
        let residual: Vec<f32> = own.iter().map(|&r| r as f32).collect();
        let longer = norm(&own) / defect.norm;
        let mut correction = solve(&Defect {
            residual: &residual,
            norm: defect.norm * longer,
            scale: defect.scale / longer,
            goal: defect.goal * longer,
            ..*defect
        })?;
        for (value, factor) in correction.values.iter_mut().zip(factors) {
            *value = (f64::from(*value) * factor / scale) as f32;
        }
        correction.norms.iter_mut().for_each(|norm| *norm /= longer);
        Ok(correction)
    }
}
