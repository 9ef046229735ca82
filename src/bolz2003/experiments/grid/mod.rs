//! Section 4.2: multigrid.

pub mod batch;
pub mod duplicates;
pub mod finest_residual;
pub mod fmg;
pub mod four_channels;
pub mod galerkin;
pub mod grid_problem;
pub mod layering;
pub mod order_n;
pub mod periodic;
pub mod vcycle;
