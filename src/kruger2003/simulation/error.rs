//! Errors of a simulation.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::kruger2003::AlgebraError;
use crate::simulation::{NotFinite, Setting};
use crate::stream::{Size, StreamError};

/// An error of the water or of the fluid. Every message is one line and gives the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SimulationError {
    /// An invalid setting, or an unstable step.
    #[error(transparent)]
    Setting(#[from] Setting),
    /// The state is no longer finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The linear algebra failed.
    #[error(transparent)]
    Algebra(#[from] AlgebraError),
}

impl WithKind for SimulationError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Algebra(error) => error.error_kind(),
            Self::NotFinite(_) => ErrorKind::Unconverged,
            Self::Setting(_) => ErrorKind::Input,
        }
    }
}

impl From<StreamError> for SimulationError {
    fn from(error: StreamError) -> Self {
        Self::Algebra(error.into())
    }
}

impl SimulationError {
    /// Error for a state that is not finite after this many steps.
    pub(super) fn not_finite(what: &'static str, steps: usize) -> Self {
        let remedy = "take a smaller time step or weaker forces";
        NotFinite {
            what,
            steps,
            remedy,
        }
        .into()
    }
}

/// Fails unless the smaller side has at least this many cells.
pub(crate) fn check_size((width, height): Size, least: u32) -> Result<(), Setting> {
    let smaller = width.min(height);
    let remedy = format!("give at least {least} cells");
    Setting::check("the smaller side", smaller.into(), smaller >= least, remedy)
}

/// Fails unless a number is between 0 and 1.
pub(crate) fn check_share(what: &'static str, value: f64) -> Result<(), Setting> {
    let fits = (0.0..=1.0).contains(&value);
    Setting::check(what, value, fits, "give a share from 0 to 1")
}
