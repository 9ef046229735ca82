//! A jet: a scene of the registry.

pub mod jet;
pub mod poisson;

pub use jet::JET;
