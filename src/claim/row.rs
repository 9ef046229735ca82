//! A claim as a row: a paper's statement, its class, and the function that checks it.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::rows::{About, Row};
use super::run::Run;
use super::{BoxedError, Found, Printed};
use crate::experiment::{Experiment, Subject};
use crate::settings::{Field, Refused, options};

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
    /// Written in Rust, or read already.
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
    /// Property of a device without which the statement is not about it.
    pub needs: Option<Needs>,
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
    /// The experiment that the check runs.
    pub runs: Option<Runs>,
    /// A user's inputs that it accepts, if there is no experiment.
    pub takes: &'static [&'static str],
    /// Function that measures the claim.
    pub check: Check,
    /// Its row of a file, if it is not written in Rust.
    pub row: Option<&'static Row>,
}

/// The experiments of a claim. Their lines are read as command lines are.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    subject: &'static dyn Subject,
    preset: &'static str,
    variants: &'static [&'static str],
    by: &'static [&'static str],
    full: &'static [&'static str],
    quick: &'static [&'static str],
    also: Option<(&'static dyn Subject, &'static [&'static str])>,
    reads: Option<&'static [&'static str]>,
}

impl Runs {
    /// The experiment of a preset; options that change it may follow its name, as in `cavity --reynolds 100`.
    pub const fn of(subject: &'static dyn Subject, preset: &'static str) -> Self {
        Self {
            subject,
            preset,
            variants: &[""],
            by: &[""],
            full: &[""],
            quick: &[""],
            also: None,
            reads: None,
        }
    }

    /// Sets the options of the variants that are compared. A user cannot give these settings.
    pub const fn comparing(self, variants: &'static [&'static str]) -> Self {
        Self { variants, ..self }
    }

    /// Splits each variant by further options. Those that set one of these themselves are not split.
    pub const fn by(self, by: &'static [&'static str]) -> Self {
        Self { by, ..self }
    }

    /// Sets the options in full mode that a user may give: one line for all variants, or one for each.
    pub const fn full(self, full: &'static [&'static str]) -> Self {
        Self { full, ..self }
    }

    /// Sets the options in quick mode: one line for all variants, or one for each.
    pub const fn quick(self, quick: &'static [&'static str]) -> Self {
        Self { quick, ..self }
    }

    /// Adds experiments of this subject, by presets and options, after the variants. A user cannot give these options.
    pub const fn also(
        self,
        subject: &'static dyn Subject,
        presets: &'static [&'static str],
    ) -> Self {
        Self { also: Some((subject, presets)), ..self }
    }

    /// Names the settings that the check reads, if they are not all. A user can give these alone.
    pub const fn reading(self, reads: &'static [&'static str]) -> Self {
        Self { reads: Some(reads), ..self }
    }

    /// The settings that a user may give: all that the variants leave open.
    fn open(&self) -> Vec<Field> {
        let mut fields = self.fields();
        let set = self
            .variants
            .iter()
            .chain(self.by)
            .flat_map(|line| options(&fields, line).unwrap_or_default());
        let set: Vec<_> = set.map(|[name, _]| name).collect();
        let is_read = |name: &str| self.reads.is_none_or(|reads| reads.contains(&name));
        fields.retain(|field| set.iter().all(|name| name != field.name()) && is_read(field.name()));
        fields
    }

    /// The settings of all its subjects.
    fn fields(&self) -> Vec<Field> {
        let also = self.also.map(|(subject, _)| subject);
        [self.subject].into_iter().chain(also).flat_map(|subject| subject.fields()).collect()
    }
}

/// Measures a claim.
pub type Check = fn(&mut Run<'_>, &Claim) -> Checked;

/// Functions that make a row of each class, with its usual basis.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $class:ident;)*) => {$(
        $(#[$doc])*
        pub const fn $name(
            id: &'static str,
            section: &'static str,
            says: &'static str,
            paper: Printed,
            check: Check,
        ) -> Claim {
            Claim {
                id,
                class: Class::$class,
                variant: Variant::Paper,
                judged_on: judged_on(Class::$class),
                needs: None,
                section,
                says,
                paper,
                quote: "",
                within: 0.0,
                runs: None,
                takes: &[],
                check,
                row: None,
            }
        }
    )*};
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

