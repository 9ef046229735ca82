//! The study of the method: timed cases, the hierarchy on the CPU, pictures of rectangles and of packing, claims.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub mod cases;
#[cfg(feature = "plot")]
pub mod claims;
#[cfg(feature = "plot")]
pub mod pictures;
pub mod reference;
