//! The error of an iterate, estimated from the steps that led to it.
//!
//! A residual weighs a smooth error little: on a grid of n cells per side it is 1/n² of a rough one's. The steps of a method that
//! multiplies its error by ρ do not depend on that: x_k − x_{k−1} = (ρ − 1) e_{k−1}, and so e_k is at most
//! |x_k − x_{k−1}| ρ / (1 − ρ).

use super::multigrid::DIVERGED;
use super::stopping::Reason;

/// Number of steps without a new smallest one after which the error does not fall any more.
const PATIENCE: usize = 10;

/// Multiple of rtol times the range of x that an estimated error may reach.
const SHARE: f64 = 10.0;

/// Share of the largest magnitude of x below which an error is small whatever the range: pairs of floats keep 48 bits.
const LEAST: f64 = 1.0 / (1_u64 << 44) as f64;

/// The largest magnitudes of the steps x_k − x_{k−1}, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps(Vec<f64>);

impl Steps {
    /// Adds the step d, of which `scale` times is added to x.
    pub fn push(&mut self, d: &[f32], scale: f64) {
        self.0.push(scale * largest(d.iter().map(|&d| f64::from(d))));
    }

    /// |x_k − x_{k−1}|∞ ρ / (1 − ρ) for the last x, with ρ from the last two steps; a step of the size of rounding errors is its
    /// own estimate. `None` before the second step and while steps grow.
    pub fn error(&self, x: &[f64]) -> Option<f64> {
        let &[.., before, last] = &self.0[..] else { return None };
        if last <= 8.0 * f64::EPSILON * largest(x.iter().copied()) {
            return Some(last);
        }
        let rho = last / before;
        (rho < 1.0).then(|| last * rho / (1.0 - rho))
    }

    /// Tests whether the estimated error [is small](is_small).
    pub fn suffice(&self, x: &[f64], rtol: f64) -> bool {
        self.error(x).is_some_and(|error| is_small(error, x, rtol))
    }

    /// Reason to stop after this number of cycles although the error is not small.
    pub fn reason_to_stop(&self, cycles: usize, most: usize) -> Option<Reason> {
        if self.have_grown(DIVERGED) {
            Some(Reason::Diverged)
        } else if cycles >= most {
            Some(Reason::MaximumIterations)
        } else {
            self.have_stalled().then_some(Reason::Stagnated)
        }
    }

    /// Tests whether steps no longer become smaller.
    pub fn have_stalled(&self) -> bool {
        let recent = self.0.len().saturating_sub(PATIENCE);
        let smallest = |steps: &[f64]| steps.iter().copied().fold(f64::INFINITY, f64::min);
        recent > 0 && smallest(&self.0[recent..]) >= smallest(&self.0[..recent])
    }

    /// Tests whether the last step exceeds the first one by this factor, or is not finite.
    fn have_grown(&self, factor: f64) -> bool {
        matches!(self.0[..], [first, .., last] if !last.is_finite() || last > factor * first)
    }
}

/// Tests whether an error is at most 10 rtol of the range of x, or of its largest magnitude if all are the same, or below what
/// pairs of floats hold of x.
pub fn is_small(error: f64, x: &[f64], rtol: f64) -> bool {
    error <= SHARE * rtol * range(x) || error <= LEAST * largest(x.iter().copied())
}

/// The largest magnitude.
pub(crate) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |largest, value| largest.max(value.abs()))
}

fn range(values: &[f64]) -> f64 {
    let (low, high) = (values.iter())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
    if low < high { high - low } else { high.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_fall_by_a_factor_are_estimated_and_growing_ones_are_not() {
        // x_k = 1 − ρᵏ
        let rho = 0.25_f64;
        let x = |k: i32| 1.0 - rho.powi(k);
        let mut steps = Steps::default();
        for k in 1..6 {
            assert_eq!(steps.error(&[x(k)]).is_some(), k > 2);
            steps.push(&[(x(k) - x(k - 1)) as f32, 0.0], 1.0);
        }
        assert!((steps.error(&[x(5)]).unwrap() / rho.powi(5) - 1.0).abs() < 1e-6);
        // 10 rtol of the range, here 1
        assert!(steps.suffice(&[0.0, 1.0], 1e-4) && !steps.suffice(&[0.0, 1.0], 0.9e-4));
        steps.push(&[2.0], 1.0);
        assert_eq!(steps.error(&[1.0]), None);
        assert!(!steps.suffice(&[1.0], 1.0) && steps.have_grown(2.0) && !steps.have_grown(3.0));
    }
}
