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
}

impl WithKind for PressureError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}
