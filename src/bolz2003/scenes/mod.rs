//! What people run and see: a jet.

pub mod jet;

pub use jet::JET;
