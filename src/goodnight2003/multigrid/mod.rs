//! Multigrid in the textures of one buffer.

pub mod atlas;
pub mod convergence;
pub mod levels;
pub mod maps;
pub mod programs;
pub mod refinement;
pub mod settings;
pub mod solver;
pub mod storage;