rows! {
    /// A count, a size, an optimum: equal on any machine.
    exact: Exact;
    /// A residual, a rate of convergence, an agreement: within a bound on any machine.
    tolerance: Tolerance;
    /// A count that is compared with the paper's: judged, but not a gate of a run.
    count: Count;
    /// A ratio, an order or a slope of times, or of what decides them.
    shape: Shape;
    /// A picture, judged by numbers derived from it.
    picture: Picture;
    /// Arithmetic on the paper's own tables, which tests no program: judged, not counted.
    consistency: Consistency;
    /// Arithmetic that fails only through a bug: shown and tested, not counted.
    identity: Identity;
    /// A model compared with what it was fitted to: shown and tested, not counted.
    fit: Fit;
    /// Printed formulas that cannot be meant, run as printed and as corrected: shown and tested, not counted.
    erratum: Erratum;
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

    /// Names the experiments that the check runs.
    pub const fn runs(self, runs: Runs) -> Self {
        Self { runs: Some(runs), ..self }
    }

    /// The experiments that the check runs, with a user's settings.
    pub fn experiments(
        &self,
        is_quick: bool,
        given: &[[String; 2]],
    ) -> Result<Vec<Experiment>, BoxedError> {
        if let Some(row) = self.row {
            return row.experiments(is_quick, given);
        }
        let Some(Runs { subject, preset, variants, by, full, quick, also, .. }) = self.runs else {
            return Ok(Vec::new());
        };
        // A study has no presets.
        let split = |line: &'static str| match line.starts_with("--") {
            true => ("", line),
            false => line.split_once(' ').unwrap_or((line, "")),
        };
        let full = if is_quick { &[""] } else { full };
        let own = variants.iter().zip(full.iter().cycle());
        let own = own.map(|(variant, full)| (subject, preset, *full, *variant));
        let also = also.into_iter().flat_map(|(subject, lines)| {
            lines.iter().map(move |line| (subject, split(line).0, "", split(line).1))
        });
        let quick = if is_quick { quick } else { &[""] };
        let mut all = Vec::new();
        for ((subject, line, full, variant), quick) in own.chain(also).zip(quick.iter().cycle()) {
            let ((preset, changes), fields) = (split(line), subject.fields());
            let names = |line| -> Result<Vec<_>, Refused> {
                Ok(options(&fields, line)?.into_iter().map(|[name, _]| name).collect())
            };
            let fixed = names(variant)?;
            let is_split = !names(by[0])?.iter().any(|name| fixed.contains(name));
            for by in if is_split { by } else { &[""] } {
                let mut experiment = subject.experiment(preset)?;
                let lines = [changes, full, variant, by, quick];
                lines.into_iter().try_for_each(|line| experiment.given(line))?;
                for [name, word] in given {
                    if experiment.takes(name) && !fixed.contains(name) {
                        experiment.set(name, word)?;
                    }
                }
                all.push(experiment);
            }
        }
        Ok(all)
    }

    /// The options that a user may give.
    pub fn options(&self) -> BTreeSet<String> {
        let takes = self.takes.iter().map(|name| format!("--{name}"));
        self.open().iter().map(|field| format!("--{}", field.option())).chain(takes).collect()
    }

    /// The settings that a user may give.
    pub(super) fn open(&self) -> Vec<Field> {
        match (self.row, self.runs) {
            (Some(row), _) => row.open(),
            (None, Some(runs)) => runs.open(),
            (None, None) => Vec::new(),
        }
    }

    /// The settings of all that it runs.
    pub(crate) fn fields(&self) -> Vec<Field> {
        match (self.row, self.runs) {
            (Some(row), _) => row.fields(),
            (None, Some(runs)) => runs.fields(),
            (None, None) => Vec::new(),
        }
    }

    /// Sets the user's inputs that it accepts.
    pub const fn taking(self, takes: &'static [&'static str]) -> Self {
        Self { takes, ..self }
    }

    /// Sets the basis of the verdict, if it is not the usual one of the class.
    pub const fn judged_on(self, judged_on: JudgedOn) -> Self {
        Self { judged_on, ..self }
    }

    /// Sets the property of a device without which the statement is not about it.
    pub const fn needing(self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self }
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
        let about = self.row.map(|row| row.about);
        self.is_timed() && matches!(about, Some(About::Card | About::Driver))
    }

    /// The paper's column of a report, as short as the headline next to it.
    pub fn printed(&self) -> String {
        match self.quote {
            "" => self.paper.to_string(),
            quote => quote.to_owned(),
        }
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
