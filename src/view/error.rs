//! Errors of windows.

use thiserror::Error;

use crate::base::error::{ErrorKind, WithKind};
use crate::scene::BoxedError;

/// An error of a window or its contents. Every message is one line and gives the remedy.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum ViewError {
    /// There is no display, or no window can be opened on it.
    #[error("no window: {cause}. Use `{instead}` instead, which needs no display.")]
    NoWindow { cause: String, instead: String },
    /// The simulation in the window has failed.
    #[error("{0}")]
    Scene(BoxedError),
}

impl WithKind for ViewError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::NoWindow { .. } => ErrorKind::NoGl,
            Self::Scene(error) => error.error_kind(),
        }
    }
}
