//! Algorithms written once, over traits: vector spaces, operators, conjugate gradients.

pub mod conjugate_gradients;
pub mod csr;
pub mod host;
pub mod real;
pub mod space;
pub mod stopping;
