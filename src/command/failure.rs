//! Failures of a command: an exit code, and a message with a remedy.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use crate::error::{ErrorKind, WithKind};
use crate::solver::Reason;

use super::output::note;

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
    /// Interrupted by Ctrl-C.
    Interrupted = 130,
    /// Interrupted by TERM.
    Terminated = 143,
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

    /// A solver that stopped for `reason` after some `steps`, with the residual and the tolerance. The message
    /// ends with `better`, a hint of the command, or with the general hint for the reason.
    pub fn unconverged(
        method: impl Display,
        reason: Reason,
        steps: impl Display,
        [residual, tolerance]: [f64; 2],
        better: Option<String>,
    ) -> Self {
        let hint = better.unwrap_or_else(|| hint(reason).to_owned());
        let message = format_args!(
            "{method} did not converge: {reason} after {steps}, residual {residual:.3e}, tolerance \
             {tolerance:.3e}. {hint}."
        );
        Failure::new(Status::Unconverged, message)
    }

    /// Prints the message and gives the exit code.
    pub fn report(self) -> ExitCode {
        note(format_args!("error: {}", self.message));
        ExitCode::from(self.status as u8)
    }
}

/// The hint for each way of stopping.
fn hint(reason: Reason) -> &'static str {
    match reason {
        Reason::Converged => "It did converge",
        Reason::MaximumIterations => "Allow more with --maxiter, or choose a larger --rtol",
        Reason::Stagnated => {
            "Rounding errors limit the residual: choose a larger --rtol, or a higher precision"
        }
        Reason::Diverged => "Choose a smaller --omega, or more sweeps (--pre, --post)",
        Reason::Indefinite => "The matrix is not positive definite, or nearly singular",
        Reason::IndefinitePreconditioner => {
            "The diagonal is not positive: try --method cg or bicgstab"
        }
        Reason::Breakdown => "The search directions became orthogonal: try another --method",
        Reason::ZeroPivot => "The matrix is singular, or nearly so in single precision",
        Reason::Singular => "The matrix is singular: correct it",
        Reason::Incompatible => {
            "The matrix is singular, and no x solves this right-hand side: correct one of them"
        }
        Reason::NotFinite => {
            "Numbers left the range of single precision: scale the equation, or correct its input"
        }
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
