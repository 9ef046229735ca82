//! Sparse matrix solvers on the GPU: kernels, packing, multigrid, the fluid, the experiments.

#[path = "../common/mod.rs"]
mod common;
mod entries;
mod experiments;
mod fluid;
mod fluid_bench;
mod fluid_formulas;
mod fluid_kernels;
mod fluid_pictures;
mod fluid_step;
mod fluid_twin;
mod images;
mod kernels;
mod multigrid;
mod multigrid_kernels;
mod multigrid_poisson;
mod packing;
