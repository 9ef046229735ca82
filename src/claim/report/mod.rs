//! The report: what ran where, and what became of every claim.
//!
//! | file | holds |
//! |---|---|
//! | [`mod@markdown`] | the report as the table of a README |
//! | [`html`] | the report as a page |
//! | `glossary` | the words that the page explains |

mod glossary;
pub mod html;
pub mod markdown;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::exhibit::Exhibit;
use super::finding::{Class, Finding, JudgedOn, Variant, Verdict};
use crate::io::{WriteError, write_atomically};
use markdown::markdown;

/// All findings of a run, and the machine they were made on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the run was made on: `renderer`, `version`, `cpu`, …, and their values.
    pub machine: BTreeMap<String, String>,
    /// One finding a claim, in the order of the papers.
    pub findings: Vec<Finding>,
    /// What is shown beside, without any claim.
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
    id: &'a str,
    class: Class,
    variant: Variant,
    judged_on: JudgedOn,
    paper: &'a str,
    measured: &'a str,
    verdict: Verdict,
    why: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    figures: Vec<&'a str>,
}

impl Report {
    /// The findings that make a run fail: exact and tolerance claims that are not reproduced.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_failure())
    }

    /// How many findings have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let same = self
            .findings
            .iter()
            .filter(|finding| finding.verdict == verdict);
        same.count()
    }

    /// The report for programs: `{"machine": {…}, "claims": [{"id", "class", "variant",
    /// "judged_on", "paper", "measured", "verdict", "why", "model", "figures"}, …]}`, the model of a card where
    /// it says anything, figures as files relative to the report.
    pub fn json(&self) -> String {
        let claims = self.findings.iter().map(|finding| Entry {
            id: finding.claim.id,
            class: finding.claim.class,
            variant: finding.claim.variant,
            judged_on: finding.claim.judged_on,
            paper: finding.claim.paper,
            measured: &finding.measured,
            verdict: finding.verdict,
            why: &finding.why,
            model: &finding.model,
            figures: finding
                .figures
                .iter()
                .map(|figure| figure.file.as_str())
                .collect(),
        });
        let document = Document {
            machine: &self.machine,
            claims: claims.collect(),
        };
        let text = serde_json::to_string_pretty(&document);
        text.expect("strings with string keys can always be written as JSON") + "\n"
    }

    /// Writes the figures, beside each plot its numbers as CSV, `report.html`, `report.md` and
    /// `report.json` into `folder`, which is made if it is not there. The JSON comes last: where it
    /// stands, the rest is complete.
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
        replace(
            &folder.join("report.html"),
            html::page(&self.machine, &self.findings, &self.exhibits).as_bytes(),
        )?;
        replace(
            &folder.join("report.md"),
            markdown(&self.findings).as_bytes(),
        )?;
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
