//! What the tests of kruger2003 share. Not every file needs all of it.

#![allow(dead_code)]

use fragstream::solver::Csr;
use fragstream::stream::Machine;

pub fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// A small generator of numbers in [-1, 1), the same on every machine.
#[allow(dead_code)]
pub struct Random(pub u64);

impl Random {
    #[allow(dead_code)]
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

    #[allow(dead_code)]
    pub fn vector(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.next() as f32).collect()
    }
}

/// The largest difference, as a fraction of the largest value expected.
pub fn difference(got: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let largest = expected
        .iter()
        .fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
    let pairs = got.iter().zip(expected);
    pairs
        .map(|(&g, e)| {
            let error = (f64::from(g) - e).abs() / largest;
            if error.is_nan() { f64::INFINITY } else { error }
        })
        .fold(0.0, f64::max)
}

/// A vector in double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// A x in double precision.
pub fn product(matrix: &Csr<f64>, x: &[f32]) -> Vec<f64> {
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(&wide(x), &mut y).expect("of one size");
    y
}
