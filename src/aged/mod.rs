//! The performance advice of the papers on later machines, sentence by sentence, from the reports of these machines.
//!
//! `sentences.tsv` has the sentences, each with the mechanism that it saves, and the names of the values that answer it.
//! The mechanisms were chosen from counts before the values were looked at, and again by a second rater from statements
//! and the rule alone. `expected` has the range that a machine's limits let one expect, `prediction` its error, `verdict` the
//! rule of a sentence and the exact test, `variations` the test of all, `chart` and `page` the result.

mod chart;
mod expected;
mod page;
mod prediction;
mod variations;
mod verdict;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::error::WithKind;
use crate::claim::found::{Measured, Value};
use crate::claim::report::Report;
use crate::claim::report::store::StoreError;
use crate::io::InputError;
use crate::io::names::system;
use crate::io::reading::read_stored;
use crate::picture::sheet::SheetError;
use crate::timing::Interval;

pub use expected::Limits;
pub use page::advice;
pub use prediction::FORMULAS;

/// Folders of the reports that this project keeps.
pub const FOLDERS: [&str; 3] = ["figures", "figures/h200", "figures/h100"];

/// The sentences, a line each.
const SENTENCES: &str = include_str!("sentences.tsv");

/// Kind of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Do this rather than that: a ratio of times above 1 pays.
    Advice,
    /// Another value of the advice above it, not counted.
    Part,
    /// A proportion, a limit or a share.
    Description,
    /// A CPU is compared, or iterations.
    Other,
}

/// Way in which a paper gives an advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It recommends or does it, with a reason.
    Advice,
    /// It reports a time and recommends nothing.
    Remark,
    /// It wishes for other hardware.
    Wish,
}

/// Kind of work that an advice saves, by counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mechanism {
    /// Waits, read-backs, switches of target and context, passes.
    RoundTrips,
    /// Bytes held or moved: width of a format, texels fetched or written, locality.
    Bytes,
    /// Instructions or registers per fragment.
    Instructions,
    /// Entries per texel, shape of a rectangle, batches.
    Lanes,
    /// None of these.
    None,
}

impl Mechanism {
    /// The mechanisms of advice.
    pub const ALL: [Self; 4] = [Self::RoundTrips, Self::Bytes, Self::Instructions, Self::Lanes];

    fn of(letter: &str) -> Self {
        match letter {
            "R" => Self::RoundTrips,
            "B" => Self::Bytes,
            "I" => Self::Instructions,
            "L" => Self::Lanes,
            _ => Self::None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::RoundTrips => "round trips",
            Self::Bytes => "bytes",
            Self::Instructions => "instructions",
            Self::Lanes => "lanes",
            Self::None => "none",
        }
    }

    /// Tests whether the hypothesis expects that it held.
    fn is_outside(self) -> bool {
        matches!(self, Self::RoundTrips | Self::Bytes)
    }
}

/// A sentence of a paper about performance.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// Short name.
    pub key: &'static str,
    /// The paper, as in `bolz2003`.
    pub paper: &'static str,
    /// Section of the paper.
    pub section: &'static str,
    /// Kind.
    pub kind: Kind,
    /// Mechanism by counts.
    pub mechanism: Mechanism,
    /// Mechanism by the paper's own words.
    pub by_words: Mechanism,
    /// Mechanism by the second rater.
    pub second: Mechanism,
    /// True if the outcome on one of the machines was known before it was classified.
    pub was_known: bool,
    /// Way in which the paper gives it; of no meaning unless it is advice.
    pub role: Role,
    /// Name of what it shares with other advice, such as one call of the driver.
    pub shares: &'static str,
    /// Advice or description, in a few words.
    pub statement: &'static str,
    /// The printed effect.
    pub printed: &'static str,
    /// The printed effect as a number.
    pub number: Option<f64>,
    /// Row of a report with its value; otherwise empty.
    pub row: &'static str,
    names: &'static str,
    is_inverse: bool,
    model: &'static str,
    /// Cause of an outcome that is not that of its mechanism; otherwise empty.
    pub cause: &'static str,
}

/// An error of the page.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum AgedError {
    /// A line of `limits.csv` that is not a name and three numbers.
    #[error(
        "line {line} of limits.csv: {text:?} is not a name, its value and the ends of its interval. Write the file with `fragstream info --limits --csv`."
    )]
    Limit { line: usize, text: String },
    /// Limits that cannot be read.
    #[error(transparent)]
    Unreadable(#[from] InputError),
    /// A report that cannot be read.
    #[error(transparent)]
    Report(#[from] StoreError),
    /// A folder without one.
    #[error(
        "{0}: no report. Name a folder with a report.json, which `fragstream reproduce --out` writes."
    )]
    None(PathBuf),
    /// A chart that cannot be drawn.
    #[error(transparent)]
    Chart(#[from] SheetError),
}

