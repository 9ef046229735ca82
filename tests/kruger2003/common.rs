//! What the tests of kruger2003 share. Not every file needs all of it.

#![allow(dead_code)]

#[path = "../common/mod.rs"]
mod shared;

use fragstream::solver::Csr;

pub use shared::*;

/// A x in double precision.
pub fn product(matrix: &Csr<f64>, x: &[f32]) -> Vec<f64> {
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(&wide(x), &mut y).expect("of one size");
    y
}
