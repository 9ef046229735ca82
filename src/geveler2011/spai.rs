//! SPAI-1: a sparse approximate inverse with the pattern of the matrix (geveler2011 §5, future work).
//!
//! Row i of M⁻¹ minimises ‖m_i A − e_i‖ over all rows with the pattern of A's row i: one small
//! least-squares problem per row, independent of the others.

use rayon::prelude::*;

use crate::solver::{Csr, CsrError, Lu};

pub fn approximate_inverse(matrix: &Csr<f64>) -> Result<Csr<f64>, CsrError> {
    let rows: Vec<Vec<(usize, usize, f64)>> = (0..matrix.rows())
        .into_par_iter()
        .map(|i| {
            let places: Vec<usize> = matrix.row(i).map(|(j, _)| j).collect();
            let n = places.len();
            // §5, SPAI, by the normal equations: Σ_k (a_j · a_k) m_k = a_j · e_i = a_ji
            let mut normal = vec![0.0; n * n];
            let mut right = vec![0.0; n];
            for (p, &j) in places.iter().enumerate() {
                for (q, &k) in places.iter().enumerate().skip(p) {
                    let product = inner_product(matrix, j, k);
                    normal[p * n + q] = product;
                    normal[q * n + p] = product;
                }
                right[p] = matrix.get(j, i);
            }
            let m = Lu::new(n, normal)?.solve(1, &right);
            Ok(places.into_iter().zip(m).map(|(j, m)| (i, j, m)).collect())
        })
        .collect::<Result<_, CsrError>>()?;
    Csr::from_triplets(matrix.rows(), matrix.rows(), rows.into_iter().flatten())
}

/// Row j times row k: both are sorted by column.
fn inner_product(matrix: &Csr<f64>, j: usize, k: usize) -> f64 {
    let (mut left, mut right) = (matrix.row(j).peekable(), matrix.row(k).peekable());
    let mut sum = 0.0;
    while let (Some(&(a, x)), Some(&(b, y))) = (left.peek(), right.peek()) {
        if a == b {
            sum += x * y;
        }
        if a <= b {
            left.next();
        }
        if b <= a {
            right.next();
        }
    }
    sum
}
