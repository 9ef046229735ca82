//! The paper's one error.

use crate::base::error::{ErrorKind, WithKind, with_remedy};
use crate::scene::{NotFinite, Setting};
use crate::stream::{Format, StreamError};

/// An error of the linear algebra on textures, of the water or of the fluid. Every message is one line and gives the
/// remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum Error {
    /// The textures of a matrix would take more than [`MOST_BYTES`](super::MOST_BYTES). The remedy is a layout that fits.
    #[error(
        "{}",
        with_remedy(
            format_args!(
                "{what} takes {:.1} GB of textures, over the limit of {:.1} GB for a matrix",
                *bytes as f64 / 1e9,
                *most as f64 / 1e9
            ),
            remedy
        )
    )]
    TooMuchMemory { what: String, bytes: u64, most: u64, remedy: &'static str },
    /// A matrix that is not square, or does not match the vectors' length.
    #[error(
        "a {rows}x{columns} matrix does not act on vectors of {length} entries. Give a {length}x{length} one."
    )]
    Shape { rows: usize, columns: usize, length: usize },
    /// An operator that does not support the vectors' number of entries per texel.
    #[error("{what} does not take vectors in {got}. Use {needed}.")]
    Format { what: &'static str, got: Format, needed: &'static str },
    /// No operand at all.
    #[error("an operation without operands has no result. Give at least one.")]
    NoOperand,
    /// An unsupported number of diagonals or columns per pass.
    #[error("{got} {what} per pass are not possible. Take 1 to {most}.")]
    PerPass { what: &'static str, got: usize, most: usize },
    /// A pivot or diagonal entry that is zero or not finite.
    #[error(
        "{}",
        with_remedy(
            format_args!("zero pivot: the pivot of row {row} (counted from 0) is {value}"),
            remedy
        )
    )]
    ZeroPivot { row: usize, value: f64, remedy: &'static str },
    /// A decomposition that its observer ended, after this number of columns.
    #[error("the decomposition was ended after {0} columns. Let the observer return true.")]
    Ended(usize),
    /// An invalid setting of a simulation, or an unstable step.
    #[error(transparent)]
    Setting(#[from] Setting),
    /// A state of a simulation that is not finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl WithKind for Error {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::NotFinite(_) => ErrorKind::Unconverged,
            _ => ErrorKind::Input,
        }
    }
}
