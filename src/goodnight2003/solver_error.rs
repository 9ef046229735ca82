//! What can be wrong with a solver.

use thiserror::Error;

use super::ProblemError;
use super::atlas::TooLarge;
use crate::stream::StreamError;

/// A solver that cannot be built or run. Every message is one line and says the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolverError {
    /// The problem itself.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The grids do not fit a surface.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Full multigrid.
    #[error(
        "a texel holds one source a node, so right sides cannot be projected apart from residuals \
         (full multigrid); solve by cycles"
    )]
    OneSource,
    /// A cycle that starts from nothing on the finest grid.
    #[error("the finest grid's state is given; start the cycle from it, or set the solution to zero")]
    FinestFromZero,
    /// What the stream processor says.
    #[error(transparent)]
    Stream(#[from] StreamError),
}
