//! Why a command fails: an exit code, and one line for standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::error::{ErrorKind, WithKind};
use crate::solver::Reason;

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

    /// A method that stopped without convergence after so many steps, and what may help.
    pub fn unconverged(
        method: impl Display,
        reason: Reason,
        steps: impl Display,
        [residual, tolerance]: [f64; 2],
        remedy: impl Display,
    ) -> Self {
        let message = format_args!(
            "{method} stopped as {reason} after {steps} at the residual {residual:.3e} (goal \
             {tolerance:.3e}); {remedy}"
        );
        Failure::new(Status::Unconverged, message)
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

impl<E: WithKind> From<E> for Failure {
    fn from(error: E) -> Self {
        let status = match error.error_kind() {
            ErrorKind::Input => Status::Input,
            ErrorKind::Unconverged => Status::Unconverged,
            ErrorKind::NoGl => Status::NoGl,
        };
        Failure::new(status, error)
    }
}
