//! What the tests of kruger2003 share. Not every file needs all of it.

#![allow(dead_code)]

#[path = "../common/mod.rs"]
mod shared;

use fragstream::solver::Csr;

pub use shared::*;

/// A small generator of numbers in [-1, 1), the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1u32 << 23) - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f64) as usize
    }

    pub fn vector(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.next() as f32).collect()
    }
}

/// A x in double precision.
pub fn product(matrix: &Csr<f64>, x: &[f32]) -> Vec<f64> {
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(&wide(x), &mut y).expect("of one size");
    y
}
