//! The study of the method: timed cases, matrices and vectors on the CPU, claims, and the paper's timings that several of them use.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub(crate) mod cases;
#[cfg(feature = "plot")]
pub mod claims;
pub mod cpu;

/// Milliseconds of a product of two vectors with 1024² entries (section 6).
pub const VECTOR_PRODUCT: f64 = 0.72;
/// Milliseconds of the product of the wave equation's matrix, six diagonals, with such a vector.
pub const SIX_DIAGONALS: f64 = 4.54;
