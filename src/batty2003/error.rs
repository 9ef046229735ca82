//! Errors of a liquid.

use crate::base::error::{ErrorKind, WithKind};
use crate::io::WriteError;
use crate::scene::{NotFinite, Setting};
use crate::solver::{Ending, LengthMismatch};
use crate::stream::StreamError;

/// Reason why a liquid cannot be simulated further, or its pressure cannot be computed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum Error {
    /// An invalid scene.
    #[error(transparent)]
    Scene(#[from] Setting),
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// Vectors and system differ in length.
    #[error(transparent)]
    Length(#[from] LengthMismatch),
    /// A solver for another size.
    #[error(
        "the solver was built for {expected:?} cells, the system has {found:?}. Build a solver of its size."
    )]
    OtherSize { expected: [usize; 3], found: [usize; 3] },
    /// A grid that does not fill texels.
    #[error(
        "a grid of {}x{}x{} cells does not fill texels of four. Take a positive multiple of 4 cells along x, or solve \
         on the CPU.",
        size[0], size[1], size[2]
    )]
    Size { size: [usize; 3] },
    /// A texture whose texels the index cannot distinguish in single precision.
    #[error(
        "the index {index} is not exact on a {width}x{height} texture, whose texels it cannot distinguish in 32-bit \
         floats. Use the index carry."
    )]
    Precision { index: &'static str, width: u32, height: u32 },
    /// A number of the system that is not finite, at cell i + nx (j + ny k). It would spread through zero coefficients, since zero times it is not zero.
    #[error("{what} is not finite at cell {cell}. Check its computation.")]
    NotFinite { what: &'static str, cell: usize },
    /// The pressure was not found. The liquid is in its state before the projection.
    #[error(
        "step {step}: the pressure has not converged after {iterations} iterations ({reason}). \
         Allow more iterations, or a larger --rtol."
    )]
    Unconverged { step: usize, iterations: usize, reason: Ending },
    /// The velocity is no longer finite.
    #[error(transparent)]
    Velocity(#[from] NotFinite),
    /// A surface cannot be written.
    #[error(transparent)]
    Surface(#[from] WriteError),
}

impl WithKind for Error {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Surface(error) => error.error_kind(),
            Self::Unconverged { .. } | Self::Velocity(_) => ErrorKind::Unconverged,
            _ => ErrorKind::Input,
        }
    }
}
