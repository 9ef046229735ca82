//! What people run and see: a flapping wing.

pub mod wing;

pub use wing::WING;
