//! What the tests share: a machine, random numbers, single precision beside double.

#![allow(dead_code)] // no part uses all of it

use fragstream::random::SplitMix64;
use fragstream::stream::Machine;

/// u: the largest relative error of a rounding to single precision, half of `f32::EPSILON`.
pub const UNIT: f64 = 1.0 / (1u32 << 24) as f64;

pub fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// Numbers from −1 to 1, the same on every machine.
pub fn random(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// A vector in double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// Records of some channels in double precision.
pub fn wide_records<const C: usize>(records: &[[f32; C]]) -> Vec<[f64; C]> {
    records.iter().map(|record| record.map(f64::from)).collect()
}
