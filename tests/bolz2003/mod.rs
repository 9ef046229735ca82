//! Sparse matrix solvers on the GPU: kernels, packing, multigrid, the fluid, the claims.

mod claims;
mod entries;
mod fluid;
mod images;
mod kernels;
mod multigrid;
mod packing;
