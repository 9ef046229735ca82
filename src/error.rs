//! Kinds of errors, from which the command takes its exit codes, and counts in messages.

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

/// A count with its noun, as in `1 cycle`, `2 passes`, `3 frames`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{count} {noun}{plural}")
}
