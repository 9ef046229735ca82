//! Inputs of the experiments, the same on every machine, and how results are judged.

use crate::claim::{Claim, Finding};
use crate::random::SplitMix64;
use crate::solver::{Csr, CsrError};

/// Single precision with a short sum allows this much of the largest value.
pub const BOUND: f64 = 1e-5;

/// Entries between -1 and 1.
pub fn vector(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// The same in double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// Up to `longest` entries a row at random places.
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

/// The five-point stencil on a grid, with so much added to its diagonal.
pub fn stencil(width: usize, height: usize, shift: f64) -> Result<Csr<f64>, CsrError> {
    let n = width * height;
    let mut triplets = Vec::new();
    for i in 0..n {
        triplets.push((i, i, 4.0 + shift));
        if i % width > 0 {
            triplets.extend([(i, i - 1, -1.0), (i - 1, i, -1.0)]);
        }
        if i >= width {
            triplets.extend([(i, i - width, -1.0), (i - width, i, -1.0)]);
        }
    }
    Csr::from_triplets(n, n, triplets)
}

/// The verdict on an error: at most `bound`.
pub fn judge(claim: Claim, error: f64, bound: f64, remark: String) -> Finding {
    let measured = format!("largest relative difference {error:.1e}");
    let why = match error <= bound {
        true => remark,
        false => format!("it is over {bound:.0e}; {remark}"),
    };
    claim.judge(error <= bound, measured, why)
}
