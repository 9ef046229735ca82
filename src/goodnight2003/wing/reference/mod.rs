//! The reference of the flow around a body, on the CPU in double precision.
//! For bodies with conformal coordinates, whose Poisson equation has constant coefficients.

mod flow;
pub mod formulas;
mod poisson;

pub use flow::{Reference, lattice, nodes};
pub use poisson::solve;
