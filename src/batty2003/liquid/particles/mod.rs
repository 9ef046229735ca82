//! The particles: their data, their motion, and the transfer of velocities to the grid and back.

pub mod advection;
pub mod particle;
pub mod transfer;

pub use particle::{PER_CELL, Particle, Particles};
