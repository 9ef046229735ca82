//! Section 4.2: multigrid.

pub mod batch;
pub mod finest_residual;
pub mod fmg;
pub mod four_channels;
pub mod galerkin;
pub mod grid_problem;
pub mod layering;
pub mod order_n;
pub mod vcycle;
