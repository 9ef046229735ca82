//! The study of the method: timed cases, the solver on the CPU, problems with a known solution, pictures, claims.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub(crate) mod cases;
#[cfg(feature = "plot")]
pub mod claims;
pub mod manufactured;
#[cfg(feature = "plot")]
pub(crate) mod pictures;
pub mod reference;
