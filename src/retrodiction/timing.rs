//! A timing of a paper beside the model's.

use serde::Serialize;

use super::passes::{Passes, seconds};
use crate::card::cost::Card;

/// What a timing has to do with the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The model was fitted to it, among others.
    Calibrated,
    /// The model was not.
    HeldOut,
    /// The only timing that one of the model's numbers was fitted to: it says nothing for the model.
    Witness,
    /// A share of what was timed; the rest is not printed.
    Share,
}

impl Basis {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Calibrated, Self::HeldOut, Self::Witness, Self::Share];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::HeldOut => "held out",
            Self::Witness => "its own witness",
            Self::Share => "a share of what was timed",
        }
    }

    /// Whether the model is held to it.
    pub fn is_judged(self) -> bool {
        matches!(self, Self::Calibrated | Self::HeldOut)
    }
}

/// A timing that a paper prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// The paper's initial, and a number.
    pub id: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// Where it stands there.
    pub section: &'static str,
    /// What was timed.
    pub what: &'static str,
    /// The card's name.
    pub card: &'static str,
    /// What it has to do with the model.
    pub basis: Basis,
    /// Seconds that the paper prints, or that follow from a rate that it prints.
    pub printed: f64,
    /// Seconds of the calibrated model.
    pub model: f64,
}

/// What a paper prints, before it is held against the model.
pub(super) struct Printed {
    pub paper: &'static str,
    pub section: &'static str,
    pub card: Card,
}

impl Printed {
    /// A timing of passes.
    pub(super) fn timing(
        &self,
        (id, what): (&'static str, &'static str),
        basis: Basis,
        printed: f64,
        passes: &[Passes],
    ) -> Timing {
        self.seconds((id, what), basis, printed, seconds(&self.card, passes))
    }

    /// A timing of which the model's seconds are put together by other means.
    pub(super) fn seconds(
        &self,
        (id, what): (&'static str, &'static str),
        basis: Basis,
        printed: f64,
        model: f64,
    ) -> Timing {
        Timing {
            id,
            paper: self.paper,
            section: self.section,
            what,
            card: self.card.device.name,
            basis,
            printed,
            model,
        }
    }
}

impl Timing {
    /// The model's seconds in printed ones.
    pub fn ratio(&self) -> f64 {
        self.model / self.printed
    }

    /// Whether the two are within this factor of each other.
    pub fn is_within(&self, factor: f64) -> bool {
        (1.0 / factor..=factor).contains(&self.ratio())
    }
}
