//! Water and dye: scenes of the registry.

pub mod dye;
pub mod picture;
pub mod water;

use crate::base::random::SplitMix64;

/// A number from 0 to 1: element `number` of the seed's sequence.
fn random(seed: u64, number: u64) -> f32 {
    SplitMix64::new(seed).skip(number).uniform() as f32
}
