//! A jet: a scene of the registry.

pub mod jet;

pub use jet::JET;
