//! The study of the method: timed cases, matrices and vectors on the CPU, claims.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub(crate) mod cases;
#[cfg(feature = "plot")]
pub mod claims;
pub mod cpu;
