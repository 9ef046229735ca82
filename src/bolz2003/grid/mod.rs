//! Grids in quadrants, and multigrid on them (section 4).

pub mod equation;
pub mod geometry;
pub mod hierarchy;
pub mod kernels;
pub mod layering;
pub mod level;
pub mod named;
pub mod poisson;
pub mod solution;
pub mod stencil;

pub use geometry::{Boundary, Grid, Sides};
