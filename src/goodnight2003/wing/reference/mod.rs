//! The flow round a body once more, on the CPU in double precision: what the machine's is judged by.
//! Bodies with conformal coordinates, whose Poisson equation has constant coefficients.

mod flow;
pub mod formulas;
mod poisson;

pub use flow::{Reference, lattice, nodes};
pub use poisson::solve;
