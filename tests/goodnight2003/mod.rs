//! Multigrid for boundary value problems: kernels, convergence, heat, tone mapping, the wing.

mod claims;
mod convergence;
mod heat;
mod host;
mod kernels;
mod problems;
mod properties;
mod solver;
mod storage;
mod tonemap;
mod wing;
