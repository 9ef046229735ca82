//! The report: the run, and the result of every claim.
//!
//! | file | holds |
//! |---|---|
//! | [`provenance`] | date, program and system of a run |
//! | [`html`] | the report as a page |
//! | [`json`] | the report as data, for programs and for the pages |
//! | [`markdown`] | the claims in Markdown |
//! | [`terminal`] | the report as text for a terminal |
//! | `glossary` | the words explained on the page |

mod glossary;
pub mod html;
pub mod json;
pub mod markdown;
pub mod provenance;
pub mod terminal;

use std::fs;
use std::io::Write;
use std::path::Path;

use super::{Exhibit, Finding, Measured, Verdict};
use crate::io::{WriteError, write_atomically};
use crate::picture::field;
use provenance::Provenance;

/// All findings of a run, with its provenance.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The run.
    pub run: Provenance,
    /// One finding per claim, in the order of the papers.
    pub findings: Vec<Finding>,
    /// Exhibits without a claim.
    pub exhibits: Vec<Exhibit>,
}

impl Report {
    /// The findings that make a run fail: exact and tolerance claims that are not reproduced.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_failure())
    }

    /// Number of claims with this verdict, of the classes that are counted.
    pub fn count(&self, verdict: Verdict) -> usize {
        let counted = self.findings.iter().filter(|f| f.claim.class.is_counted());
        counted.filter(|f| f.verdict == verdict).count()
    }

    /// `23 reproduced, 8 differ, 1 undecided`.
    pub fn counts(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| (self.count(verdict), verdict));
        let counts = counts.into_iter().filter(|&(count, _)| count > 0);
        let counts = counts.map(|(count, verdict)| match verdict {
            Verdict::Differs => format!("{count} {}", plural(count, "differs", "differ")),
            _ => format!("{count} {verdict}"),
        });
        counts.collect::<Vec<_>>().join(", ")
    }

    /// A line to cite the run.
    pub fn citation(&self) -> String {
        let run = &self.run;
        let commit = if run.commit.is_empty() { "unknown" } else { &run.commit };
        format!(
            "fragstream {} (commit {commit}), {} mode, {}, {}, {} UTC: {}",
            env!("CARGO_PKG_VERSION"),
            run.mode,
            run.renderer,
            run.cpu,
            run.date,
            self.counts()
        )
    }

    /// One line per value of a claim: its numbers for a spreadsheet.
    pub fn csv(&self) -> String {
        let mut text = "id,class,variant,judged on,section,paper,value,median,low,high,rounds,unit,bound,verdict,\
                        seconds,commit,date,mode\n"
            .to_owned();
        for finding in &self.findings {
            let claim = finding.claim;
            let key = finding.found.values.iter().find(|value| value.is_key);
            let value = key.or(finding.found.values.first());
            let numbers = match value.map(|value| &value.measured) {
                Some(Measured::Number(i)) => {
                    format!("{},{},{},{}", i.median, i.low, i.high, i.rounds)
                }
                Some(Measured::Text(text)) => format!("{},,,", field(text)),
                None => ",,,".to_owned(),
            };
            let bound = value.map_or_else(String::new, |value| value.bound.to_string());
            text += &[
                finding.id(),
                claim.class.to_string(),
                finding.variant().to_owned(),
                claim.judged_on.name().to_owned(),
                field(claim.section),
                field(&claim.printed()),
                field(value.map_or("", |value| &value.name)),
                numbers,
                field(value.map_or("", |value| value.unit)),
                field(&bound),
                finding.verdict.to_string(),
                format!("{:.2}", finding.seconds),
                self.run.commit.clone(),
                self.run.date.clone(),
                self.run.mode.clone(),
            ]
            .join(",");
            text += "\n";
        }
        text
    }

    /// Writes the figures, their numbers and the tables as CSV, `report.html`, `report.md`, `report.csv` and
    /// `report.json` into `folder`, which is created if necessary. The JSON comes last: if it exists, everything else
    /// is complete.
    ///
    /// # Errors
    /// A file or folder that cannot be written. No file is ever left half written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        let found = self.findings.iter().flat_map(|finding| &finding.figures);
        let shown = self.exhibits.iter().map(|exhibit| &exhibit.figure);
        for figure in found.chain(shown) {
            replace(&folder.join(&figure.file), &figure.content)?;
            if let Some(numbers) = &figure.numbers {
                replace(&folder.join(csv_of(&figure.file)), numbers.as_bytes())?;
            }
        }
        for table in self.findings.iter().flat_map(|finding| &finding.tables) {
            replace(&folder.join(&table.file), table.csv().as_bytes())?;
        }
        let document = self.document();
        replace(&folder.join("report.html"), html::page(self).as_bytes())?;
        let claims: Vec<_> = document.claims.iter().collect();
        replace(&folder.join("report.md"), markdown::claims(&claims, "").as_bytes())?;
        replace(&folder.join("report.csv"), self.csv().as_bytes())?;
        replace(&folder.join("report.json"), document.text().as_bytes())
    }
}

/// The file with the numbers of a figure.
pub(crate) fn csv_of(figure: &str) -> String {
    let stem = figure.rsplit_once('.').map_or(figure, |(stem, _)| stem);
    format!("{stem}.csv")
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
