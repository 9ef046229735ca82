//! Failures of a command: an exit code, and a message with a remedy.

use std::fmt::Display;
use std::path::Path;

use crate::base::error::{ErrorKind, WithKind};

/// The exit codes other than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// An exact or tolerance claim failed.
    Claim = 1,
    /// Bad usage or input, or a result that cannot be written.
    Input = 2,
    /// A solver did not converge.
    Unconverged = 3,
    /// No usable OpenGL.
    NoGl = 4,
    /// Ended by HUP: the terminal was closed.
    HungUp = 129,
    /// Ended by INT: Ctrl-C.
    Interrupted = 130,
    /// Ended by QUIT.
    Quit = 131,
    /// Ended by TERM.
    Terminated = 143,
    /// Ended by XCPU: the limit on CPU time.
    OutOfTime = 152,
}

/// A command that failed.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub status: Status,
    /// The fault and its remedy.
    pub message: String,
}

impl Failure {
    /// A failure with this message.
    pub fn new(status: Status, message: impl Display) -> Self {
        let message = message.to_string();
        Failure { status, message }
    }

    /// Bad input, or a result that cannot be written.
    pub fn input(error: impl Display) -> Self {
        Failure::new(Status::Input, error)
    }

    /// Bad input in a file that the error does not name.
    pub fn in_file(path: &Path, what: impl Display) -> Self {
        Failure::input(format_args!("{}: {what}", path.display()))
    }
}

impl<E: WithKind> From<E> for Failure {
    fn from(error: E) -> Self {
        let status = match error.error_kind() {
            ErrorKind::Input => Status::Input,
            ErrorKind::Unconverged => Status::Unconverged,
            ErrorKind::NoGl | ErrorKind::Lacking => Status::NoGl,
        };
        Failure::new(status, error)
    }
}
