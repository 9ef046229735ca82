//! Errors of the tone mapper.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::goodnight2003::{ProblemError, SolverError};
use crate::simulation::Setting;
use crate::stream::StreamError;

/// An error of the tone mapper. Every message is one line and gives the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ToneMapError {
    /// A setting out of its range.
    #[error(transparent)]
    Setting(#[from] Setting),
    /// A pyramid without levels, or with levels beyond a single sample.
    #[error("a {width}x{height} picture has no pyramid of {got} levels. Take 1 to {most}.")]
    Levels {
        /// Requested number of levels.
        got: usize,
        /// Largest number of levels.
        most: usize,
        /// Columns of the picture.
        width: u32,
        /// Rows of the picture.
        height: u32,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl WithKind for ToneMapError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Solver(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}

impl From<StreamError> for ToneMapError {
    fn from(error: StreamError) -> Self {
        Self::Solver(error.into())
    }
}

impl From<ProblemError> for ToneMapError {
    fn from(error: ProblemError) -> Self {
        Self::Solver(error.into())
    }
}
