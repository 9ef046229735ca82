//! What is measured of a fluid.

/// How often neighbours of a row of values differ in sign, values smaller than `threshold` left
/// out: along a line, the number of vortices of alternating sense is one more.
pub fn sign_changes(values: impl IntoIterator<Item = f32>, threshold: f32) -> usize {
    let strong = values.into_iter().filter(|value| value.abs() > threshold);
    let mut last = None;
    strong
        .filter(|&value| {
            last.replace(value > 0.0)
                .is_some_and(|sign| sign != (value > 0.0))
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_values_do_not_change_the_sign() {
        assert_eq!(sign_changes([1.0, -0.1, 2.0, -3.0, -1.0, 0.0, 2.0], 0.5), 2);
        assert_eq!(sign_changes([0.1, -0.1], 0.5), 0);
        assert_eq!(sign_changes([], 0.0), 0);
    }
}
