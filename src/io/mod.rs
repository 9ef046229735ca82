//! Files: triangle meshes (PLY, OBJ, OFF), matrices (Matrix Market), vectors, and writing them without leaving a part.

pub mod atomic;
pub mod error;
pub mod matrix_market;
pub mod obj;
pub mod off;
pub mod ply;
