//! What the tests of goodnight2003 share. Not every file needs all of it.

#![allow(dead_code)]

pub mod problems;

use fragstream::stream::Machine;

pub fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// Numbers between -1 and 1, always the same.
pub fn random(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(state >> 8) / f64::from(1 << 23) - 1.0) as f32
    };
    (0..count).map(|_| next()).collect()
}
