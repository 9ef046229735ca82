//! Scaling by powers of two, which changes no digit, and numbers as pairs of floats, which keep 48 bits.

/// 2^k that scales the largest of the magnitudes into [1, 2), where squares neither overflow nor vanish in single
/// precision; 1 if all are zero.
pub(crate) fn power_of_two(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0, |m: f64, value| m.max(value.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    2.0_f64.powi(-(largest.log2().floor().clamp(-1022.0, 1022.0) as i32))
}

/// A number as a sum of two floats, the larger one first.
pub(crate) fn pair(value: f64) -> [f32; 2] {
    let high = value as f32;
    [high, (value - f64::from(high)) as f32]
}
