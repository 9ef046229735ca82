//! Measurements of the grids' textures for claims and tests.

pub mod border;
pub mod composition;
