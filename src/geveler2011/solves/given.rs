//! Conditions on parts of the boundary, as words.

use std::fmt;
use std::str::FromStr;

use crate::base::formula::{Formula, FormulaError};

/// A formula, for a named part of the boundary or for all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Name of the part.
    pub name: Option<String>,
    /// Formula.
    pub formula: Formula,
}

impl FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // No formula has this sign, but a name may, and comparisons, which the formula refuses.
        let is_comparison = |at: usize| {
            text[..at].ends_with(['<', '>', '=', '!']) || text[at + 1..].starts_with('=')
        };
        let mut signs = text.rmatch_indices('=').map(|(at, _)| at);
        let (name, formula) = match signs.find(|&at| !is_comparison(at)) {
            Some(at) => (Some(text[..at].to_owned()), &text[at + 1..]),
            None => (None, text),
        };
        let remedy = match name {
            Some(_) => "",
            None => " (give FORMULA or NAME=FORMULA, as in outer=0)",
        };
        let formula = formula.parse().map_err(|fault: FormulaError| format!("{fault}{remedy}"))?;
        Ok(Self { name, formula })
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.formula),
            None => self.formula.fmt(f),
        }
    }
}

/// Conditions on several parts. Their word is `inner=0;outer=1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Several(pub Vec<Given>);

impl FromStr for Several {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut all, mut part) = (Vec::new(), String::new());
        let mut pieces = text.split(';').peekable();
        while let Some(piece) = pieces.next() {
            part += piece;
            match part.parse() {
                Ok(given) => {
                    all.push(given);
                    part.clear();
                }
                // A name may have a semicolon.
                Err(_) if pieces.peek().is_some() && !part.contains('=') => part.push(';'),
                Err(fault) => return Err(fault),
            }
        }
        Ok(Self(all))
    }
}

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, given) in self.0.iter().enumerate() {
            write!(f, "{}{given}", if at == 0 { "" } else { ";" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_they_are_printed() {
        for (word, names) in [
            ("x*y", &[None][..]),
            ("inner=0;outer=-1e-3", &[Some("inner"), Some("outer")]),
            ("0;a;b=1", &[None, Some("a;b")]),
        ] {
            let several: Several = word.parse().unwrap();
            let found: Vec<_> = several.0.iter().map(|given| given.name.as_deref()).collect();
            assert_eq!(found, names);
            assert_eq!(several.to_string(), word);
        }
        for bad in ["", "inner=", "inner=0;", "inner=z;outer=1"] {
            assert!(bad.parse::<Several>().is_err(), "{bad}");
        }
    }
}
