//! Claims as data: the rows of a file, whose values are expressions in what records have by name.
//!
//! A file of rows has for each claim what the paper states, where, and how it is checked: experiments by the words of their
//! commands, and lines `label: expression [unit] condition`. What a line cannot say is measured in Rust, by a
//! [study](crate::experiment::Study) that returns named numbers. figures/replicate.md shows how to write one.

mod check;
mod exhibits;
mod file;
mod line;
mod numbers;
mod own;

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::row::{Claim, Claims, Paper};
use super::{BoxedError, Printed};
use crate::card::cost::Card;
use crate::experiment::{Experiment, Subject, swept};
use crate::io::read_text;
use crate::settings::{Field, options};

pub(super) use check::check;
pub use file::About;
use line::Line;
use numbers::Numbers;
pub use own::own;

/// A work's seconds with its target switches, which are subtracted otherwise.
const WITH_SWITCHES: &str = "with_switches";
/// A work's seconds on the row's card without target switches, by the model.
const ON_CARD: &str = "on_card";

/// How a row uses an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Runs it once, and reads its record.
    Run,
    /// Times it together with the others.
    Race,
}

/// An experiment of a row, under a name.
#[derive(Debug)]
struct Named {
    name: String,
    how: How,
    /// Runs of a work for each of the race's.
    times: usize,
    /// Setting by whose number seconds and counts are divided.
    per: Option<String>,
    subject: &'static dyn Subject,
    /// Its options, with `{a|b}` for several values.
    line: String,
    /// These values.
    words: Vec<String>,
}

/// The scope of a statement: what it is about, and the settings that its experiments may have.
#[derive(Debug, Default)]
struct Scope {
    text: String,
    ranges: Vec<(String, [f64; 2])>,
}

/// Further values of a setting, with which all that a row runs is run, too: those below its own.
#[derive(Debug)]
struct Sweep {
    setting: String,
    /// Its meaning, as in `nodes per side`.
    meaning: String,
    values: Vec<f64>,
}

/// Counts of switches that the model of a card takes time for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Switches {
    /// Of the target.
    #[default]
    Target,
    /// Of the buffer with the target.
    Buffer,
}

/// A row of a file.
#[derive(Debug)]
pub struct Row {
    /// The row as its file has it.
    text: String,
    /// The lists and groups of the file, as it has them.
    shared: String,
    /// Subject of the statement.
    pub about: About,
    /// True if the model of its card was fitted to the printed numbers.
    pub is_fitted: bool,
    scope: Scope,
    experiments: Vec<Named>,
    over: Option<Sweep>,
    quick: String,
    /// Further options of the lines whose names begin so, that a user may replace.
    full: Vec<(String, String)>,
    /// The same in quick mode.
    small: Vec<(String, String)>,
    /// Runs of each work per round of the race.
    chain: usize,
    /// Works that need not fit the paper's card.
    aside: Vec<String>,
    card: Option<Card>,
    switches: Switches,
    /// It is judged by the clock of a driver.
    is_by_clock: bool,
    /// Target switches are subtracted from the seconds of works.
    without_switches: bool,
    lines: Vec<Line>,
    headline: Option<String>,
    because: String,
    in_software: String,
    /// The words of the paper's column with a user's inputs inside the scope, if the statement holds with them, too; none
    /// if they are the same.
    general: Option<String>,
    tables: Vec<exhibits::Rows>,
    bars: Vec<exhibits::Bars>,
    charts: Vec<exhibits::Lines>,
    sheets: Vec<exhibits::Sheet>,
    /// Names of the runs whose pictures are shown, and of one of these, or an empty one for all.
    pictures: Vec<(String, String)>,
    printed: Arc<Numbers>,
}

