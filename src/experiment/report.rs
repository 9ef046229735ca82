//! The report: what ran where, and what became of every claim.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::claim::{Class, Finding, Verdict};
use super::html;

/// A report that could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}; name a folder that can be written with --out", path.display())]
pub struct ReportError {
    /// The file that could not be written.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// All findings of a run, and the machine they were made on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the run was made on: `renderer`, `version`, `cpu`, …, and their values.
    pub machine: BTreeMap<String, String>,
    /// One finding a claim, in the order of the papers.
    pub findings: Vec<Finding>,
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
    paper: &'a str,
    measured: &'a str,
    verdict: Verdict,
    why: &'a str,
    figures: Vec<&'a str>,
}

impl Report {
    /// The findings that make a run fail: exact and tolerance claims that are not reproduced.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_failure())
    }

    /// 0, or 1 where there are failures.
    pub fn exit_status(&self) -> u8 {
        u8::from(self.failures().next().is_some())
    }

    /// How many findings have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let same = self
            .findings
            .iter()
            .filter(|finding| finding.verdict == verdict);
        same.count()
    }

    /// The report for programs: `{"machine": {…}, "claims": [{"id", "class", "paper", "measured",
    /// "verdict", "why", "figures"}, …]}`, figures as files relative to the report.
    pub fn json(&self) -> String {
        let claims = self.findings.iter().map(|finding| Entry {
            id: finding.claim.id,
            class: finding.claim.class,
            paper: finding.claim.paper,
            measured: &finding.measured,
            verdict: finding.verdict,
            why: &finding.why,
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

    /// Writes the figures, `report.html` and `report.json` into `folder`, which is made if it is not
    /// there. The JSON comes last: where it stands, the rest is complete.
    ///
    /// # Errors
    /// A file or folder that cannot be written. No file is ever left half written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        for figure in self.findings.iter().flat_map(|finding| &finding.figures) {
            replace(&folder.join(&figure.file), &figure.png)?;
        }
        replace(&folder.join("report.html"), html::page(self).as_bytes())?;
        replace(&folder.join("report.json"), self.json().as_bytes())
    }
}

/// Writes a file beside its place and moves it there when it is complete.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    let beside = PathBuf::from(beside);
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&beside, bytes)?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| {
        // What is left over is no use to anybody; that it cannot be removed is no second error.
        let _ = fs::remove_file(&beside);
        ReportError {
            path: path.to_owned(),
            source,
        }
    })
}
