//! The report: what was found so far, as it is stored. Everything that is shown is made from it.
//!
//! | file | holds |
//! |---|---|
//! | [`provenance`] | date, program and system of a run |
//! | [`json`] | a claim with its result, a row of `report.json` |
//! | [`html`] | the report as a page |
//! | [`csv`](mod@csv) | the values for a spreadsheet |
//! | [`markdown`] | the claims in Markdown |
//! | [`terminal`] | the report as text for a terminal |
//! | `glossary` | the words explained on the page |

pub mod csv;
mod glossary;
pub mod html;
pub mod json;
pub mod markdown;
pub mod provenance;
pub mod terminal;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Exhibit, Finding, Paper, Verdict};
use crate::io::{WriteError, write_atomically};
use json::Entry;
use provenance::Provenance;

/// All that was found, and the runs: `report.json`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The runs of the claims, the latest one last.
    pub runs: Vec<Provenance>,
    /// The papers of the claims, in the order of the report.
    #[serde(default)]
    pub papers: Vec<Heading>,
    /// The claims, in the order of the papers.
    pub claims: Vec<Entry>,
    /// Exhibits without a claim.
    #[serde(default)]
    pub exhibits: Vec<Exhibit>,
    /// Texts of the fragment programs by name: `programs.json`.
    #[serde(skip)]
    pub programs: BTreeMap<String, String>,
    /// Files that are not written yet, by their names in the report's folder.
    #[serde(skip)]
    files: Vec<(String, Vec<u8>)>,
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
    /// Adds a claim's result.
    pub fn add(&mut self, mut finding: Finding, run: &Provenance) {
        let heading = Heading::of(finding.paper);
        if !self.papers.contains(&heading) {
            self.papers.push(heading);
        }
        let programs = finding.programs.iter().map(|one| (one.name.clone(), one.text.clone()));
        self.programs.extend(programs);
        self.claims.push(Entry::of(&finding, run));
        let figures = finding.figures.iter_mut().flat_map(|figure| figure.take_files());
        self.files.extend(figures);
        let tables = finding.tables.iter();
        self.files.extend(tables.map(|table| (table.file.clone(), table.csv().into_bytes())));
    }

    /// Adds an exhibit.
    pub fn show(&mut self, mut exhibit: Exhibit, run: &Provenance) {
        exhibit.run = run.name();
        self.files.extend(exhibit.figure.take_files());
        self.exhibits.push(exhibit);
    }

    /// The run of a claim.
    pub fn run_of(&self, claim: &Entry) -> Option<&Provenance> {
        self.runs.iter().rfind(|run| run.name() == claim.run)
    }

    /// A line to cite the runs.
    pub fn citation(&self) -> String {
        let runs = self.runs.iter().map(|run| {
            let commit = if run.commit.is_empty() { "unknown" } else { &run.commit };
            let Provenance { mode, renderer, cpu, date, .. } = run;
            format!("commit {commit}, {mode} mode, {renderer}, {cpu}, {date} UTC")
        });
        let runs: Vec<String> = runs.collect();
        let version = env!("CARGO_PKG_VERSION");
        format!("fragstream {version} ({}): {}", runs.join("; "), counts(&self.claims))
    }

    /// The report as JSON.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("strings with string keys can always be written as JSON") + "\n"
    }

    /// Writes the figures, their numbers and the tables as CSV, `report.html`, `report.md`, `report.csv` and
    /// `report.json` into `folder`, which is created if necessary. The JSON comes last: if it exists, everything else
    /// is complete.
    ///
    /// # Errors
    /// A file or folder that cannot be written. No file is ever left half written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        for (file, content) in &self.files {
            replace(&folder.join(file), content)?;
        }
        replace(&folder.join("report.html"), html::page(self).as_bytes())?;
        let claims: Vec<&Entry> = self.claims.iter().collect();
        replace(&folder.join("report.md"), markdown::claims(&claims, "").as_bytes())?;
        replace(&folder.join("report.csv"), csv::csv(&self.claims).as_bytes())?;
        replace(&folder.join("report.json"), self.text().as_bytes())
    }
}

/// `23 reproduced, 8 differ, 1 undecided`: claims per verdict, of those that are counted.
pub fn counts(claims: &[Entry]) -> String {
    counts_with(claims, |_| String::new())
}

/// The same, with something before each number.
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

/// Writes a file, creating its folder.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.map_err(|source| WriteError::Io { path: path.to_owned(), source })?;
    write_atomically(path, |out| out.write_all(bytes))
}
