//! What can go wrong with a window.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};

/// An error of a window, or of what it shows. Every message is one line and says the remedy.
#[derive(Debug, Error)]
pub enum ViewError<E> {
    /// There is no display, or none that a window can be opened on.
    #[error("no window: {cause}; use `{instead}` instead, which needs no display")]
    NoWindow {
        /// Message of the system.
        cause: String,
        /// The command that does the same without a window.
        instead: &'static str,
    },
    /// The simulation in the window has failed.
    #[error(transparent)]
    Demo(E),
}

impl<E: WithKind + std::error::Error + 'static> WithKind for ViewError<E> {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::NoWindow { .. } => ErrorKind::NoGl,
            Self::Demo(error) => error.error_kind(),
        }
    }
}
