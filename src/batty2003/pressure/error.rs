//! Why a pressure cannot be solved for.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::solver::LengthMismatch;
use crate::stream::StreamError;

/// Why a pressure cannot be solved for.
#[derive(Debug, Error)]
pub enum PressureError {
    /// The stream processor's.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// Vectors and system differ in size.
    #[error(transparent)]
    Length(#[from] LengthMismatch),
}

impl WithKind for PressureError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Length(_) => ErrorKind::Input,
        }
    }
}
