//! Grids in quadrants, and multigrid on them (section 4).

pub mod check;
pub mod coarsest_inverse;
pub mod equation;
pub mod geometry;
pub mod hierarchy;
pub mod kernels;
pub mod layering;
pub mod level;
pub mod poisson;
pub mod stencil;
pub mod timing;
pub mod twin;

pub use geometry::{Boundary, Grid, GridError, Sides};
