//! Simulations, which films, animations and windows advance.

use thiserror::Error;

use crate::error::{WithKind, with_remedy};
use crate::picture::Canvas;
use crate::stream::{Machine, StreamError};

/// Numbers with their names.
pub type Fields = Vec<(&'static str, f64)>;

/// A simulation in time steps, which can be drawn.
pub trait Simulation {
    /// Error that ends it, including a state that is not finite.
    type Error: From<StreamError>;

    /// The machine that it runs on.
    fn machine(&self) -> &Machine;

    /// Size of its grid, in words: `512x512`, `97x97 nodes`.
    fn grid(&self) -> String;

    /// Performs one time step; `measured` if its row of the table or its progress will be needed.
    fn step(&mut self, measured: bool) -> Result<(), Self::Error>;

    /// Draws the selected view, in linear light.
    fn draw(&mut self, canvas: &Canvas) -> Result<(), Self::Error>;

    /// The row of its table for the present state, if there is one.
    fn row(&mut self) -> Result<Option<Fields>, Self::Error> {
        Ok(None)
    }

    /// Its history as CSV: a heading, then one line per record.
    fn history(&self) -> Vec<String> {
        Vec::new()
    }

    /// A few words on the last measured step, for a progress bar.
    fn progress(&self) -> String {
        String::new()
    }

    /// Numbers that describe the whole run.
    fn summary(&self) -> Fields {
        Vec::new()
    }
}

/// An invalid setting, or one with which no step is stable.
#[derive(Debug, Clone, PartialEq, Error)]
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

    /// An error unless the number is at least `least`.
    pub fn at_least(what: &'static str, number: usize, least: usize) -> Result<(), Self> {
        Self::check(what, number as f64, number >= least, format!("give at least {least}"))
    }
}

/// The state is no longer finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", with_remedy(format_args!("{what} is no longer finite after {steps} steps"), remedy))]
pub struct NotFinite {
    /// Quantity that is not finite.
    pub what: &'static str,
    /// Number of steps.
    pub steps: usize,
    /// Remedy.
    pub remedy: &'static str,
}
