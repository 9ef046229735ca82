//! Errors of plates.

use thiserror::Error;

use crate::error::WithKind;
use crate::goodnight2003::{ProblemError, Side};
use crate::simulation::Setting;

/// A scene whose temperature cannot be computed. One line: place, error, remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SceneError {
    /// A source that is completely outside the plate.
    #[error("{source_name} is outside the plate of {width} x {height}. Move it, or leave it out.")]
    Beside {
        /// The source's name.
        source_name: String,
        /// Width of the plate.
        width: f64,
        /// Height of the plate.
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
    /// A part of a side without a condition.
    #[error(
        "the {side} side has no condition at {at:.4} along it. Let its pieces meet, or give the \
         side a condition for the gaps."
    )]
    Gap {
        /// The side.
        side: Side,
        /// Position along it.
        at: f64,
    },
    /// A side that is neither periodic nor has a condition.
    #[error(
        "the {0} side has no condition. Give it one, or give all sides without one a condition by `sides`, or make \
         the plate periodic there."
    )]
    NoCondition(Side),
    /// An error of the boundary value problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl WithKind for SceneError {}
