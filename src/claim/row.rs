//! A claim as a row: a paper's statement, its class, and its row of a file.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::rows::{About, Row};
use super::{BoxedError, Printed};
use crate::experiment::Experiment;

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
    pub claims: Claims,
}

/// Rows whose ratios of one quantity are shown next to each other as gains in per cent.
#[derive(Debug)]
pub struct Together {
    /// File, as in `switches`.
    pub file: &'static str,
    /// Title.
    pub title: &'static str,
    /// Axis of the values.
    pub axis: &'static str,
    /// Caption of one sentence.
    pub caption: &'static str,
    /// Name of the model.
    pub model: &'static str,
    /// Name of the values.
    pub quantity: &'static str,
    /// The rows.
    pub rows: &'static [&'static str],
}

/// The claims of a paper, in its order.
#[derive(Clone, Copy)]
pub enum Claims {
    /// Of a file that has been read.
    These(&'static [Claim]),
    /// Of a file, which is read at the first use.
    Of(&'static LazyLock<Vec<Claim>>),
}

impl Deref for Claims {
    type Target = [Claim];

    fn deref(&self) -> &[Claim] {
        self.all()
    }
}

impl IntoIterator for Claims {
    type Item = &'static Claim;
    type IntoIter = std::slice::Iter<'static, Claim>;

    fn into_iter(self) -> Self::IntoIter {
        self.all().iter()
    }
}

impl Claims {
    /// All of them.
    pub fn all(self) -> &'static [Claim] {
        match self {
            Self::These(claims) => claims,
            Self::Of(claims) => claims,
        }
    }
}

impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|claim| claim.id)).finish()
    }
}

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
    /// Property of a device without which the statement is not about it.
    pub needs: Option<Needs>,
    /// Section, figure or table of the paper.
    pub section: &'static str,
    /// The paper's statement in our words.
    pub says: &'static str,
    /// The paper's number.
    pub paper: Printed,
    /// The paper's column of a report: words or numbers, as short as the headline next to it.
    pub printed: &'static str,
    /// Its row of a file.
    pub row: &'static Row,
}

/// The usual basis of a class.
pub(super) const fn judged_on(class: Class) -> JudgedOn {
    match class {
        Class::Tolerance | Class::Shape => JudgedOn::Measurement,
        Class::Picture => JudgedOn::Picture,
        Class::Exact
        | Class::Count
        | Class::Consistency
        | Class::Identity
        | Class::Fit
        | Class::Erratum => JudgedOn::Count,
    }
}

impl Claim {
    /// The experiments that the check runs, with a user's settings.
    pub fn experiments(
        &self,
        is_quick: bool,
        given: &[[String; 2]],
    ) -> Result<Vec<Experiment>, BoxedError> {
        self.row.experiments(is_quick, given)
    }

    /// The options that a user may give.
    pub fn options(&self) -> BTreeSet<String> {
        self.row.open().iter().map(|field| format!("--{}", field.option())).collect()
    }

    /// A claim with these values, each of a number.
    #[cfg(test)]
    pub(super) fn of(class: &str, values: &str) -> Self {
        let head = "place = \"\"\nsays = \"\"\nabout = \"arithmetic\"\npaper = \"\"";
        let text = format!("[row.a]\n{head}\nclass = \"{class}\"\n{values}\n");
        super::rows::built_in("a.toml", &text, "id,value\n", &[])[0]
    }

    /// Tests whether the statement is about the speed of something, so that its row has a column for each machine.
    pub fn is_performance(&self) -> bool {
        self.class == Class::Shape
    }

    /// Tests whether its verdict is on seconds.
    pub fn is_timed(&self) -> bool {
        self.class == Class::Shape && self.judged_on == JudgedOn::Measurement
    }

    /// Tests whether it is about the speed of a card of 2003 or of its driver, which only the model of that card decides, or a
    /// kit.
    pub fn is_of_its_card(&self) -> bool {
        self.is_timed() && matches!(self.row.about, About::Card | About::Driver)
    }
}

named! {
    /// Class of a claim.
    Class {
        /// A count, a size, an optimum; equal on any machine.
        Exact = "exact",
        /// A residual, a rate of convergence, an agreement within a stated bound.
        Tolerance = "tolerance",
        /// A count that is compared with the paper's.
        Count = "count",
        /// A ratio, an order or a slope of times, or of what decides them.
        Shape = "shape",
        /// A picture.
        Picture = "picture",
        /// Arithmetic on the paper's own tables.
        Consistency = "consistency",
        /// Arithmetic that fails only through a bug.
        Identity = "identity",
        /// A model compared with what it was fitted to.
        Fit = "fit",
        /// Printed formulas that cannot be meant, run as printed and as corrected.
        Erratum = "erratum",
    }
}

named! {
    /// Origin of a method.
    Variant {
        /// Exactly what the paper describes.
        Paper = "paper",
        /// fragstream's variant, or something that the paper leaves open.
        Ours = "ours",
    }
}

named! {
    /// Property of a device that a statement is about.
    Needs {
        /// Fragments are drawn in batches.
        Batches = "a rasteriser that draws in batches",
        /// The device is not the CPU.
        Processor = "a processor other than the CPU",
    }
}

impl Needs {
    /// Tests whether a device has it: a software rasteriser has neither.
    pub fn is_met(self, draws_in_software: bool) -> bool {
        match self {
            Self::Batches | Self::Processor => !draws_in_software,
        }
    }
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
        !matches!(self, Self::Consistency | Self::Identity | Self::Fit | Self::Erratum)
    }

    /// Tests whether a claim of this class may differ from the paper without a fault in fragstream.
    pub fn may_differ(self) -> bool {
        matches!(self, Self::Count | Self::Consistency | Self::Shape)
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
