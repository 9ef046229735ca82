//! A solve with a command: Poisson's equation by finite elements.

pub(super) mod coarse;
mod conditions;
pub mod fem;
mod given;
mod mesh_source;

pub use fem::FEM;
