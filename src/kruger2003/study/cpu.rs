//! The baseline of the claim `gap` (Krüger and Westermann 2003, section 6): the same operations
//! tuned for the CPU, in single precision on all cores.
//!
//! Loops run over slices of one length, so that the compiler can use vector registers.

use crate::base::parallel::parts;
use crate::kruger2003::diagonals::Diagonals;
use crate::solver::Operation;
use crate::timing::cpu::{TASK, dot};

/// z ← (α x) op (β y), entry by entry. All must have the same length.
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

/// y ← A x for a dense matrix, stored row by row: `a` has x.len() · y.len() entries.
pub fn dense(a: &[f32], x: &[f32], y: &mut [f32]) {
    parts(y, TASK / x.len(), &|first, y| {
        let rows = a[first * x.len()..].chunks(x.len());
        for (row, y) in rows.zip(y) {
            *y = dot(row, x);
        }
    });
}

/// y ← A x for a matrix as diagonals. x and y must have the diagonals' length.
pub fn diagonals(matrix: &Diagonals<f32>, x: &[f32], y: &mut [f32]) {
    parts(y, TASK, &|start, y| {
        y.fill(0.0);
        for (&number, diagonal) in &matrix.entries {
            // x is read from here to its end, and then from its beginning.
            let from = (start + number) % matrix.order;
            let ahead = (matrix.order - from).min(y.len());
            for (rows, x) in [(0..ahead, &x[from..]), (ahead..y.len(), x)] {
                let diagonal = &diagonal[start..][rows.clone()];
                for ((y, d), x) in y[rows].iter_mut().zip(diagonal).zip(x) {
                    *y += d * x;
                }
            }
        }
    });
}
