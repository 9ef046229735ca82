//! Simulations, which films, animations and windows step.

use thiserror::Error;

use crate::error::WithKind;
use crate::picture::Canvas;
use crate::stream::{Machine, StreamError};

/// Numbers with their names.
pub type Fields = Vec<(&'static str, f64)>;

/// A simulation in time steps, which can be drawn.
pub trait Simulation {
    /// Reason why it cannot continue; a state that is not finite is an error, too.
    type Error: From<StreamError>;

    /// The machine that it runs on.
    fn machine(&self) -> &Machine;

    /// Size of its grid, in words: `512x512`, `97x97 nodes`.
    fn grid(&self) -> String;

    /// One time step; `measured` if its row of the table or its progress will be asked for.
    fn step(&mut self, measured: bool) -> Result<(), Self::Error>;

    /// Draws the view that was chosen, in linear light.
    fn draw(&mut self, canvas: &Canvas) -> Result<(), Self::Error>;

    /// The row of its table for the present state, if there is one.
    fn row(&mut self) -> Result<Option<Fields>, Self::Error> {
        Ok(None)
    }

    /// Its history as CSV: a heading, then one line per record.
    fn history(&self) -> Vec<String> {
        Vec::new()
    }

    /// A few words on the last step, if it was measured, for a progress bar.
    fn progress(&self) -> String {
        String::new()
    }

    /// Numbers that describe the whole run.
    fn summary(&self) -> Fields {
        Vec::new()
    }
}

/// A setting that makes no sense, or lets no step be stable.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{what} is {got}; {remedy}")]
pub struct Setting {
    /// The setting.
    pub what: &'static str,
    /// Its value.
    pub got: String,
    /// What to give instead.
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
        Err(Self {
            what,
            got: value.to_string(),
            remedy: remedy.into(),
        })
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
        Self::check(
            what,
            value,
            true,
            "give a finite number that single precision holds",
        )
    }

    /// An error unless all components of a vector are finite.
    pub fn vector(what: &'static str, vector: &[f64; 3]) -> Result<(), Self> {
        vector.iter().try_for_each(|&v| Self::finite(what, v))
    }

    /// An error unless there are so many.
    pub fn at_least(what: &'static str, number: usize, least: usize) -> Result<(), Self> {
        Self::check(
            what,
            number as f64,
            number >= least,
            format!("give at least {least}"),
        )
    }
}

/// The state has left the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not finite: {what} is no finite number after {steps} steps; {remedy}")]
pub struct NotFinite {
    /// What was found.
    pub what: &'static str,
    /// Steps done.
    pub steps: usize,
    /// What helps.
    pub remedy: &'static str,
}
