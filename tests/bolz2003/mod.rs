//! Sparse matrix solvers on the GPU: kernels, packing, multigrid, the fluid, the claims.

mod claims {
    crate::common::claims::binding!(bolz2003);
}
mod entries;
mod fluid;
mod images;
mod invariants;
mod kernels;
mod multigrid;
mod packing;
