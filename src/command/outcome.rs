//! The end of a solve: files are written, the result is printed, and a solver that did not converge fails.

use serde::Serialize;

use crate::base::error::counted;
use crate::solver::{Ending, Reason};

use super::failure::{Failure, Status};
use super::output::Target;
use super::session::Session;

/// A finished solve.
pub struct Outcome {
    /// Method, such as `multigrid`.
    pub method: String,
    /// Reason for stopping.
    pub reason: Ending,
    /// Work done, such as `12 cycles`.
    pub steps: String,
    /// Residual and tolerance.
    pub norms: [f64; 2],
    /// True if the result is good enough for its use although it has not converged.
    pub suffices: bool,
    /// Hint for this input instead of the general one for the reason.
    pub hint: Option<String>,
}

/// A file, if there is a result to write into it, and how it is written.
pub type File<'a> = (bool, Option<&'a Target>, &'a dyn Fn(&Target) -> Result<(), Failure>);

impl Outcome {
    /// A solve by multigrid, with its residual and its tolerance.
    pub fn of_cycles(reason: Ending, cycles: usize, norms: [f64; 2]) -> Self {
        let (method, steps) = ("multigrid".to_owned(), counted(cycles, "cycle"));
        Self { method, reason, steps, norms, suffices: false, hint: None }
    }

    /// Writes the files, prints, and fails unless the solver converged.
    pub fn end(
        self,
        files: &[File<'_>],
        session: &mut Session,
        settings: &impl Serialize,
        result: &impl Serialize,
    ) -> Result<(), Failure> {
        for &(is_there, file, write) in files {
            match file {
                Some(file) if is_there => write(file)?,
                Some(file) => file.leave(),
                None => {}
            }
        }
        session.print(settings, result)?;
        let Self { method, reason, steps, norms: [residual, tolerance], suffices, hint } = self;
        if suffices || reason.is_converged() {
            return Ok(());
        }
        let hint = hint.as_deref().unwrap_or_else(|| match *reason {
            Reason::MaximumIterations if residual <= tolerance => OF_THE_ERROR,
            reason => general_hint(reason),
        });
        let message = format_args!(
            "{method} did not converge: {reason} after {steps}, residual {residual:.3e}, tolerance \
             {tolerance:.3e}. {hint}."
        );
        Err(Failure::new(Status::Unconverged, message))
    }
}

/// The hint where the residual is small, but not the error that the last cycles let expect.
const OF_THE_ERROR: &str = "The residual is small, but not the error that the last two cycles let expect: allow more with --maxiter";

/// The hint for each way in which cycles stop.
fn general_hint(reason: Reason) -> &'static str {
    match reason {
        Reason::MaximumIterations => "Allow more with --maxiter",
        Reason::Stagnated => "Rounding errors limit the residual: choose a larger --rtol",
        // Every equation is scaled, so that only growth leaves the range of numbers.
        _ => "Choose a smaller --omega",
    }
}
