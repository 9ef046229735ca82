//! The numbers that a paper prints, with what their digits and words allow.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::expression::Quantity;
use crate::base::table::read_csv;
use crate::claim::printed::{EXACTLY, HEDGES, number};
use crate::experiment::Record;

/// Printed numbers by name.
#[derive(Debug, Default)]
pub struct Numbers {
    /// The numbers.
    pub record: Record,
    texts: BTreeMap<String, Text>,
}

/// A number as it is printed.
#[derive(Debug)]
struct Text {
    text: String,
    is_hedged: bool,
    /// The least that it can be, the middle, and the most.
    ends: [f64; 3],
}

/// A printed number of a file: `3.0`, or a text with a hedge, as in `"nearly 1"`.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Own {
    Number(f64),
    Text(String),
}

impl Numbers {
    /// Reads the columns `id`, `value` and `words` of a CSV.
    ///
    /// # Errors
    /// Those of [`Record::printed`].
    pub fn of_csv(csv: &str) -> Result<Self, String> {
        let mut numbers = Self { record: Record::printed(csv)?, texts: BTreeMap::new() };
        let rows = read_csv(csv);
        let place = |name: &str| rows.first()?.iter().position(|cell| cell == name);
        let cells = (place("id"), place("value"), place("words"));
        let (Some(id), Some(value), Some(words)) = cells else { return Ok(numbers) };
        for row in rows.iter().skip(1) {
            // Other words are a remark.
            let hedge = hedges().find(|hedge| hedge.trim() == row[words]).unwrap_or("");
            let text = format!("{hedge}{}", row[value]);
            numbers.texts.insert(row[id].clone(), Text::of(text)?);
        }
        Ok(numbers)
    }

    /// Adds a number of a file.
    ///
    /// # Errors
    /// A text that is no number.
    pub fn add(&mut self, name: String, own: Own) -> Result<(), String> {
        match own {
            Own::Number(number) => self.record.one(name, number),
            Own::Text(text) => {
                let text = Text::of(text).map_err(|what| format!("printed.{name}: {what}"))?;
                self.record.one(name.clone(), text.ends[1]);
                self.texts.insert(name, text);
            }
        }
        Ok(())
    }

    /// Tests whether a number is printed with a hedge.
    pub fn is_hedged(&self, name: &str) -> bool {
        self.texts.get(name).is_some_and(|text| text.is_hedged)
    }

    /// Tests whether a number is printed as almost exact.
    pub fn is_almost_exact(&self, name: &str) -> bool {
        self.texts.get(name).is_some_and(|text| text.text.starts_with(EXACTLY.0))
    }

    /// A number, or a series; with a hedge, the middle of what that allows.
    pub fn quantity(&self, name: &str) -> Result<Quantity, String> {
        match self.texts.get(name) {
            Some(Text { is_hedged: true, ends: [_, middle, _], .. }) => Ok(Quantity::One(*middle)),
            _ => self.record.quantity(name),
        }
    }

    /// The ends of a number; none if nothing is known of its digits.
    pub fn ends(&self, name: &str) -> Option<[f64; 2]> {
        self.texts.get(name).map(|Text { ends: [least, _, most], .. }| [*least, *most])
    }

    /// A number as a file of rows has it.
    pub fn written(&self, name: &str) -> String {
        match self.texts.get(name) {
            Some(text) => format!("\"{}\"", text.text),
            None => format!("{:?}", self.record.last(name).unwrap_or(f64::NAN)),
        }
    }
}

/// The hedges: *about* allows what is rounded to the number.
fn hedges() -> impl Iterator<Item = &'static str> {
    HEDGES.iter().map(|(words, _)| *words).chain(["about ", EXACTLY.0])
}

fn is_hedged(text: &str) -> bool {
    hedges().any(|words| text.starts_with(words))
}

impl Text {
    fn of(text: String) -> Result<Self, String> {
        let digits = hedges().find_map(|words| text.strip_prefix(words)).unwrap_or(&text);
        let is_number = digits.parse::<f64>().is_ok();
        if !is_number || !digits.chars().all(|c| c.is_ascii_digit() || c == '.') {
            let all: Vec<&str> = hedges().map(str::trim).collect();
            let all = all.join(", ");
            return Err(format!(
                "“{text}” is no number: write digits, after one of {all} or without"
            ));
        }
        let ends = match text.strip_prefix(EXACTLY.0) {
            Some(digits) => {
                let ([_, ratio, _], (_, [least, most])) = (number(digits), EXACTLY);
                [least * ratio, ratio, most * ratio]
            }
            None => number(&text),
        };
        Ok(Self { is_hedged: is_hedged(&text), ends, text })
    }
}
