//! `report.json`: the report for programs, from which the tables of the pages are made.

use serde::{Deserialize, Serialize};

use super::Report;
use super::provenance::Provenance;
use crate::claim::Finding;

/// The document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    /// The run.
    pub run: Provenance,
    /// Its claims, in the order of the papers.
    pub claims: Vec<Entry>,
}

/// A claim with its result. Each contains its own run, so that reports can be merged.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Paper and name.
    pub id: String,
    /// Class, as in `exact`.
    pub class: String,
    /// `paper` or `ours`.
    pub variant: String,
    /// Basis of the verdict.
    pub judged_on: String,
    /// Section of the paper.
    pub section: String,
    /// The statement.
    pub statement: String,
    /// The paper's number.
    pub paper: String,
    /// Values in one line.
    pub measured: String,
    /// Values: name, number or text, interval, rounds, unit, bound.
    pub values: serde_json::Value,
    /// Verdict.
    pub verdict: String,
    /// Its cause.
    pub why: String,
    /// Result of the model of a GPU.
    pub model: String,
    /// The command that checks it again.
    pub command: String,
    /// Seconds of its check.
    pub seconds: f64,
    /// Files of its figures.
    pub figures: Vec<String>,
    /// Files of its tables.
    pub tables: Vec<String>,
    /// Commit, date, mode and renderer of its run.
    pub run: String,
}

impl Report {
    /// The report as data.
    pub fn document(&self) -> Document {
        let entry = |finding: &Finding| Entry {
            id: finding.id(),
            class: finding.claim.class.to_string(),
            variant: finding.variant().to_owned(),
            judged_on: finding.claim.judged_on.name().to_owned(),
            section: finding.claim.section.to_owned(),
            statement: finding.claim.says.to_owned(),
            paper: finding.claim.printed(),
            measured: finding.found.text(),
            // JSON cannot represent an infinite number, which becomes null.
            values: serde_json::to_value(&finding.found.values).unwrap_or_default(),
            verdict: finding.verdict.to_string(),
            why: finding.cause(),
            model: finding.found.model.clone(),
            command: finding.command(self.run.is_quick()),
            seconds: (100.0 * finding.seconds).round() / 100.0,
            figures: finding.figures.iter().map(|f| f.file.clone()).collect(),
            tables: finding.tables.iter().map(|t| t.file.clone()).collect(),
            run: format!(
                "{}, {}, {}, {}",
                self.run.commit, self.run.date, self.run.mode, self.run.renderer
            ),
        };
        Document { run: self.run.clone(), claims: self.findings.iter().map(entry).collect() }
    }
}

impl Document {
    /// Its text.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("strings with string keys can always be written as JSON") + "\n"
    }
}
