//! What a report shows: figures, programs, and exhibits without a claim.

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
    /// The numbers that it shows, as CSV.
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

/// A picture, a table, and the command that makes both again. Nothing is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// Title.
    pub title: String,
    /// Its table, as a terminal prints it.
    pub text: String,
    /// The command that shows it again.
    pub command: String,
    /// Its picture; the numbers of the table are in it.
    pub figure: Figure,
}
