//! How results are judged, and random systems.

use crate::batty2003::pressure::System;
use crate::random::SplitMix64;

/// A matrix of random entries of both signs on a box with some walls in it, symmetric.
pub fn random_system(size: [usize; 3], seed: u64) -> System<f64> {
    let mut random = SplitMix64::new(seed);
    let mut system = System::zeros(size);
    for cell in 0..system.cells() {
        system.diagonal[cell] = random.signed();
        for axis in 0..3 {
            if system.after(cell, axis).is_some() && random.below(5) > 0 {
                system.upper[axis][cell] = random.signed();
            }
        }
    }
    system
}

/// As in `1 : 2.07 : 2.99`.
pub fn proportion(parts: &[f64]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("{part:.2}")).collect();
    parts.join(" : ")
}
