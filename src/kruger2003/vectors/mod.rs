//! Vectors in textures, and the operators on them (sections 2, 3 and 6).

pub mod accumulate;
pub mod algebra;
pub mod error;
pub mod layout;
pub mod vector;
