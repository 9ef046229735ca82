//! Systems on small boxes.

use fragstream::base::random::SplitMix64;
use fragstream::batty2003::System;
pub use fragstream::batty2003::study::claims::product::random_system;

/// A liquid of random shape in a box with air around it: symmetric, positive definite, with a random
/// right side.
pub fn liquid_system(size: [usize; 3], seed: u64) -> System<f64> {
    let mut random = SplitMix64::new(seed);
    let mut system = System::zeros(size);
    let is_liquid: Vec<bool> = (0..system.cells()).map(|_| random.uniform() < 0.8).collect();
    for cell in (0..system.cells()).filter(|&cell| is_liquid[cell]) {
        system.right_side[cell] = random.signed();
        // A little for what is in contact with air beyond the box.
        system.diagonal[cell] += 0.1;
        for axis in 0..3 {
            if let Some(other) = system.after(cell, axis) {
                let weight = 0.2 + random.uniform();
                system.diagonal[cell] += weight;
                if is_liquid[other] {
                    system.diagonal[other] += weight;
                    system.upper[axis][cell] = -weight;
                }
            }
        }
    }
    system
}
