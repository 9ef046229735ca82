//! The operations on vectors in textures (sections 3 and 6), and accumulation over several passes.

pub mod accumulate;
pub mod error;
pub mod operations;
