//! The study of the method: timed cases, the numbers that the paper prints about its programs, claims.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub(crate) mod cases;
#[cfg(feature = "plot")]
pub mod claims;
pub mod printed;
pub mod table;
