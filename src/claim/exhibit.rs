//! What a report shows without any claim.

use super::finding::Figure;

/// Something to look at: a picture, a table, and the command that makes both again. Nothing is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// What it is.
    pub title: String,
    /// Its table, as a terminal prints it.
    pub text: String,
    /// The command that shows it again.
    pub command: String,
    /// Its picture; the numbers of the table are in it.
    pub figure: Figure,
}
