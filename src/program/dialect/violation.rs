//! Violations, as users read them.

use std::fmt::Write;

use crate::base::error::with_remedy;
use crate::program::front::Fault;
use crate::program::rule::Rule;
use crate::program::text::own_text;

/// Maximum number of violations in a report, and of characters of a line.
const MOST: usize = 10;
const WIDTH: usize = 120;

/// Something in a program that did not exist in 2003, or a fault of its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{}: {found} ({}): {remedy}", self.position(), rule.name())]
pub struct Violation {
    /// Path or name of the file, as given; empty for a program without a name.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in the line, from 1.
    pub column: u32,
    /// The rule that is broken.
    pub rule: Rule,
    /// The text in question.
    pub found: String,
    /// Remedy.
    pub remedy: String,
    /// The whole line.
    pub text: String,
}

impl Violation {
    pub(crate) fn new(file: &str, source: &str, fault: Fault) -> Self {
        let (line, column) = fault.place;
        let text = (line as usize).checked_sub(1).and_then(|at| own_text(source).lines().nth(at));
        let (file, text) = (file.to_owned(), text.unwrap_or_default().to_owned());
        let (rule, found, remedy) = (fault.rule, fault.found, fault.remedy);
        Self { file, line, column, rule, found, remedy, text }
    }

    fn position(&self) -> String {
        match &*self.file {
            "" => format!("line {}, column {}", self.line, self.column),
            file => format!("{file}:{}:{}", self.line, self.column),
        }
    }
}

/// Violations with their lines, each with a mark below the text in question.
pub(crate) fn report(violations: &[Violation]) -> String {
    let mut report = String::new();
    for one in violations.iter().take(MOST) {
        let what = with_remedy(format_args!("{} ({})", one.found, one.rule.name()), &one.remedy);
        let (number, place) = (one.line.to_string(), one.column as usize - 1);
        let is_long = one.text.chars().count() > WIDTH;
        let first = if is_long { place.saturating_sub(WIDTH / 2) } else { 0 };
        let line: String = one.text.chars().skip(first).take(WIDTH).collect();
        let before = line.chars().take(place - first);
        let blanks: String = before.map(|c| if c == '\t' { c } else { ' ' }).collect();
        let margin = " ".repeat(number.len());
        let _ = writeln!(report, "{}: {what}\n {number} | {line}", one.position());
        let _ = writeln!(report, " {margin} | {blanks}^");
    }
    if let Some(more) = violations.len().checked_sub(MOST).filter(|&more| more > 0) {
        let _ = writeln!(report, "and {more} more");
    }
    report.truncate(report.trim_end().len());
    report
}
