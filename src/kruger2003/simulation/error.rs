//! What can go wrong in a simulation.

use thiserror::Error;

use crate::stream::StreamError;

use crate::kruger2003::AlgebraError;

/// An error of the water or of the fluid. Every message is one line and says the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SimulationError {
    /// A setting that makes no sense, or no stable step.
    #[error("{what} is {got}; {remedy}")]
    Setting {
        /// The setting.
        what: &'static str,
        /// Its value.
        got: String,
        /// What to give instead.
        remedy: String,
    },
    /// The state has left the numbers.
    #[error(
        "not finite: {what} is no finite number after {steps} steps; take a smaller time step or weaker forces"
    )]
    NotFinite {
        /// What was found.
        what: &'static str,
        /// Steps done.
        steps: usize,
    },
    /// The linear algebra failed.
    #[error(transparent)]
    Algebra(#[from] AlgebraError),
}

impl From<StreamError> for SimulationError {
    fn from(error: StreamError) -> Self {
        Self::Algebra(error.into())
    }
}

/// An error unless a number is finite and in a range.
pub(crate) fn check(
    what: &'static str,
    value: f64,
    fits: bool,
    remedy: impl Into<String>,
) -> Result<(), SimulationError> {
    if value.is_finite() && fits {
        return Ok(());
    }
    Err(SimulationError::Setting {
        what,
        got: value.to_string(),
        remedy: remedy.into(),
    })
}

/// An error unless the smaller side has so many cells.
pub(crate) fn check_size((width, height): (u32, u32), least: u32) -> Result<(), SimulationError> {
    let smaller = width.min(height);
    let remedy = format!("give at least {least} cells");
    check("the smaller side", smaller.into(), smaller >= least, remedy)
}

/// An error unless a number is a share of something.
pub(crate) fn check_share(what: &'static str, value: f64) -> Result<(), SimulationError> {
    let fits = (0.0..=1.0).contains(&value);
    check(what, value, fits, "give a share from 0 to 1")
}

/// An error unless a step has iterations.
pub(crate) fn check_iterations(iterations: usize) -> Result<(), SimulationError> {
    let what = "the number of iterations";
    check(what, iterations as f64, iterations > 0, "give at least 1")
}
