//! A timing of a paper, compared with the model's.

use serde::Serialize;

use super::passes::{Passes, seconds};
use crate::card::cost::Card;

/// Relation of a timing to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The model was fitted to it and to others.
    Calibrated,
    /// The model was not fitted to it.
    HeldOut,
    /// The only timing to which one of the model's numbers was fitted: no evidence for the model.
    Witness,
    /// A part of what was timed; the rest is not printed.
    Share,
}

impl Basis {
    /// All relations.
    pub const ALL: [Self; 4] = [Self::Calibrated, Self::HeldOut, Self::Witness, Self::Share];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::HeldOut => "held out",
            Self::Witness => "its own witness",
            Self::Share => "a share of what was timed",
        }
    }

    /// Tests whether the model is judged by it.
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
    /// Section of the paper.
    pub section: &'static str,
    /// Operation that was timed.
    pub what: &'static str,
    /// Name of the GPU.
    pub card: &'static str,
    /// Relation to the model.
    pub basis: Basis,
    /// Seconds that the paper prints, or that follow from a printed rate.
    pub printed: f64,
    /// Seconds of the calibrated model.
    pub model: f64,
}

/// A printed timing, before the comparison with the model.
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

    /// A timing whose seconds in the model are computed in another way.
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
    /// The model's seconds divided by the printed ones.
    pub fn ratio(&self) -> f64 {
        self.model / self.printed
    }

    /// Tests whether the two agree within this factor.
    pub fn is_within(&self, factor: f64) -> bool {
        (1.0 / factor..=factor).contains(&self.ratio())
    }
}
