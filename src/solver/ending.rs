//! The gate of *converged*: the end of a solve, as the true residual decides it.

use std::fmt;
use std::ops::Deref;

use serde::Serialize;

use super::stopping::Reason;

/// Reason for the end of a solve of a problem as given. Only [`Ending::judge`] makes one that has converged.
///
/// A method stops by a norm that it measures itself: of a recursion, in single precision or less, of a scaled or
/// preconditioned system. Such a norm may be wrong by any factor, so it never decides.
///
/// ```
/// use fragstream::solver::{Ending, Reason};
///
/// // x = 1/3 in single precision solves 3 x = 1 to seven digits, whatever a method says.
/// let residual = [1.0 - 3.0 * f64::from(1.0_f32 / 3.0)];
/// let norm = |r: &[f64]| r[0].abs();
/// assert_eq!(Ending::judge(Reason::MaximumIterations, &residual, norm, 1e-7), Reason::Converged);
/// assert_eq!(Ending::judge(Reason::Converged, &residual, norm, 1e-9), Reason::Stagnated);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Ending(Reason);

impl Ending {
    /// Decides by the residual b − A x of the problem as given, or of its multiple by a power of two: all entries,
    /// computed in double precision from the x that is returned. A norm of at most `tolerance` is
    /// [`Reason::Converged`]. Otherwise the `method`'s reason holds, which is [`Reason::Stagnated`] if the method
    /// took itself for converged, and [`Reason::NotFinite`] if the norm is not finite without having grown.
    pub fn judge(
        method: Reason,
        residual: &[f64],
        norm: impl FnOnce(&[f64]) -> f64,
        tolerance: f64,
    ) -> Self {
        let norm = norm(residual);
        Self(match method {
            _ if norm <= tolerance => Reason::Converged,
            Reason::Diverged => Reason::Diverged,
            _ if !norm.is_finite() => Reason::NotFinite,
            Reason::Converged => Reason::Stagnated,
            reason => reason,
        })
    }

    /// A solve without a solution, for this reason; [`Reason::Converged`] is not one.
    pub fn failed(reason: Reason) -> Self {
        Self(if reason.is_converged() { Reason::Stagnated } else { reason })
    }
}

impl Deref for Ending {
    type Target = Reason;

    fn deref(&self) -> &Reason {
        &self.0
    }
}

impl PartialEq<Reason> for Ending {
    fn eq(&self, reason: &Reason) -> bool {
        self.0 == *reason
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_residual_within_the_tolerance_has_converged() {
        let largest = |r: &[f64]| r.iter().fold(0.0, |a: f64, r| a.max(r.abs()) + 0.0 * r);
        let judge = |reason, residual: f64| Ending::judge(reason, &[0.0, residual], largest, 1.0);
        for reason in [Reason::Converged, Reason::Stagnated, Reason::Diverged, Reason::ZeroPivot] {
            assert_eq!(judge(reason, 1.0), Reason::Converged);
            assert!(!judge(reason, 1.5).is_converged() && !judge(reason, f64::NAN).is_converged());
            assert!(!Ending::failed(reason).is_converged());
        }
        assert_eq!(judge(Reason::Converged, 2.0), Reason::Stagnated);
        assert_eq!(judge(Reason::MaximumIterations, 2.0), Reason::MaximumIterations);
        assert_eq!(judge(Reason::MaximumIterations, f64::INFINITY), Reason::NotFinite);
        assert_eq!(judge(Reason::Diverged, f64::INFINITY), Reason::Diverged);
    }
}
