//! What can be wrong with a plate.

use thiserror::Error;

use crate::error::WithKind;
use crate::goodnight2003::{ProblemError, Side};
use crate::simulation::Setting;

/// A scene that is no plate whose temperature could be computed. One line: what, where, the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SceneError {
    /// No part of a source lies on the plate.
    #[error("{source_name} lies beside the plate of {width} x {height}; move it, or leave it out")]
    Beside {
        /// Which source.
        source_name: String,
        /// The plate's width.
        width: f64,
        /// The plate's height.
        height: f64,
    },
    /// More heat than single precision holds.
    #[error(
        "{0} heats an area by more than single precision holds (3.4e38); give less power or density"
    )]
    TooStrong(String),
    /// A number out of its range.
    #[error(transparent)]
    Setting(#[from] Setting),
    /// A part of a side to which no condition applies.
    #[error(
        "the {side} side has no condition at {at:.4} along it; let its pieces meet, or give the \
         side a condition for what they leave out"
    )]
    Gap {
        /// The side.
        side: Side,
        /// How far along it.
        at: f64,
    },
    /// A side that is neither periodic nor has a condition.
    #[error(
        "the {0} side has no condition; give it one, or all sides without one by `sides`, or make \
         the plate periodic there"
    )]
    NoCondition(Side),
    /// The problem as it is.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl WithKind for SceneError {}
