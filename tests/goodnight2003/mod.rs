//! Multigrid for boundary value problems: kernels, convergence, heat, tone mapping, the wing.

mod claims;
mod convergence;
mod heat;
mod host;
mod kernels;
mod kinds;
mod properties;
mod solver;
mod storage;
mod tonemap;
mod wing;
