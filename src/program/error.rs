//! Errors of listings.

use super::dialect::{Violation, report};
use super::front::Fault;
use crate::error::WithKind;

/// A program that has no listing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The text is not a program of the dialect, or uses something without an instruction.
    #[error("{}", report(.0))]
    Refused(Vec<Violation>),
    /// No instruction computes in double precision. The program can be counted, as if it were single.
    #[error(
        "no card of 2003 computes in double precision. Choose a variant in single precision or with pairs."
    )]
    Double,
}

impl CountError {
    pub(super) fn refused(source: &str, faults: Vec<Fault>) -> Self {
        Self::Refused(faults.into_iter().map(|one| Violation::new("", source, one)).collect())
    }
}

impl WithKind for CountError {}
