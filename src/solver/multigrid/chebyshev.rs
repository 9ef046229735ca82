//! Chebyshev-weighted Jacobi: weights that change from sweep to sweep, so that all sweeps together smooth best.
//!
//! A sweep with weight ω multiplies the error component with the eigenvalue λ of D⁻¹A by 1 − ωλ, k sweeps by
//! the product. Among all such products the smallest on an interval with centre c and half-width d is T_k((c −
//! λ)/d) / T_k(c/d), with the Chebyshev polynomial T_k; 1/ω_j are its roots. The interval contains the errors
//! that the coarser grid cannot represent.

use std::f64::consts::PI;

/// The weights of `sweeps` sweeps for eigenvalues from `low` > 0 to `high`.
///
/// Roots are ordered in pairs, c ± d cos φ, so that no error with an eigenvalue below `low` + `high` grows in
/// between, for any number of sweeps.
pub fn chebyshev_weights([low, high]: [f64; 2], sweeps: usize) -> Vec<f64> {
    let (centre, half) = ((low + high) / 2.0, (high - low) / 2.0);
    let weight = |sweep: usize| {
        let from_end = sweep / 2;
        let root = match sweep % 2 {
            0 => from_end,
            _ => sweeps - 1 - from_end,
        };
        1.0 / (centre + half * (PI * (root as f64 + 0.5) / sweeps as f64).cos())
    };
    (0..sweeps).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVALS: [[f64; 2]; 3] = [[0.5, 2.0], [0.75, 1.5], [2.0 / 3.0, 4.0 / 3.0]];

    fn left(weights: &[f64], eigenvalue: f64) -> f64 {
        weights.iter().map(|w| 1.0 - w * eigenvalue).product()
    }

    #[test]
    fn sweeps_leave_as_little_of_the_interval_as_a_polynomial_can() {
        for [low, high] in INTERVALS {
            for sweeps in 1..9 {
                let weights = chebyshev_weights([low, high], sweeps);
                // 1 / T_k(c/d), which T_k attains with alternating signs k + 1 times: it is the minimum.
                let bound = 1.0 / (sweeps as f64 * ((low + high) / (high - low)).acosh()).cosh();
                for extreme in 0..=sweeps {
                    let cosine = (PI * extreme as f64 / sweeps as f64).cos();
                    let at = (low + high) / 2.0 - (high - low) / 2.0 * cosine;
                    let sign = if extreme % 2 == 0 { 1.0 } else { -1.0 };
                    assert!((left(&weights, at) - sign * bound).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn nothing_grows_in_between_however_many_sweeps_there_are() {
        for [low, high] in INTERVALS {
            for sweeps in [2, 3, 10, 101] {
                let weights = chebyshev_weights([low, high], sweeps);
                for done in (0..=sweeps).step_by(2) {
                    for step in 0..=100 {
                        let eigenvalue = (low + high) * f64::from(step) / 100.0;
                        assert!(left(&weights[..done], eigenvalue).abs() < 1.0 + 1e-12);
                    }
                }
            }
        }
    }
}
