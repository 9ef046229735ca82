//! Why a liquid cannot go on.

use thiserror::Error;

use crate::batty2003::pressure::PressureError;
use crate::error::{ErrorKind, WithKind};
use crate::io::WriteError;
use crate::simulation::{NotFinite, Setting};
use crate::solver::Reason;
use crate::stream::StreamError;

/// Why a liquid cannot go on.
#[derive(Debug, Error)]
pub enum LiquidError {
    /// The scene makes no sense.
    #[error(transparent)]
    Scene(#[from] Setting),
    /// The pressure's solver failed.
    #[error(transparent)]
    Pressure(#[from] PressureError),
    /// The pressure was not found. The liquid is as it was before the projection.
    #[error(
        "step {step}: the pressure is not solved for after {iterations} iterations ({reason}); \
         allow more of them, or a larger --rtol"
    )]
    Unconverged {
        /// Which step it was, from 1.
        step: usize,
        /// Iterations done.
        iterations: usize,
        /// Why the solver stopped.
        reason: Reason,
    },
    /// A surface cannot be written.
    #[error(transparent)]
    Surface(#[from] WriteError),
    /// The velocity has left the numbers.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl From<StreamError> for LiquidError {
    fn from(error: StreamError) -> Self {
        Self::Pressure(error.into())
    }
}

impl WithKind for LiquidError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Scene(error) => error.error_kind(),
            Self::Pressure(error) => error.error_kind(),
            Self::Surface(error) => error.error_kind(),
            Self::Unconverged { .. } | Self::NotFinite(_) => ErrorKind::Unconverged,
        }
    }
}
