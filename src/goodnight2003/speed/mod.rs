//! Timings: variants compared with each other, with the trivial program, and with the CPU (§6,
//! §7.1).

pub mod bench;
pub mod cycles;
pub mod half_sweep;
pub mod problems;

use super::{ProblemError, SolverError};
use crate::timing::TimingError;

impl From<ProblemError> for TimingError {
    fn from(error: ProblemError) -> Self {
        TimingError::Case(error.into())
    }
}

impl From<SolverError> for TimingError {
    fn from(error: SolverError) -> Self {
        match error {
            SolverError::Stream(error) => error.into(),
            error => TimingError::Case(error.into()),
        }
    }
}
