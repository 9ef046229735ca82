//! Grids in quadrants, and multigrid on them (section 4).

pub mod geometry;
pub mod hierarchy;
pub mod kernels;
pub mod layering;
pub mod level;
pub mod pair_residual;
pub mod stencil;

pub use geometry::{Boundary, Grid, Sides};
