//! Multigrid for boundary value problems: kernels, convergence, heat, tone mapping, the wing.

mod claims {
    crate::common::claims::binding!(goodnight2003);
}
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
