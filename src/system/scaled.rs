//! A system whose numbers single precision can hold.

use crate::solver::Csr;

use super::choice::{Method, SYMMETRIC_TO};
use super::error::SystemError;

/// A matrix times a power of two, which is exact: its largest entry is then near 1, where squares
/// neither overflow nor vanish in single precision.
#[derive(Debug)]
pub(super) struct Scaled {
    /// A times `scale`.
    pub a: Csr<f64>,
    /// What A was multiplied by.
    pub scale: f64,
}

impl Scaled {
    /// The matrix, if a method can be tried on it; one that [suits](Method::suited_to) it needs no second look
    /// at its symmetry.
    pub fn new(a: &Csr<f64>, method: Method, is_suited: bool) -> Result<Self, SystemError> {
        let scaled = || {
            let scale = power_of_two(a.values());
            let a = a.map(|value| value * scale);
            Self { a, scale }
        };
        let (checked, scaled) = rayon::join(|| check(a, method, is_suited), scaled);
        checked?;
        // What single precision takes for zero cannot be divided by either.
        if matches!(method, Method::GaussSeidel | Method::Multigrid) {
            let diagonal = scaled.a.diagonal();
            if let Some(row) = diagonal.iter().position(|&d| d as f32 == 0.0) {
                let value = a.get(row, row);
                return Err(SystemError::ZeroDiagonal { row, value, method });
            }
        }
        Ok(scaled)
    }
}

/// 2^k that brings the largest of the magnitudes into [1, 2); 1 where all are zero.
pub(super) fn power_of_two(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0, |m: f64, value| m.max(value.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    2.0_f64.powi(-(largest.log2().floor().clamp(-1000.0, 1000.0) as i32))
}

/// That a matrix is what its method needs.
fn check(a: &Csr<f64>, method: Method, is_suited: bool) -> Result<(), SystemError> {
    let (rows, columns) = (a.rows(), a.columns());
    if rows != columns {
        return Err(SystemError::NotSquare { rows, columns });
    }
    if rows == 0 {
        return Err(SystemError::Empty);
    }
    if let Some((row, column, value)) = a.triplets().find(|(_, _, value)| !value.is_finite()) {
        return Err(SystemError::NotFinite { row, column, value });
    }
    if let Some(row) = (0..rows).find(|&row| a.row_length(row) == 0) {
        return Err(match method.divides_by_diagonal() {
            true => bad_diagonal(row, 0.0, method),
            false => SystemError::EmptyRow(row),
        });
    }
    let is_bad = |value: f64| match method.is_conjugate_gradients() {
        true => value <= 0.0,
        false => value == 0.0 && method.divides_by_diagonal(),
    };
    if let Some(row) = a.diagonal().into_iter().position(is_bad) {
        return Err(bad_diagonal(row, a.get(row, row), method));
    }
    let asymmetry =
        (method.is_conjugate_gradients() && !is_suited).then(|| a.first_asymmetry(SYMMETRIC_TO));
    if let Some((row, column)) = asymmetry.flatten() {
        let values = [a.get(row, column), a.get(column, row)];
        return Err(SystemError::Asymmetric {
            row,
            column,
            values,
        });
    }
    Ok(())
}

/// What is wrong with a diagonal.
pub(super) fn bad_diagonal(row: usize, value: f64, method: Method) -> SystemError {
    match method.is_conjugate_gradients() {
        true => SystemError::NotPositive { row, value },
        false => SystemError::ZeroDiagonal { row, value, method },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_bring_the_largest_magnitude_between_one_and_two() {
        for largest in [1.0, 3.0, 1e-30, 7e200, 0.1] {
            let scaled = largest * power_of_two(&[0.0, -largest, largest / 2.0]);
            assert!((1.0..2.0).contains(&scaled), "{largest}: {scaled}");
        }
        assert_eq!(power_of_two(&[]), 1.0);
    }
}
