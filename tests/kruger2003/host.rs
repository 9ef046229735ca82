//! The program for the CPU.

use fragstream::kruger2003::diagonals::Diagonals;
use fragstream::kruger2003::study::cpu::{combine, dense, diagonals};
use fragstream::solver::{Csr, Operation};
use fragstream::timing::cpu::TASK;

use crate::common::random;

#[test]
fn operations_on_entries_are_those_of_their_tasks() {
    for n in [1, 15, 16, 17, TASK - 1, TASK + 1, 3 * TASK + 5] {
        let (x, y) = (random(n, 1), random(n, 2));
        let mut z = vec![0.0; n];
        for op in Operation::ALL {
            combine(op, (0.5, &x), (2.0, &y), &mut z);
            let expected = |i| op.of(0.5 * f64::from(x[i]), 2.0 * f64::from(y[i]));
            assert!((0..n).all(|i| (f64::from(z[i]) - expected(i)).abs() < 1e-6));
        }
    }
}

#[test]
fn a_dense_product_is_that_of_its_rows() {
    let n = 67;
    let (a, x) = (random(n * n, 3), random(n, 4));
    let mut y = vec![0.0; n];
    dense(&a, &x, &mut y);
    for (row, y) in a.chunks(n).zip(y) {
        let exact: f64 = row.iter().zip(&x).map(|(a, x)| f64::from(a * x)).sum();
        assert!((f64::from(y) - exact).abs() < 1e-5);
    }
}

#[test]
fn a_product_by_diagonals_is_that_of_the_matrix() {
    let n = 2 * TASK + 77;
    let shifts = [0, 1, 130, n - 130, n - 1, TASK + 5];
    let triplets = shifts
        .iter()
        .flat_map(|&shift| (0..n).map(move |i| (i, (i + shift) % n, ((i + shift) as f32).cos())));
    let matrix = Csr::from_triplets(n, n, triplets).unwrap();
    let x = random(n, 5);
    let (mut y, mut expected) = (vec![7.0; n], vec![0.0; n]);
    diagonals(&Diagonals::new(&matrix, n), &x, &mut y);
    matrix.multiply(&x, &mut expected).unwrap();
    assert!(y.iter().zip(&expected).all(|(y, e)| (y - e).abs() < 1e-5));
}
