//! Scaling by powers of two, which changes no digit.

/// 2^k that scales the largest of the magnitudes into [1, 2), where squares neither overflow nor vanish in single
/// precision; 1 if all are zero.
pub(crate) fn power_of_two(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0, |m: f64, value| m.max(value.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    2.0_f64.powi(-(largest.log2().floor().clamp(-1000.0, 1000.0) as i32))
}
