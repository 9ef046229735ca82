//! Faults of a text, which are collected while it is read.

use crate::program::rule::Rule;

/// Maximum number of characters of a text in question.
const LONGEST: usize = 100;

/// Line and column, from 1.
pub(crate) type Place = (u32, u32);

/// Something in a text that is not of the dialect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    pub place: Place,
    pub rule: Rule,
    /// The text in question.
    pub found: String,
    pub remedy: String,
    /// True if the program has a listing all the same.
    pub has_listing: bool,
}

impl Fault {
    /// A fault with the remedy of its rule.
    pub(crate) fn new(place: Place, rule: Rule, found: &str) -> Self {
        let (mut found, remedy) = (found.to_owned(), rule.remedy().to_owned());
        if let Some((end, _)) = found.char_indices().nth(LONGEST) {
            found.replace_range(end.., "…");
        }
        Self { place, rule, found, remedy, has_listing: false }
    }

    /// This fault with another remedy.
    pub(crate) fn with(self, remedy: &str) -> Self {
        Self { remedy: remedy.to_owned(), ..self }
    }

    /// This fault in a program that has a listing nevertheless.
    pub(crate) fn listed(self) -> Self {
        Self { has_listing: true, ..self }
    }

    /// A text that is not GLSL.
    pub(crate) fn syntax(place: Place, found: &str, remedy: &str) -> Self {
        Self::new(place, Rule::Syntax, found).with(remedy)
    }
}
