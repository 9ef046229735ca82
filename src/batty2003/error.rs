//! Why a liquid cannot go on.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::io::WriteError;
use crate::simulation::{NotFinite, Setting};
use crate::solver::{LengthMismatch, Reason};
use crate::stream::StreamError;

/// Why a liquid cannot go on, or its pressure cannot be solved for.
#[derive(Debug, Error)]
pub enum LiquidError {
    /// The scene makes no sense.
    #[error(transparent)]
    Scene(#[from] Setting),
    /// The stream processor's.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// Vectors and system differ in length.
    #[error(transparent)]
    Length(#[from] LengthMismatch),
    /// Cells would be taken for others.
    #[error(
        "the system is of {found:?} cells and its solver for {expected:?}; make one of its size"
    )]
    OtherSize {
        /// The size that the solver is for.
        expected: [usize; 3],
        /// The size of the system.
        found: [usize; 3],
    },
    /// Texels could not be filled.
    #[error(
        "a grid of {}x{}x{} cells does not fill texels of four: cells along x must be a multiple of 4, and there must be some; change the grid's size, or solve on the CPU",
        size[0], size[1], size[2]
    )]
    Size {
        /// nx, ny, nz
        size: [usize; 3],
    },
    /// A float cannot tell the texels of so large a texture apart.
    #[error(
        "the index {index} is not exact on a {width}x{height} texture, whose texels a 32-bit float cannot tell apart that way; use the index carry"
    )]
    Precision {
        /// The index.
        index: &'static str,
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A number that is not finite would spread by zero coefficients, for zero times it is not zero.
    #[error("{what} holds a number that is not finite, for cell {cell}; look at what computed it")]
    NotFinite {
        /// What of the system it is.
        what: &'static str,
        /// The cell: i + nx (j + ny k).
        cell: usize,
    },
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
    /// The velocity has left the numbers.
    #[error(transparent)]
    Velocity(#[from] NotFinite),
    /// A surface cannot be written.
    #[error(transparent)]
    Surface(#[from] WriteError),
}

impl WithKind for LiquidError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Surface(error) => error.error_kind(),
            Self::Unconverged { .. } | Self::Velocity(_) => ErrorKind::Unconverged,
            _ => ErrorKind::Input,
        }
    }
}