/// The claims of a paper whose file, printed numbers and subjects are built in.
///
/// # Panics
/// If the file is wrong.
pub fn built_in(
    file: &str,
    text: &str,
    printed: &str,
    subjects: &[&'static dyn Subject],
) -> Vec<Claim> {
    let claims = Numbers::of_csv(printed).map_err(BoxedError::from);
    let claims = claims.and_then(|printed| file::read(file, text, printed, subjects));
    claims.unwrap_or_else(|error| panic!("{error}")).1
}

/// A paper of a user's, which has its printed numbers in a table of its file.
///
/// # Errors
/// A file that cannot be read or is wrong, with line and column; an id that is not the user's.
pub fn read(
    path: &Path,
    papers: &[&'static Paper],
    subjects: &[&'static dyn Subject],
) -> Result<&'static Paper, BoxedError> {
    let (text, name) = (read_text(path)?, path.display().to_string());
    let (head, claims) = file::read(&name, &text, Numbers::default(), subjects)?;
    let head = head.ok_or_else(|| {
        format!(
            "{name}: whose claims are these? Add a table [paper] with an id, as in id = \"mine\""
        )
    })?;
    if papers.iter().any(|paper| paper.id == head.id) || head.id.contains('/') || head.id.is_empty()
    {
        let id = head.id;
        return Err(format!(
            "{name}: the id \"{id}\" of [paper] is not free: choose a word of your own"
        )
        .into());
    }
    Ok(Box::leak(Box::new(head.paper(claims))))
}

/// The experiment of a subject with the options of a line.
fn experiment(subject: &'static dyn Subject, line: &str) -> Result<Experiment, BoxedError> {
    let (preset, rest) = preset(line);
    let mut experiment = subject.experiment(preset)?;
    experiment.given(rest)?;
    Ok(experiment)
}

/// The preset of a line, and its other options.
fn preset(line: &str) -> (&str, &str) {
    match line.trim().strip_prefix("--preset ") {
        Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
        None => ("", line),
    }
}

impl Named {
    /// Units of a run of a race, by which its seconds and counts are divided.
    fn units(&self, experiment: &Experiment) -> f64 {
        let number = |name: &String| experiment.settings()[name].as_f64();
        self.times as f64 * self.per.as_ref().and_then(number).unwrap_or(1.0)
    }
}

/// The numbers of a setting, of which a size as `65x33` has several.
fn numbers_of(setting: Option<&Value>) -> Vec<f64> {
    match setting {
        Some(Value::Number(number)) => number.as_f64().into_iter().collect(),
        Some(Value::String(text)) => text.split('x').map_while(|one| one.parse().ok()).collect(),
        _ => Vec::new(),
    }
}

impl Row {
    /// The experiments by name; one with a sweep is several.
    fn named(
        &self,
        is_quick: bool,
        given: &[[String; 2]],
    ) -> Result<Vec<(&Named, Vec<Experiment>)>, BoxedError> {
        let fixed = self.fixed();
        let is_open = |name: &str| fixed.iter().all(|fixed| fixed != name);
        let each = self.experiments.iter().map(|named| {
            let swept = swept(&named.line).into_iter().map(|line| {
                let mut one = experiment(named.subject, &line)?;
                let small = if is_quick { &self.small[..] } else { &[] };
                let own = self.full.iter().chain(small);
                for (_, own) in own.filter(|(name, _)| named.name.starts_with(name)) {
                    one.given(own)?;
                }
                let quick = if is_quick { &*self.quick } else { "" };
                let quick = options(&self.fields(), quick)?;
                for [name, word] in quick.iter().chain(given) {
                    if one.takes(name) && is_open(name) {
                        one.set(name, word)?;
                    }
                }
                Ok::<_, BoxedError>(one)
            });
            Ok((named, swept.collect::<Result<_, _>>()?))
        });
        each.collect()
    }

    /// All experiments, in the order of the row.
    pub(super) fn experiments(
        &self,
        is_quick: bool,
        given: &[[String; 2]],
    ) -> Result<Vec<Experiment>, BoxedError> {
        Ok(self.named(is_quick, given)?.into_iter().flat_map(|(_, each)| each).collect())
    }

    /// Names of the settings that the row compares: that a line gives, and that are not the same in all experiments.
    fn fixed(&self) -> Vec<String> {
        let lines = self.experiments.iter().flat_map(|named| {
            swept(&named.line).into_iter().filter_map(|line| experiment(named.subject, &line).ok())
        });
        let all: Vec<Experiment> = lines.collect();
        let names = self.experiments.iter().flat_map(|named| {
            let line = swept(&named.line).swap_remove(0);
            options(&named.subject.fields(), preset(&line).1).unwrap_or_default()
        });
        let is_compared = |name: &String| {
            let mut values = all.iter().filter_map(|one| one.settings().get(name));
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        names.map(|[name, _]| name).filter(is_compared).collect()
    }

    /// The settings of all its subjects.
    pub(crate) fn fields(&self) -> Vec<Field> {
        self.experiments.iter().flat_map(|named| named.subject.fields()).collect()
    }

    /// The settings that a user may give: all that the row does not compare.
    pub(super) fn open(&self) -> Vec<Field> {
        let (mut fields, fixed) = (self.fields(), self.fixed());
        fields.retain(|field| fixed.iter().all(|name| name != field.name()));
        fields
    }

    /// What the statement is about, with sizes, processors and cards as printed.
    pub fn scope(&self) -> &str {
        &self.scope.text
    }

    /// The settings of its experiments that are outside of what the statement is about.
    ///
    /// # Errors
    /// An experiment that cannot be read.
    pub fn beyond_scope(&self) -> Result<Vec<String>, BoxedError> {
        Ok(self.beyond(&self.experiments(false, &[])?))
    }

    /// The settings of these experiments that are outside of the scope.
    fn beyond(&self, experiments: &[Experiment]) -> Vec<String> {
        let mut beyond = Vec::new();
        for experiment in experiments {
            for (name, [least, most]) in &self.scope.ranges {
                let swept = self.over.iter().filter(|sweep| sweep.setting == *name);
                let all = numbers_of(experiment.settings().get(name)).into_iter();
                let mut all = all.chain(swept.flat_map(|sweep| sweep.values.iter().copied()));
                if all.any(|value| !(*least..=*most).contains(&value)) {
                    beyond.push(format!("{experiment}: {name} is not from {least} to {most}"));
                }
            }
        }
        beyond
    }

    /// Each value with its condition, as the file has them.
    pub fn conditions(&self) -> impl Iterator<Item = (&str, &str)> {
        let judged = self.lines.iter().filter(|line| !line.condition_text.is_empty());
        judged.map(|line| (&*line.full_label, &*line.condition_text))
    }
}
