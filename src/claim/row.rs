//! A claim as a row: a paper's statement, its class, and the function that checks it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::report::together::Together;
use super::run::Run;
use super::{BoxedError, Found, Parameter, Printed};
use crate::timing::Interval;

/// A paper and the table of its claims.
#[derive(Debug)]
pub struct Paper {
    /// First author and year, as in `bolz2003`; also the name of the module, the shader folder, the tests and the
    /// figures.
    pub id: &'static str,
    /// Authors as printed; empty for claims that belong to no single paper.
    pub authors: &'static str,
    /// Title as printed.
    pub title: &'static str,
    /// Year of publication.
    pub year: u16,
    /// Subject, for the table of results.
    pub subject: &'static str,
    /// Parts of it that are not built, as its page lists them, and the rows that are the paper's only in part for that.
    pub partly: &'static [(&'static str, &'static [&'static str])],
    /// Rows that the report draws together.
    pub together: &'static [Together],
    /// Its claims, in the paper's order.
    pub claims: &'static [Claim],
}

/// Result of checking a claim.
pub type Checked = Result<Found, BoxedError>;

/// A claim of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Name within its paper, as in `vcycle`.
    pub id: &'static str,
    /// Class, which determines how it is judged.
    pub class: Class,
    /// Origin of the method.
    pub variant: Variant,
    /// Basis of the verdict.
    pub judged_on: JudgedOn,
    /// Section, figure or table of the paper.
    pub section: &'static str,
    /// The paper's statement in our words.
    pub says: &'static str,
    /// The paper's number.
    pub paper: Printed,
    /// The paper's words or numbers next to the headline, in its unit, if [`Printed`] alone is not enough.
    pub quote: &'static str,
    /// Largest difference between a key value and [`Printed::Value`].
    pub within: f64,
    /// Command with which a user does the same, or an empty text.
    pub command: &'static str,
    /// A user's inputs that it accepts.
    pub takes: &'static [Parameter],
    /// Function that measures the claim.
    pub check: fn(&mut Run<'_>, &Claim) -> Checked,
}

type Check = fn(&mut Run<'_>, &Claim) -> Checked;

/// A count, a size, an optimum: equal on any machine.
pub const fn exact(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim {
        id,
        class: Class::Exact,
        variant: Variant::Paper,
        judged_on: JudgedOn::Count,
        section,
        says,
        paper,
        quote: "",
        within: 0.0,
        command: "",
        takes: &[],
        check,
    }
}

/// A residual, a rate of convergence, an agreement: within a bound on any machine.
pub const fn tolerance(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim {
        class: Class::Tolerance,
        judged_on: JudgedOn::Measurement,
        ..exact(id, section, says, paper, check)
    }
}

/// A timing, judged by a ratio, an order or a slope.
pub const fn shape(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim {
        class: Class::Shape,
        judged_on: JudgedOn::Measurement,
        ..exact(id, section, says, paper, check)
    }
}

/// A picture, judged by numbers derived from it.
pub const fn picture(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim {
        class: Class::Picture,
        judged_on: JudgedOn::Picture,
        ..exact(id, section, says, paper, check)
    }
}

/// Arithmetic that fails only through a bug: shown and tested, not counted.
pub const fn identity(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim { class: Class::Identity, ..exact(id, section, says, paper, check) }
}

/// A model compared with what it was fitted to: shown and tested, not counted.
pub const fn fit(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim { class: Class::Fit, ..exact(id, section, says, paper, check) }
}

/// Printed formulas that cannot be meant, run as printed and as corrected: shown and tested, not counted.
pub const fn erratum(
    id: &'static str,
    section: &'static str,
    says: &'static str,
    paper: Printed,
    check: Check,
) -> Claim {
    Claim { class: Class::Erratum, ..exact(id, section, says, paper, check) }
}

impl Claim {
    /// Marks the method as fragstream's variant.
    pub const fn ours(self) -> Self {
        Self { variant: Variant::Ours, ..self }
    }

    /// Sets the largest difference between a key value and the printed one.
    pub const fn within(self, within: f64) -> Self {
        Self { within, ..self }
    }

    /// Sets the text of the paper's column.
    pub const fn quoting(self, quote: &'static str) -> Self {
        Self { quote, ..self }
    }

    /// Sets the command with which a user does the same.
    pub const fn command(self, command: &'static str) -> Self {
        Self { command, ..self }
    }

    /// Sets the user's inputs that it accepts.
    pub const fn taking(self, takes: &'static [Parameter]) -> Self {
        Self { takes, ..self }
    }

    /// Sets the basis of the verdict, if it is not the usual one of the class.
    pub const fn judged_on(self, judged_on: JudgedOn) -> Self {
        Self { judged_on, ..self }
    }

    /// Tests whether this interval of the ratio decides the verdict, which ends the rounds.
    pub fn decides(&self, ratio: Interval) -> bool {
        self.paper.is_reproduced(ratio).is_some()
    }

    /// Tests whether these intervals, one for each compared ratio, decide the verdict.
    pub fn decides_each(&self, ratios: &[Interval]) -> bool {
        let printed = self.paper.each();
        let mut pairs = ratios.iter().zip(printed.iter().cycle());
        pairs.all(|(&ratio, printed)| printed.is_reproduced(ratio).is_some())
    }

    /// The paper's column of a report, as short as the headline next to it.
    pub fn printed(&self) -> String {
        match self.quote {
            "" => self.paper.to_string(),
            quote => quote.to_owned(),
        }
    }
}

/// Class of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A count, a size, an optimum; equal on any machine.
    Exact,
    /// A residual, a rate of convergence, an agreement within a stated bound.
    Tolerance,
    /// A timing, judged by a ratio, an order or a slope.
    Shape,
    /// A picture.
    Picture,
    /// Arithmetic that fails only through a bug.
    Identity,
    /// A model compared with what it was fitted to.
    Fit,
    /// Printed formulas that cannot be meant, run as printed and as corrected.
    Erratum,
}

/// Origin of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Exactly what the paper describes.
    Paper,
    /// fragstream's variant, or something that the paper leaves open.
    Ours,
}

/// Basis of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgedOn {
    /// Number of passes, instructions, entries, bytes or iterations.
    Count,
    /// Seconds, or computed values.
    Measurement,
    /// Model of a GPU of 2003.
    Model,
    /// A picture.
    Picture,
    /// Fetches of the programs, traced through texture caches. It holds for all plausible caches, or it is undecided.
    Trace,
    /// Counts multiplied by the costs that a paper prints for a driver of 2003.
    Clock,
}

impl Class {
    /// Tests whether a claim of this class must be reproduced on any machine.
    pub fn is_binding(self) -> bool {
        matches!(self, Self::Exact | Self::Tolerance)
    }

    /// Tests whether its verdicts are counted in totals.
    pub fn is_counted(self) -> bool {
        !matches!(self, Self::Identity | Self::Fit | Self::Erratum)
    }

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Tolerance => "tolerance",
            Self::Shape => "shape",
            Self::Picture => "picture",
            Self::Identity => "identity",
            Self::Fit => "fit",
            Self::Erratum => "erratum",
        }
    }
}

impl Variant {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Ours => "ours",
        }
    }
}

impl JudgedOn {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Measurement => "measurement",
            Self::Model => "model",
            Self::Picture => "picture",
            Self::Trace => "trace",
            Self::Clock => "driver's clock",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
