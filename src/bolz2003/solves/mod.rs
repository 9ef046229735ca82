//! Solves with a command: Poisson's equation.

pub mod poisson;
mod right_side;

pub use poisson::POISSON;