impl WithKind for AgedError {}

/// All sentences, in the order of the papers.
pub fn sentences() -> Vec<Sentence> {
    let lines = SENTENCES.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        Sentence {
            key: next(),
            paper: next(),
            section: next(),
            kind: match next() {
                "advice" => Kind::Advice,
                "part" => Kind::Part,
                "description" => Kind::Description,
                _ => Kind::Other,
            },
            mechanism: Mechanism::of(next()),
            by_words: Mechanism::of(next()),
            second: Mechanism::of(next()),
            was_known: next() == "known",
            role: match next() {
                "remark" => Role::Remark,
                "wish" => Role::Wish,
                _ => Role::Advice,
            },
            shares: next(),
            statement: next(),
            printed: next(),
            number: next().parse().ok(),
            row: next(),
            names: next(),
            is_inverse: !next().is_empty(),
            model: next(),
            cause: next(),
        }
    });
    lines.collect()
}

/// A machine with its report.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name in tables.
    pub name: String,
    /// The report.
    pub report: Report,
    /// Its limits, if they were measured.
    pub limits: Option<Limits>,
}

impl Machine {
    /// Reads the report in a folder, or of this name, and the `limits.csv` next to it.
    pub fn read(folder: &Path) -> Result<Self, AgedError> {
        let report = Report::read(folder)?;
        let Some(run) = report.runs.last() else { return Err(AgedError::None(folder.to_owned())) };
        let name = run.machine().trim_start_matches("NVIDIA ");
        let name = name.split(' ').next().unwrap_or(name);
        // It becomes a word of the page, the table and the chart.
        let name = name.replace(|c: char| !c.is_alphanumeric() && !"-_.+".contains(c), "?");
        let folder = &*system(folder);
        let place = if folder.is_file() { folder.parent().unwrap_or(folder) } else { folder };
        let path = place.join("limits.csv");
        let limits = match read_stored(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(InputError::Unreadable { path, source }.into()),
            Ok(text) => Some(Limits::read(&text)?),
        };
        Ok(Self { name, report, limits })
    }
}

impl Sentence {
    /// Ratio that a report has for it, above 1 if the advice pays.
    pub fn measured(&self, report: &Report) -> Option<Interval> {
        let timed = self.value(report, self.row, self.names, |one| one.rounds > 0);
        let found = timed.or_else(|| self.value(report, self.row, self.names, |_| true))?;
        Some(if self.is_inverse { inverse(found) } else { found })
    }

    /// Quantity that the [ratio on its card](Self::on_its_card) counts, such as bytes: `None` for seconds of the model.
    pub fn counts(&self) -> Option<&'static str> {
        self.model.split_once(": ").map(|(counted, _)| counted)
    }

    /// Ratio on the paper's card, by its model or by counts.
    pub fn on_its_card(&self, report: &Report) -> Option<Interval> {
        if let Ok(number) = self.model.parse::<f64>() {
            return Some(number.into());
        }
        let model = self.model.split_once(": ").map_or(self.model, |(_, model)| model);
        let (row, names) = model.split_once(" | ")?;
        let counted = self.value(report, row, names, |one| one.rounds == 0);
        counted.or_else(|| self.value(report, row, names, |_| true))
    }

    /// The first value of a row with one of these names that is wanted.
    fn value(
        &self,
        report: &Report,
        row: &str,
        names: &str,
        is_wanted: impl Fn(&Interval) -> bool,
    ) -> Option<Interval> {
        let is_own = |id: &str, inputs: &str| id == row && inputs.is_empty();
        let entry = report.claims.iter().find(|entry| is_own(&entry.id, &entry.inputs))?;
        let of_name = |name: &str| -> Option<Interval> {
            entry.values.iter().filter(|value| value.name == name).find_map(|value: &Value| {
                match &value.measured {
                    Measured::Number(number) if is_wanted(number) && is_ratio(number) => {
                        Some(*number)
                    }
                    _ => None,
                }
            })
        };
        names.split(" | ").find_map(of_name)
    }
}

/// Tests whether an axis of ratios has its values.
fn is_ratio(one: &Interval) -> bool {
    [one.low, one.median, one.high].iter().all(|value| value.is_finite() && *value > 0.0)
}

fn inverse(one: Interval) -> Interval {
    Interval { median: 1.0 / one.median, low: 1.0 / one.high, high: 1.0 / one.low, ..one }
}

/// The page for the reports that this project keeps.
pub const PAGE: &str = include_str!("../../figures/aged/README.md");

/// The files of the page for these machines: names and contents.
pub fn files(machines: &[Machine]) -> Result<[(&'static str, String); 3], AgedError> {
    let sentences = sentences();
    Ok([
        ("README.md", page::markdown(&sentences, machines)),
        ("aged.csv", page::csv(&sentences, machines)),
        ("aged.svg", chart::svg(&sentences, machines)?),
    ])
}
