//! Sparse matrix solvers on the GPU: kernels, packing, multigrid, the fluid, the experiments.

mod entries;
mod experiments;
mod fluid;
mod images;
mod kernels;
mod multigrid;
mod packing;
