//! Factorisation against what is known of inverses.

use fragstream::solver::{Csr, CsrError, Lu};
use proptest::prelude::*;

/// The inverse, row by row.
pub fn inverse(n: usize, entries: Vec<f64>) -> Vec<f64> {
    let identity: Vec<f64> = (0..n * n).map(|k| if k % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
    Lu::new(n, entries).unwrap().solve(n, &identity)
}

/// The inverse of Hilbert's matrix a_ij = 1/(i + j + 1) is known, and whole.
#[test]
fn the_inverse_of_hilberts_matrix_is_whole() {
    let hilbert = (0..16).map(|k| 1.0 / f64::from(k / 4 + k % 4 + 1));
    let inverse = inverse(4, hilbert.collect());
    let expected = [
        [16, -120, 240, -140],
        [-120, 1200, -2700, 1680],
        [240, -2700, 6480, -4200],
        [-140, 1680, -4200, 2800],
    ];
    for (entry, expected) in inverse.iter().zip(expected.as_flattened()) {
        // The condition is 1.6e4.
        assert!((entry - f64::from(*expected)).abs() < 1e-8, "{entry}");
    }
}

#[test]
fn rows_are_exchanged_where_the_diagonal_is_zero_or_small() {
    let exchange = Lu::new(2, vec![0.0, 1.0, 1.0, 0.0]).unwrap();
    assert_eq!(exchange.solve(1, &[2.0, 3.0]), [3.0, 2.0]);
    // Without an exchange, 1e-20 for a pivot would leave (0, 1).
    let small = Lu::new(2, vec![1e-20, 1.0, 1.0, 1.0]).unwrap();
    assert_eq!(small.solve(1, &[1.0, 2.0]), [1.0, 1.0]);
}

#[test]
fn a_matrix_without_an_inverse_is_an_error_that_says_where() {
    for (entries, column) in
        [(vec![1.0, 2.0, 2.0, 4.0], 1), (vec![0.0; 4], 0), (vec![1.0, f64::NAN, 1.0, 1.0], 1)]
    {
        assert_eq!(Lu::new(2, entries).unwrap_err().0, column);
    }
}

fn matrix(n: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0f64, n * n).prop_map(move |mut entries| {
        // Far from singular, rows in a wrong order.
        (0..n).for_each(|i| entries[i * n + (i + 1) % n] += n as f64);
        entries
    })
}

fn dense(rows: usize, columns: usize, entries: &[f64]) -> Csr<f64> {
    let place = |k| (k / columns, k % columns, entries[k]);
    Csr::from_triplets(rows, columns, (0..entries.len()).map(place)).unwrap()
}

/// Rows out of order make a pivot's row longer than its band.
#[test]
fn a_band_is_solved_exactly_whatever_rows_its_pivots_come_from() {
    let (n, band) = (40_usize, 3);
    for seed in 0..5_u64 {
        // Small whole numbers, the largest of a row seldom on the diagonal.
        let number = |k: usize| (((k as u64 + 3) * (2 * seed + 7) * 2_654_435_761) >> 8) % 19;
        let entries: Vec<f64> = (0..n * n)
            .map(|k| if (k / n).abs_diff(k % n) <= band { number(k) as f64 - 9.0 } else { 0.0 })
            .collect();
        let x: Vec<f64> = (0..n).map(|i| i as f64 - 11.0).collect();
        let b: Vec<f64> =
            entries.chunks(n).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
        let found = Lu::new(n, entries).unwrap().solve(1, &b);
        for (found, x) in found.iter().zip(&x) {
            assert!((found - x).abs() < 1e-8, "{found} for {x}");
        }
    }
}

proptest! {
    #[test]
    fn a_matrix_times_its_inverse_is_the_identity(
        (n, entries) in (1usize..20).prop_flat_map(|n| (Just(n), matrix(n))),
    ) {
        let a = dense(n, n, &entries);
        let inverse = dense(n, n, &inverse(n, entries));
        for (row, column, entry) in a.product(&inverse).unwrap().triplets() {
            let expected = if row == column { 1.0 } else { 0.0 };
            prop_assert!((entry - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn the_product_of_sparse_matrices_is_sorted_and_keeps_rows_without_entries() {
    let a = Csr::from_triplets(3, 4, [(0, 3, 2.0), (0, 0, 1.0), (2, 3, -1.0)]).unwrap();
    let b = Csr::from_triplets(4, 2, [(0, 1, 5.0), (3, 1, 7.0), (3, 0, 4.0)]).unwrap();
    let product = Csr::from_triplets(3, 2, [(0, 0, 8.0), (0, 1, 19.0), (2, 0, -4.0), (2, 1, -7.0)]);
    assert_eq!(a.product(&b).unwrap(), product.unwrap());
    let (columns, rows) = (2, 3);
    assert_eq!(b.product(&a).unwrap_err(), CsrError::Product { columns, rows });
}
