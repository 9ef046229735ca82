//! Why a command fails: an exit code, and one line for standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use fragstream::bolz2003::matrix::MatrixError;
use fragstream::experiment::ReportError;
use fragstream::gl::GlError;
use fragstream::io::{InputError, WriteError};
use fragstream::solver::LengthMismatch;
use fragstream::stream::StreamError;

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
}

/// The end of a command that did not do what was asked for.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    message: String,
}

impl Failure {
    /// A failure with this message, which says what is wrong and what helps.
    pub fn new(status: Status, message: impl Display) -> Self {
        let message = message.to_string();
        Failure { status, message }
    }

    /// Something is wrong with a file.
    pub fn in_file(path: &Path, what: impl Display) -> Self {
        Failure::new(Status::Input, format!("{}: {what}", path.display()))
    }

    /// The same failure with the circumstances.
    pub fn because(mut self, circumstances: &str) -> Self {
        self.message += &format!(" ({circumstances})");
        self
    }

    /// Prints the line and gives the exit code.
    pub fn report(self) -> ExitCode {
        // Names of files may hold line breaks, but a message is one line.
        let line: String = self
            .message
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect();
        // Where standard error cannot be written to, the exit code still tells.
        let _ = writeln!(io::stderr(), "fragstream: {line}");
        ExitCode::from(self.status as u8)
    }
}

impl From<io::Error> for Failure {
    /// Of standard output: files have errors of their own, which name them.
    fn from(error: io::Error) -> Self {
        let message = format!("standard output: cannot write: {error}; redirect it elsewhere");
        Failure::new(Status::Input, message)
    }
}

impl From<StreamError> for Failure {
    fn from(error: StreamError) -> Self {
        let status = match error {
            StreamError::Gl(GlError::TooLarge { .. } | GlError::OutOfMemory { .. }) => {
                Status::Input
            }
            _ => Status::NoGl,
        };
        Failure::new(status, error)
    }
}

/// Errors whose message says all, and that input causes.
macro_rules! input_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::new(Status::Input, error)
            }
        })*
    };
}

input_errors!(
    InputError,
    WriteError,
    ReportError,
    MatrixError,
    LengthMismatch
);
