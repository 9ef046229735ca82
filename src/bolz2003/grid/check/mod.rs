//! What experiments measure of the grids' textures, and tests demand of them.

pub mod border;
pub mod composition;
