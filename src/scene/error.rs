//! Errors of scenes: an invalid setting, a state that is not finite.

use crate::base::error::{ErrorKind, WithKind, with_remedy};
use crate::base::memory::{self, Shortage};
use crate::stream::Size;

/// An invalid setting, or one with which no step is stable.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", with_remedy(format_args!("{what} is {got}"), remedy))]
pub struct Setting {
    /// The setting.
    pub what: &'static str,
    /// Its value.
    pub got: String,
    /// Remedy.
    pub remedy: String,
}

impl WithKind for Setting {}

impl Setting {
    /// An error unless a number is finite in single precision and in a range.
    pub fn check(
        what: &'static str,
        value: f64,
        fits: bool,
        remedy: impl Into<String>,
    ) -> Result<(), Self> {
        if (value as f32).is_finite() && fits {
            return Ok(());
        }
        Err(Self { what, got: value.to_string(), remedy: remedy.into() })
    }

    /// An error unless a number is finite and above zero.
    pub fn positive(what: &'static str, value: f64) -> Result<(), Self> {
        Self::check(what, value, value > 0.0, "give a number above 0")
    }

    /// An error unless a number is finite and not negative.
    pub fn not_negative(what: &'static str, value: f64) -> Result<(), Self> {
        Self::check(what, value, value >= 0.0, "give a number of at least 0")
    }

    /// An error unless a number is finite.
    pub fn finite(what: &'static str, value: f64) -> Result<(), Self> {
        Self::check(what, value, true, "give a number that is finite in single precision")
    }

    /// An error unless all components of a vector are finite.
    pub fn vector(what: &'static str, vector: &[f64; 3]) -> Result<(), Self> {
        vector.iter().try_for_each(|&v| Self::finite(what, v))
    }

    /// An error unless a number is between 0 and 1.
    pub fn share(what: &'static str, value: f64) -> Result<(), Self> {
        let fits = (0.0..=1.0).contains(&value);
        Self::check(what, value, fits, "give a share from 0 to 1")
    }

    /// An error unless the smaller side has at least `least` cells.
    pub fn side((width, height): Size, least: u32) -> Result<(), Self> {
        let smaller = width.min(height);
        let remedy = format!("give at least {least} cells");
        Self::check("the smaller side", smaller.into(), smaller >= least, remedy)
    }

    /// An error unless the number is at least `least`.
    pub fn at_least(what: &'static str, number: usize, least: usize) -> Result<(), Self> {
        Self::check(what, number as f64, number >= least, format!("give at least {least}"))
    }
}

/// The state is no longer finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", with_remedy(format_args!("{what} is no longer finite after {steps} steps"), remedy))]
pub struct NotFinite {
    /// Quantity that is not finite.
    pub what: &'static str,
    /// Number of steps.
    pub steps: usize,
    /// Remedy.
    pub remedy: &'static str,
}

impl WithKind for NotFinite {
    fn error_kind(&self) -> ErrorKind {
        ErrorKind::Unconverged
    }
}

/// Checks that memory holds a grid of this size with this number of bytes per node.
pub fn check_memory((columns, rows): Size, bytes: u64) -> Result<(), Shortage> {
    let nodes = u64::from(columns) * u64::from(rows);
    memory::check(format_args!("{columns}x{rows} nodes"), nodes, bytes, 2)
}
