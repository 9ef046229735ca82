//! The particles: what they are, how they move, and how velocities go to the grid and back.

pub mod advection;
pub mod particle;
pub mod transfer;

pub use particle::{PER_CELL, Particle, Particles};
