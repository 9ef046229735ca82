//! The CPU's own solvers of the pressure: what the card is compared with.
//!
//! The paper's CPU took 32.0 s with the diagonal preconditioner and 16.5 s with incomplete Cholesky,
//! its faster card 10.3 s. Both are here as a CPU of today does them best: on all cores, inner
//! products taken along with the sweeps that bring their vectors in, and, if wanted, on the liquid
//! alone.
//!
//! | file | holds |
//! |---|---|
//! | [`solver`] | the solver, with its choices |
//! | [`space`] | which cells are swept; vectors that know the last sweep's inner product |
//! | [`incomplete_cholesky`] | IC(0) and MIC(0) |
//! | [`wavefront`] | the order in which their sweeps can run on several cores |

pub mod incomplete_cholesky;
pub mod solver;
pub mod space;
pub mod wavefront;

pub use incomplete_cholesky::IncompleteCholesky;
pub use solver::{Preconditioner, host_solver};
pub use space::Extent;
