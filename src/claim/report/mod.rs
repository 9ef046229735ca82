//! The report: what was found so far, as it is stored. Everything that is shown is made from it.

pub mod columns;
pub mod compare;
mod glossary;
pub mod html;
pub mod json;
pub mod markdown;
pub mod provenance;
pub mod store;
pub mod terminal;
pub mod together;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Bound, Exhibit, Measured, Paper, Verdict};
use crate::base::table::csv_line;
use json::Entry;
use provenance::Provenance;

/// All that was found, and the runs: `report.json`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Number of this form of the document.
    pub format: u32,
    /// The runs of the claims, the latest one last.
    pub runs: Vec<Provenance>,
    /// The papers of the claims, in the order of the report.
    pub papers: Vec<Heading>,
    /// The claims, in the order of the papers.
    pub claims: Vec<Entry>,
    /// Exhibits without a claim.
    pub exhibits: Vec<Exhibit>,
    /// Texts of the fragment programs by name: `programs.json`.
    #[serde(skip)]
    pub programs: BTreeMap<String, String>,
}

/// A paper, as a report names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// First author and year, as in `bolz2003`.
    pub id: String,
    /// Authors as printed; empty for claims that belong to no single paper.
    pub authors: String,
    /// Title as printed.
    pub title: String,
    /// Year of publication.
    pub year: u16,
}

impl Heading {
    fn of(paper: &Paper) -> Self {
        let &Paper { id, authors, title, year, .. } = paper;
        Self { id: id.to_owned(), authors: authors.to_owned(), title: title.to_owned(), year }
    }
}

impl Report {
    /// The run with this name.
    pub fn run_of(&self, name: &str) -> Option<&Provenance> {
        self.runs.iter().find(|run| run.name() == name)
    }

    /// The run that has most rows.
    fn main_run(&self) -> Option<&Provenance> {
        self.runs.iter().max_by_key(|run| self.rows_of(run))
    }

    /// A line to cite the run that has most rows.
    pub fn citation(&self) -> String {
        let Some(run) = self.main_run() else { return String::new() };
        let commit = if run.commit.is_empty() { "unknown" } else { &run.commit };
        let (version, Provenance { mode, renderer, cpu, date, .. }) =
            (env!("CARGO_PKG_VERSION"), run);
        let rows = match (self.rows_of(run), self.claims.len()) {
            (own, all) if own < all => format!(", {own} of {all} rows"),
            _ => String::new(),
        };
        format!(
            "The fragstream developers: fragstream, numerical solvers on the 2003 graphics pipeline. Version {version}, {}. \
             Commit {commit}, {mode} mode, {renderer}, {cpu}, {date} UTC{rows}",
            date.get(..4).unwrap_or_default()
        )
    }

    /// An entry for BibTeX with the run that has most rows.
    pub fn bibtex(&self) -> String {
        let Some(run) = self.main_run() else { return String::new() };
        let (version, Provenance { date, commit, mode, .. }) = (env!("CARGO_PKG_VERSION"), run);
        let (year, machine) = (date.get(..4).unwrap_or_default(), run.machine());
        format!(
            "@software{{fragstream,\n  author = {{{{The fragstream developers}}}},\n  title = {{fragstream: numerical \
             solvers on the 2003 graphics pipeline}},\n  version = {{{version}}},\n  year = {{{year}}},\n  note = \
             {{Commit {commit}, {mode} mode, {machine}, {date} UTC}}\n}}"
        )
    }

    fn rows_of(&self, run: &Provenance) -> usize {
        let name = run.name();
        self.claims.iter().filter(|claim| claim.run == name).count()
    }
}

/// `23 reproduced, 8 differ, 1 undecided`: claims per verdict, of those that are counted.
pub fn counts(claims: &[Entry]) -> String {
    counts_with(claims, |_| String::new())
}

/// Claims per verdict, with a text before each number.
fn counts_with(claims: &[Entry], before: impl Fn(Verdict) -> String) -> String {
    let counts = Verdict::ALL.map(|verdict| (count(claims, verdict), verdict));
    let counts = counts.into_iter().filter(|&(count, _)| count > 0);
    let counts = counts.map(|(count, verdict)| match verdict {
        Verdict::Differs => {
            format!("{}{count} {}", before(verdict), plural(count, "differs", "differ"))
        }
        _ => format!("{}{count} {verdict}", before(verdict)),
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// Number of counted claims with this verdict.
pub fn count(claims: &[Entry], verdict: Verdict) -> usize {
    claims.iter().filter(|claim| claim.is_counted() && claim.verdict == verdict).count()
}

/// The singular for one, the plural for any other number.
pub fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// Heads of the columns; the unit of the numbers is in a column of its own.
const HEAD: &str = "claim,inputs,name,source,paper,here,low,high,unit,verdict,bound,rounds,confidence,class,variant,judged on,section,time (s),command,run\n";

/// `report.csv`: the values of all claims, one line for each, in its own unit. The paper's number is next to the
/// headline, the verdict next to what is judged.
pub fn csv(claims: &[Entry]) -> String {
    let mut text = HEAD.to_owned();
    for claim in claims {
        for value in &claim.values {
            let [here, low, high, rounds, confidence] = match &value.measured {
                Measured::Number(i) => [
                    i.median.to_string(),
                    i.low.to_string(),
                    i.high.to_string(),
                    i.rounds.to_string(),
                    format!("{:.3}", i.confidence()),
                ],
                Measured::Text(text) => [text, "", "", "", ""].map(str::to_owned),
            };
            let paper = if value.is_key { &claim.paper } else { "" };
            let (bound, result) = match &value.bound {
                Bound::None => Default::default(),
                bound => (bound.text(1.0), claim.result()),
            };
            let seconds = claim.seconds.to_string();
            let source = claim.source(value).unwrap_or(columns::Source::Here).name();
            let names = [&*claim.id, &claim.inputs, &*value.name, source, paper];
            let numbers = [&*here, &*low, &*high, &*value.unit];
            let judged = [&*result, &bound, &rounds, &confidence, claim.class.name()];
            let basis = [&*claim.variant, claim.basis(), &claim.section];
            let origin = [&*seconds, &claim.command, &claim.run];
            let cells = names.iter().chain(&numbers).chain(&judged).chain(&basis).chain(&origin);
            text += &csv_line(cells);
        }
    }
    text
}
