//! Multigrid for boundary value problems: kernels, convergence, heat, tone mapping, the wing.

mod agree;
mod common;
mod convergence;
mod heat;
mod kernels;
mod problems;
mod properties;
mod solver;
mod storage;
mod tonemap;
mod wing;
mod wing_common;
mod wing_kernels;
