//! Pressure solvers on the CPU, for comparison with the GPU.
//!
//! The paper's CPU took 32.0 s with the diagonal preconditioner and 16.5 s with incomplete Cholesky,
//! its faster GPU 10.3 s. Here both are plain loops on all cores.
//!
//! | file | holds |
//! |---|---|
//! | [`solver`] | the solver, with its options |
//! | [`incomplete_cholesky`] | IC(0) and MIC(0) |
//! | [`wavefront`] | the order of their sweeps on several cores |

pub mod incomplete_cholesky;
pub mod solver;
pub mod wavefront;

pub use incomplete_cholesky::IncompleteCholesky;
pub use solver::{Extent, Preconditioner, host_solver};
