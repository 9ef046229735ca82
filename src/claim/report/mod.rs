//! The report: what ran where, and what became of every claim.

pub mod terminal;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::{Class, Exhibit, Finding, JudgedOn, Value, Variant, Verdict};
use crate::io::{WriteError, write_atomically};

/// All findings of a run, and the machine they were made on.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the run was made on: `renderer`, `version`, `cpu`, …, and their values.
    pub machine: BTreeMap<String, String>,
    /// One finding per claim, in the order of the papers.
    pub findings: Vec<Finding>,
    /// What is shown without a claim.
    pub exhibits: Vec<Exhibit>,
}

/// `report.json`.
#[derive(Serialize)]
struct Document<'a> {
    machine: &'a BTreeMap<String, String>,
    claims: Vec<Entry<'a>>,
}

/// One of its claims.
#[derive(Serialize)]
struct Entry<'a> {
    id: String,
    class: Class,
    variant: Variant,
    judged_on: JudgedOn,
    section: &'a str,
    statement: &'a str,
    paper: String,
    measured: String,
    values: &'a [Value],
    verdict: Verdict,
    why: &'a str,
    model: &'a str,
    command: String,
    seconds: f64,
    figures: Vec<&'a str>,
    tables: Vec<&'a str>,
}

impl Report {
    /// The findings that make a run fail: exact and tolerance claims that are not reproduced.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_failure())
    }

    /// Number of claims with this verdict, identities not counted.
    pub fn count(&self, verdict: Verdict) -> usize {
        let counted = self.findings.iter().filter(|f| f.claim.class.is_counted());
        counted.filter(|f| f.verdict == verdict).count()
    }

    /// The report for programs.
    pub fn json(&self) -> String {
        let quick = self.machine.get("mode").is_some_and(|mode| mode == "quick");
        let claims = self.findings.iter().map(|finding| Entry {
            id: finding.id(),
            class: finding.claim.class,
            variant: finding.claim.variant,
            judged_on: finding.claim.judged_on,
            section: finding.claim.section,
            statement: finding.claim.says,
            paper: finding.claim.printed(),
            measured: finding.found.text(),
            values: &finding.found.values,
            verdict: finding.verdict,
            why: &finding.found.cause,
            model: &finding.found.model,
            command: finding.command(quick),
            seconds: finding.seconds,
            figures: finding.figures.iter().map(|f| f.file.as_str()).collect(),
            tables: finding.tables.iter().map(|t| t.file.as_str()).collect(),
        });
        let document = Document {
            machine: &self.machine,
            claims: claims.collect(),
        };
        let text = serde_json::to_string_pretty(&document);
        text.expect("strings with string keys can always be written as JSON") + "\n"
    }

    /// Writes the figures, their numbers and the tables as CSV, and `report.json` into `folder`, which is made if it
    /// is not there. The JSON comes last: where it is, the rest is complete.
    ///
    /// # Errors
    /// A file or folder that cannot be written. No file is ever left half written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        let found = self.findings.iter().flat_map(|finding| &finding.figures);
        let shown = self.exhibits.iter().map(|exhibit| &exhibit.figure);
        for figure in found.chain(shown) {
            let file = folder.join(&figure.file);
            replace(&file, &figure.png)?;
            if let Some(numbers) = figure.numbers() {
                replace(&file.with_extension("csv"), numbers.as_bytes())?;
            }
        }
        for table in self.findings.iter().flat_map(|finding| &finding.tables) {
            replace(&folder.join(&table.file), table.csv().as_bytes())?;
        }
        replace(&folder.join("report.json"), self.json().as_bytes())
    }
}

/// Writes a file, and the folder that it belongs into.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.map_err(|source| WriteError::Io {
        path: path.to_owned(),
        source,
    })?;
    write_atomically(path, |out| out.write_all(bytes))
}
