//! The baseline of the claim `gap` (Krüger and Westermann 2003, section 6): the same operations as
//! a CPU does them best, in single precision on all cores.
//!
//! Loops run over slices of one length, so that the compiler can use vector registers.

use super::matrices::diagonals::Diagonals;
use crate::parallel::parts;
use crate::solver::Operation;
use crate::timing::cpu::{TASK, dot};

/// z ← (α x) op (β y), entry by entry. All must be of one length.
pub fn combine(op: Operation, (alpha, x): (f32, &[f32]), (beta, y): (f32, &[f32]), z: &mut [f32]) {
    match op {
        Operation::Add => each(x, y, z, |x, y| alpha * x + beta * y),
        Operation::Subtract => each(x, y, z, |x, y| alpha * x - beta * y),
        Operation::Multiply => each(x, y, z, |x, y| (alpha * beta) * (x * y)),
    }
}

fn each(x: &[f32], y: &[f32], z: &mut [f32], f: impl Fn(f32, f32) -> f32 + Sync) {
    parts(z, TASK, &|first, z| {
        for ((z, x), y) in z.iter_mut().zip(&x[first..]).zip(&y[first..]) {
            *z = f(*x, *y);
        }
    });
}

/// y ← A x for a dense matrix, stored row by row: `a` has as many entries as x times y.
pub fn dense(a: &[f32], x: &[f32], y: &mut [f32]) {
    parts(y, TASK / x.len(), &|first, y| {
        let rows = a[first * x.len()..].chunks(x.len());
        for (row, y) in rows.zip(y) {
            *y = dot(row, x);
        }
    });
}

/// y ← A x for a matrix as diagonals. x and y must have their length.
pub fn diagonals(matrix: &Diagonals<f32>, x: &[f32], y: &mut [f32]) {
    let n = matrix.order;
    parts(y, TASK, &|start, y| {
        y.fill(0.0);
        for (&number, diagonal) in &matrix.entries {
            let diagonal = &diagonal[start..start + y.len()];
            // Of x, what the task needs goes on at the beginning where it reaches the end.
            let from = (start + number) % n;
            let before_end = (n - from).min(y.len());
            let (y_head, y_tail) = y.split_at_mut(before_end);
            let (d_head, d_tail) = diagonal.split_at(before_end);
            add_products(y_head, d_head, &x[from..]);
            add_products(y_tail, d_tail, x);
        }
    });
}

/// y ← y + d x, entry by entry.
fn add_products(y: &mut [f32], d: &[f32], x: &[f32]) {
    for ((y, d), x) in y.iter_mut().zip(d).zip(x) {
        *y += d * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Csr;

    fn values(n: usize, seed: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 7919 + seed) as f32).sin()).collect()
    }

    #[test]
    fn operations_on_entries_are_those_of_their_tasks() {
        for n in [1, 15, 16, 17, TASK - 1, TASK + 1, 3 * TASK + 5] {
            let (x, y) = (values(n, 1), values(n, 2));
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
        let (a, x) = (values(n * n, 3), values(n, 4));
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
        let triplets = shifts.iter().flat_map(|&shift| {
            (0..n).map(move |i| (i, (i + shift) % n, ((i + shift) as f32).cos()))
        });
        let matrix = Csr::from_triplets(n, n, triplets).unwrap();
        let x = values(n, 5);
        let (mut y, mut expected) = (vec![7.0; n], vec![0.0; n]);
        diagonals(&Diagonals::new(&matrix, n), &x, &mut y);
        matrix.multiply(&x, &mut expected).unwrap();
        assert!(y.iter().zip(&expected).all(|(y, e)| (y - e).abs() < 1e-5));
    }
}
