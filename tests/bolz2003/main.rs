//! Sparse matrix solvers on the GPU: kernels, packing, multigrid, the fluid, the experiments.

#[path = "../common/mod.rs"]
mod common;
mod entries;
mod experiments;
mod fluid;
mod images;
mod kernels;
mod multigrid;
mod packing;
