//! A flapping wing: a scene of the registry.

pub mod heat;
pub mod wing;

pub use wing::WING;
