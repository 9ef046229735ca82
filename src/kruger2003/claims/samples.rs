//! Inputs of the checks, the same on every machine.

use crate::kruger2003::matrices::five_point::five_point;
use crate::random::SplitMix64;
use crate::solver::{Csr, CsrError};
use crate::stream::Format;

/// Largest difference in single precision with short sums, relative to the largest value.
pub const BOUND: f64 = 1e-5;

/// The two packings of a vector, by name.
pub const PACKINGS: [(&str, Format); 2] = [
    ("one entry per texel", Format::R32F),
    ("four entries per texel", Format::Rgba32F),
];

/// Entries between -1 and 1.
pub fn vector(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// The same in double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// Up to `longest` entries per row, in random columns.
pub fn sparse(n: usize, longest: usize, seed: u64) -> Result<Csr<f64>, CsrError> {
    let mut random = SplitMix64::new(seed);
    let mut triplets = Vec::new();
    for row in 0..n {
        for _ in 0..random.below(longest + 1) {
            let column = random.below(n);
            triplets.push((row, column, random.signed()));
        }
    }
    Csr::from_triplets(n, n, triplets)
}

/// The five-point stencil on a grid, with `shift` added to its diagonal, which is 4 at the edges as well.
pub fn stencil(width: usize, height: usize, shift: f64) -> Csr<f64> {
    let size = (width as u32, height as u32);
    five_point(size, 1.0, |faces| faces as f64 + shift)
}
