//! Errors of a solver.

use thiserror::Error;

use super::atlas::TooLarge;
use crate::error::{ErrorKind, WithKind};
use crate::goodnight2003::ProblemError;
use crate::stream::{Format, StreamError};

/// A solver that cannot be built or run. Every message is one line and gives the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolverError {
    /// The problem itself.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The grids do not fit in a surface.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// An unavoidable hazard.
    #[error(
        "with storage `two`, passes on coarser levels always read the surface that they write, and \
         `copy` cannot help. Take `barrier`, or storage `one` or `separate`."
    )]
    SameSurface,
    /// Programs without support for periodic sides, in a periodic problem.
    #[error("programs `fast` do not support periodic sides. Take `fastpath` or `original`.")]
    Periodic,
    /// A format that cannot hold a state.
    #[error("{0} does not hold solution, residual and source. Take Rgba32F or Rgba16F.")]
    Precision(Format),
    /// An occlusion query for another norm.
    #[error(
        "an occlusion query tests the largest residual and no other norm. Take Norm::Maximum, or \
         another test."
    )]
    OcclusionNorm,
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl WithKind for SolverError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Problem(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}
