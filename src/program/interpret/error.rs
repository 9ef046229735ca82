//! Errors of the interpreter.

use crate::base::error::WithKind;
use crate::program::CountError;

/// A program that cannot be interpreted, or a run that cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum InterpretError {
    /// The text uses something without an operation.
    #[error(transparent)]
    Program(#[from] CountError),
    /// A stream or constant of the program is not bound.
    #[error("`{name}` has no value. Bind it before the run.")]
    Missing { name: String },
    /// A stream or constant is bound that the program does not declare.
    #[error("the program declares no `{name}` of this size. Bind only names that it declares.")]
    Unknown { name: String },
    /// The program of points takes a difference between neighbouring fragments, which points do not have.
    #[error("a point has no neighbours for dFdx, dFdy and fwidth. Draw rectangles.")]
    Neighbours,
    /// A stream cannot be read back.
    #[error("a stream cannot be read back: {0}")]
    ReadBack(String),
    /// The rectangle or point reaches beyond the target.
    #[error("the target is {} x {}. Draw inside of it.", size.0, size.1)]
    Outside { size: (usize, usize) },
}

impl WithKind for InterpretError {}
