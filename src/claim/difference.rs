//! Difference between a result and the expected one.

/// The largest difference, relative to the largest expected value; infinite for NaN and for different
/// numbers of values.
pub fn difference<F, E>(found: &[F], expected: &[E]) -> f64
where
    F: Copy + Into<f64>,
    E: Copy + Into<f64>,
{
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let expected = expected.iter().map(|&value| value.into());
    let largest = expected.clone().fold(f64::MIN_POSITIVE, |m, v: f64| m.max(v.abs()));
    let errors = found.iter().zip(expected).map(|(&f, e)| f.into() - e);
    worst(errors.map(|error| error.abs() / largest))
}

/// The largest of several errors, where NaN counts as infinite.
pub fn worst(errors: impl IntoIterator<Item = f64>) -> f64 {
    let errors = errors.into_iter();
    errors.fold(0.0, |m, e| m.max(if e.is_nan() { f64::INFINITY } else { e }))
}
