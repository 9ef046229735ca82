//! The study of the method: timed cases, pictures of meshes, claims.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub(crate) mod cases;
#[cfg(feature = "plot")]
pub mod claims;
#[cfg(feature = "plot")]
pub mod mesh_picture;
