//! The result of a solve, in the unit of g.

use serde::Serialize;

use crate::solver::{Criteria, Ending, Outcome, Reason, Seconds};

use super::equation::Equation;
use super::norm;

/// Residuals up to this multiple of the smallest count as equal to it.
const AT_ROUNDING: f64 = 1.5;

/// Result of a solve. Norms are 2-norms over the nodes, in the unit of g.
#[derive(Debug, Clone, Serialize)]
pub struct Solution {
    /// Reason for the end, by the true residual.
    pub reason: Ending,
    /// Number of cycles.
    pub cycles: usize,
    /// Number of cycles, and the residual after them.
    pub history: Vec<(usize, f64)>,
    /// Reduction of the residual per cycle, from the start to the smallest residual.
    pub factor: Option<f64>,
    /// Last residual of the history.
    pub residual: f64,
    /// ‖g − A u‖ of the u returned, in double precision.
    #[serde(rename = "residual_true")]
    pub true_residual: f64,
    /// ‖g‖, prescribed values eliminated.
    #[serde(rename = "norm_b")]
    pub norm_of_b: f64,
    /// Residual at which the equation counts as solved.
    pub tolerance: f64,
    /// Value subtracted from g to make a Neumann right-hand side balance.
    pub removed_mean: f64,
    /// Estimate of the largest error against the exact solution of these equations, from the last two corrections.
    pub error_estimate: Option<f64>,
    /// Largest error, if the solution of the continuous equation is known ([`compare`](Self::compare)).
    pub error_max: Option<f64>,
    /// Smallest u.
    pub u_min: f64,
    /// Largest u.
    pub u_max: f64,
    /// Seconds by part.
    pub seconds: Seconds,
    /// Part of the true residual that rounding u to double precision leaves, if that ended the solve.
    #[serde(skip)]
    pub rounding: Option<f64>,
    /// u at every node, prescribed values included. With [`Options::refine`](super::Options::refine) its
    /// digits are double precision's.
    #[serde(skip)]
    pub u: Vec<f64>,
}

impl Solution {
    /// Converts u and the norms of the integrated equation, both times `scale`; full multigrid may have done some cycles `before` the others.
    pub(super) fn new(
        equation: &Equation,
        (criteria, before, is_refined): (&Criteria, usize, bool),
        (outcome, history): (Outcome, Vec<(usize, f64)>),
        remainder: &[f64],
        [norm_of_b, removed_mean]: [f64; 2],
        seconds: Seconds,
        (mut u, error, scale): (Vec<f64>, Option<f64>, f64),
    ) -> Self {
        let unit = scale * equation.spacing * equation.spacing;
        // As the methods do where b is zero.
        let reference = if norm_of_b == 0.0 { history[0].1 } else { norm_of_b };
        let tolerance = criteria.tolerance(reference);
        let reason = match outcome.reason {
            // The residual may be small, but not the error.
            reason if is_refined && reason != Reason::Converged => Ending::failed(reason),
            reason => Ending::judge(reason, remainder, norm, tolerance),
        };
        let [norm_of_b, true_residual] = [norm_of_b / unit, norm(remainder) / unit];
        let mut history: Vec<(usize, f64)> = history
            .into_iter()
            .map(|(cycles, residual)| (cycles + before, residual / unit))
            .collect();
        if history[0].0 > 0 {
            // Full multigrid starts from u = 0.
            history.insert(0, (0, norm_of_b));
        }
        let rounding = (reason == Reason::Stagnated && is_refined)
            .then(|| equation.rounding(&u) / unit)
            .filter(|&rounding| true_residual <= rounding);
        u.iter_mut().for_each(|u| *u /= scale);
        Self {
            reason,
            cycles: outcome.iterations + before,
            factor: factor(&history),
            residual: history.last().map_or(0.0, |&(_, last)| last),
            history,
            true_residual,
            norm_of_b,
            tolerance: tolerance / unit,
            removed_mean,
            error_estimate: error.map(|error| error / scale),
            error_max: None,
            u_min: u.iter().copied().fold(f64::INFINITY, f64::min),
            u_max: u.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            seconds,
            rounding,
            u,
        }
    }

    /// Compares u with the solution of the continuous equation.
    pub fn compare(&mut self, exact: &[f64]) {
        let errors = self.u.iter().zip(exact).map(|(u, exact)| (u - exact).abs());
        self.error_max = Some(errors.fold(0.0, f64::max));
    }

    /// Tests whether u is worth keeping.
    pub fn is_usable(&self) -> bool {
        let is_finite = self.u.iter().all(|u| u.is_finite());
        is_finite && self.reason != Reason::Diverged
    }
}

/// Mean reduction (or growth) of the residual per cycle. A solve that reaches the rounding error continues for
/// a while near its smallest residual; those cycles do not count.
fn factor(history: &[(usize, f64)]) -> Option<f64> {
    let (_, first) = *history.first()?;
    let last = *history.last()?;
    let smallest = history.iter().map(|&(_, r)| r).fold(first, f64::min);
    let down = history.iter().find(|&&(_, r)| r <= AT_ROUNDING * smallest);
    let (cycles, residual) = if last.1 < first { *down? } else { last };
    let factor = (residual / first).powf(1.0 / cycles as f64);
    (cycles > 0 && factor.is_finite()).then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_the_way_down() {
        let halved = [(0, 8.0), (2, 2.0), (4, 0.5), (6, 0.6), (8, 0.45)];
        assert!((factor(&halved).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(factor(&[(0, 8.0), (1, 4.0), (2, 32.0)]), Some(2.0));
        assert_eq!(factor(&[(0, 8.0)]), None);
        assert_eq!(factor(&[(0, 0.0), (1, 0.0)]), None);
    }
}
