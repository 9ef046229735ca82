//! Contents of a report: figures, programs, and exhibits without a claim.

use serde::Serialize;

/// A picture that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its file, relative to the report's folder, as in `bolz2003/fig3.svg`.
    pub file: String,
    /// Caption of one sentence.
    pub caption: String,
    /// The file's content: SVG for charts, PNG for pictures.
    pub content: Vec<u8>,
    /// The numbers in it, as CSV.
    pub numbers: Option<String>,
}

/// A fragment program that ran for a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its name, as in `bolz2003/sparse/spmv`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A picture and a table with the command that reproduces them. Not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// Title.
    pub title: String,
    /// Its table as text for a terminal.
    pub text: String,
    /// The command that shows it again.
    pub command: String,
    /// Its picture, with the numbers of the table.
    pub figure: Figure,
}
