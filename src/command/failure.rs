//! Why a command fails: an exit code, and one line for standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use fragstream::gl::GlError;
use fragstream::kruger2003::{AlgebraError, SimulationError};
use fragstream::simulation::Setting;
use fragstream::stream::StreamError;
#[cfg(feature = "view")]
use fragstream::view::ViewError;

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

/// What helps where NaN or infinity appeared.
pub const OUT_OF_RANGE: &str =
    "numbers left the range of single precision: scale the equation, or correct its input";

/// The end of a command that did not do what was asked for.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub status: Status,
    /// What is wrong, and what helps.
    pub message: String,
}

impl Failure {
    /// A failure with this message.
    pub fn new(status: Status, message: impl Display) -> Self {
        let message = message.to_string();
        Failure { status, message }
    }

    /// Bad input, or a result that cannot be written, by an error whose message says all.
    pub fn input(error: impl Display) -> Self {
        Failure::new(Status::Input, error)
    }

    /// The same of a file that the error does not name.
    pub fn in_file(path: &Path, what: impl Display) -> Self {
        Failure::input(format_args!("{}: {what}", path.display()))
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
        Failure::input(format_args!(
            "standard output: cannot write: {error}; redirect it elsewhere"
        ))
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

impl From<Setting> for Failure {
    fn from(error: Setting) -> Self {
        Failure::input(error)
    }
}

impl From<AlgebraError> for Failure {
    fn from(error: AlgebraError) -> Self {
        match error {
            AlgebraError::Stream(error) => error.into(),
            error => Failure::input(error),
        }
    }
}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Algebra(error) => error.into(),
            SimulationError::NotFinite(_) => Failure::new(Status::Unconverged, error),
            SimulationError::Setting(_) => Failure::input(error),
        }
    }
}

#[cfg(feature = "view")]
impl<E> From<ViewError<E>> for Failure
where
    Failure: From<E>,
    ViewError<E>: Display,
{
    fn from(error: ViewError<E>) -> Self {
        match error {
            ViewError::Demo(error) => error.into(),
            error @ ViewError::NoWindow { .. } => Failure::new(Status::NoGl, error),
        }
    }
}
