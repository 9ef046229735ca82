//! The cards of 2003: rules for programs ([`dialect`]), instruction counts ([`count`]), limits ([`limits`]), the
//! cost of a run ([`cost`]), the machine code by others ([`mesa`]), and the bytes that it moves through a texture cache ([`traffic`], [`cache`]).

pub mod cache;
pub mod cost;
pub mod count;
pub mod dialect;
pub(crate) mod interpreted;
pub mod limits;
pub mod mesa;
pub mod traffic;
