//! A flapping wing: a scene of the registry.

pub mod wing;

pub use wing::WING;
