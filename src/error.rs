//! What kind an error is: who can help. The command makes an exit code of it.

use std::fmt::Display;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was given makes no sense or cannot be held, or a result cannot be written.
    Input,
    /// A solver or a simulation has not come to its end.
    Unconverged,
    /// OpenGL is not there, or not as it must be.
    NoGl,
}

/// An error, in one line, that knows its kind.
pub trait WithKind: Display {
    /// The kind; that of its cause where it stands for another error.
    fn error_kind(&self) -> ErrorKind {
        ErrorKind::Input
    }
}

impl WithKind for std::io::Error {}
