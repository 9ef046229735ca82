//! What can be wrong with vectors, matrices and their sizes.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::stream::{Format, StreamError};

/// An error of the linear algebra on textures. Every message is one line and says the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AlgebraError {
    /// The textures of a matrix would take more memory than is given to one.
    #[error(
        "{what} takes {:.1} GB of textures, over the limit of {:.1} GB for a matrix; {remedy}",
        *.bytes as f64 / 1e9, *.most as f64 / 1e9
    )]
    TooMuchMemory {
        /// What was to be stored.
        what: String,
        /// The bytes it takes.
        bytes: u64,
        /// The limit ([`super::operations::MOST_BYTES`]).
        most: u64,
        /// The layout that would hold it.
        remedy: String,
    },
    /// A matrix that is not square, or not of the vectors' length.
    #[error(
        "a {rows}x{columns} matrix does not act on vectors of {length} entries; it must be {length}x{length}"
    )]
    Shape {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
        /// Entries of a vector.
        length: usize,
    },
    /// An operator that cannot work on vectors with so many entries in a texel.
    #[error("{what} does not take vectors in {got}; use {needed}")]
    Format {
        /// The operator.
        what: &'static str,
        /// What a texel of the vectors holds.
        got: Format,
        /// What it takes.
        needed: &'static str,
    },
    /// No operand at all.
    #[error("an operation without operands has no result; give at least one")]
    NoOperand,
    /// A number of diagonals or columns in a pass that no program has.
    #[error("{got} {what} a pass are not possible; take 1 to {most}")]
    APass {
        /// Diagonals or columns.
        what: &'static str,
        /// How many were asked for.
        got: usize,
        /// The most there can be.
        most: usize,
    },
    /// A pivot or diagonal entry that is zero or not finite.
    #[error("zero pivot: the pivot of row {row} (counted from 0) is {value}; {remedy}")]
    ZeroPivot {
        /// The row.
        row: usize,
        /// The entry found there.
        value: f64,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The machine failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl WithKind for AlgebraError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}
