//! The cards of 2003: rules for programs ([`dialect`]), instruction counts ([`count`]), limits ([`limits`]), the
//! cost of a run ([`cost`]), and the bytes that it moves through a texture cache ([`traffic`], [`cache`]). A
//! [`witness`] compares each pass with its program.

pub mod cache;
pub mod cost;
pub mod count;
pub mod dialect;
mod estimate;
pub mod limits;
pub mod traffic;
pub mod witness;
