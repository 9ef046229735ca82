//! The result of a check: values with names, units and bounds, and a cause.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use super::judge::Interval;
use super::row::Printed;

type Name = Cow<'static, str>;

/// Measurements of a claim's check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Values, in the order of a report.
    pub values: Vec<Value>,
    /// Cause of the result, or a remark: the reason first, then the evidence.
    pub cause: String,
    /// Ratio or value in the model of a GPU of 2003, next to the measured one.
    pub model: String,
    /// Replaces the paper's number if a user's inputs change the claim.
    pub expected: Option<Printed>,
}

/// A measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Name, as in `largest difference`, or the meaning of a ratio, as in `times as long without the step`.
    pub name: Name,
    /// The value.
    pub measured: Measured,
    /// Its unit; empty for a pure number.
    pub unit: Name,
    /// Condition that it has to satisfy.
    pub bound: Bound,
    /// True if it is compared with the paper's number.
    pub is_key: bool,
}

/// A number with its interval, or a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Measured {
    /// A number.
    Number(Interval),
    /// A text, as in `26×18`.
    Text(String),
}

/// Condition that a value has to satisfy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// None: the value is only shown.
    None,
    /// This number exactly.
    Equal(#[serde(deserialize_with = "number")] f64),
    /// At most this number.
    AtMost(#[serde(deserialize_with = "number")] f64),
    /// At least this number.
    AtLeast(#[serde(deserialize_with = "number")] f64),
    /// Both ends included.
    Between(#[serde(deserialize_with = "number")] f64, #[serde(deserialize_with = "number")] f64),
    /// This text exactly.
    Is(String),
}

/// Reads a number. JSON cannot represent one that is not finite, which is written as null.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

impl Found {
    /// Creates an empty result.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a result with one value that is compared with the paper's number.
    pub fn value(name: impl Into<Name>, value: f64) -> Self {
        Self::new().key(name, value, "")
    }

    /// Creates a result whose smallest and largest value are both compared with the paper's number.
    pub fn values(name: &'static str, range: [f64; 2]) -> Self {
        Self::new().key(name, range, "")
    }

    /// Adds a ratio that is compared with the paper's; its name gives the direction, as in
    /// `times as long without the step`.
    pub fn ratio(self, name: impl Into<Name>, ratio: impl Into<Interval>) -> Self {
        self.key(name, ratio, "")
    }

    /// Adds a value with its unit that is compared with the paper's.
    pub fn key(
        self,
        name: impl Into<Name>,
        value: impl Into<Interval>,
        unit: &'static str,
    ) -> Self {
        self.push(name, Measured::Number(value.into()), unit, Bound::None, true)
    }

    /// Adds a value that is shown, not judged.
    pub fn shows(self, name: impl Into<Name>, value: impl Into<Interval>) -> Self {
        self.shows_in(name, value, "")
    }

    /// Adds a value with its unit that is shown, not judged.
    pub fn shows_in(
        self,
        name: impl Into<Name>,
        value: impl Into<Interval>,
        unit: &'static str,
    ) -> Self {
        self.push(name, Measured::Number(value.into()), unit, Bound::None, false)
    }

    /// Adds a text that is shown, not judged.
    pub fn shows_text(self, name: impl Into<Name>, text: impl Into<String>) -> Self {
        self.push(name, Measured::Text(text.into()), "", Bound::None, false)
    }

    /// Adds a value that may not exceed a bound.
    pub fn at_most(self, name: impl Into<Name>, value: impl Into<Interval>, most: f64) -> Self {
        let value = Measured::Number(value.into());
        self.push(name, value, "", Bound::AtMost(most), false)
    }

    /// Adds a value that has to reach at least a bound.
    pub fn at_least(self, name: impl Into<Name>, value: impl Into<Interval>, least: f64) -> Self {
        let value = Measured::Number(value.into());
        self.push(name, value, "", Bound::AtLeast(least), false)
    }

    /// Adds a value that has to be between two bounds, both included.
    pub fn between(
        self,
        name: impl Into<Name>,
        value: impl Into<Interval>,
        [least, most]: [f64; 2],
    ) -> Self {
        let value = Measured::Number(value.into());
        self.push(name, value, "", Bound::Between(least, most), false)
    }

    /// Adds a number that has to equal another.
    pub fn equal(self, name: impl Into<Name>, value: f64, expected: f64) -> Self {
        let value = Measured::Number(value.into());
        self.push(name, value, "", Bound::Equal(expected), false)
    }

    /// Adds a text that has to equal another.
    pub fn is(
        self,
        name: impl Into<Name>,
        text: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        let text = Measured::Text(text.into());
        self.push(name, text, "", Bound::Is(expected.into()), false)
    }

    /// Adds something that has to hold.
    pub fn holds(self, name: impl Into<Name>, holds: bool) -> Self {
        self.is(name, if holds { "holds" } else { "fails" }, "holds")
    }

    /// Sets the unit of the last value.
    pub fn unit(mut self, unit: &'static str) -> Self {
        if let Some(last) = self.values.last_mut() {
            last.unit = unit.into();
        }
        self
    }

    /// Adds a sentence to the cause.
    pub fn because(mut self, cause: impl AsRef<str>) -> Self {
        let cause = cause.as_ref().trim();
        if !self.cause.is_empty() && !cause.is_empty() {
            self.cause.push(' ');
        }
        self.cause.push_str(cause);
        self
    }

    /// Sets the result of the model of a GPU of 2003.
    pub fn with_model(self, model: impl Into<String>) -> Self {
        Self { model: model.into(), ..self }
    }

    /// Sets the expectation for a user's inputs, instead of the paper's number.
    pub fn expecting(self, expected: Printed) -> Self {
        Self { expected: Some(expected), ..self }
    }

    /// The values that are compared with the paper's number.
    pub fn keys(&self) -> impl Iterator<Item = Interval> {
        let keys = self.values.iter().filter(|value| value.is_key);
        keys.filter_map(|value| match value.measured {
            Measured::Number(interval) => Some(interval),
            Measured::Text(_) => None,
        })
    }

    /// The number with this name.
    pub fn number(&self, name: &str) -> Option<Interval> {
        let value = self.values.iter().find(|value| value.name == name)?;
        match value.measured {
            Measured::Number(interval) => Some(interval),
            Measured::Text(_) => None,
        }
    }

    /// The values in one line, the measured column of a report.
    pub fn text(&self) -> String {
        let values: Vec<String> = self.values.iter().map(Value::to_string).collect();
        values.join("; ")
    }

    fn push(
        mut self,
        name: impl Into<Name>,
        measured: Measured,
        unit: &'static str,
        bound: Bound,
        is_key: bool,
    ) -> Self {
        self.values.push(Value { name: name.into(), measured, unit: unit.into(), bound, is_key });
        self
    }
}

impl Interval {
    /// `1.07 (0.85 to 1.30)`; an exact value without interval, a range as `0.088 to 0.089`.
    fn text(&self) -> String {
        let [median, low, high] = [self.median, self.low, self.high].map(short);
        match self.rounds {
            0 if low == high => median,
            0 => format!("{low} to {high}"),
            _ => format!("{median} ({low} to {high})"),
        }
    }
}

impl fmt::Display for Value {
    /// `1.07 times as long without the step (0.85 to 1.30)` for names of this form, otherwise
    /// `name: value unit (bound)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.unit.is_empty() { "" } else { " " };
        match &self.measured {
            Measured::Text(text) if self.bound == Bound::Is(text.clone()) && text == "holds" => {
                write!(f, "{}", self.name)?
            }
            Measured::Text(text) => write!(f, "{}: {text}", self.name)?,
            Measured::Number(interval) if self.name.starts_with("times ") => {
                let median = short(interval.median);
                write!(f, "{median} {}", self.name)?;
                if interval.low != interval.high {
                    write!(f, " ({} to {})", short(interval.low), short(interval.high))?;
                }
            }
            Measured::Number(interval) => {
                write!(f, "{}: {}{space}{}", self.name, interval.text(), self.unit)?
            }
        }
        if !self.bound.holds(&self.measured) {
            write!(f, ", should be {}", self.bound)?;
        }
        Ok(())
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "a number"),
            Self::Equal(value) => write!(f, "{}", short(*value)),
            Self::AtMost(most) => write!(f, "at most {}", short(*most)),
            Self::AtLeast(least) => write!(f, "at least {}", short(*least)),
            Self::Between(least, most) => write!(f, "{} to {}", short(*least), short(*most)),
            Self::Is(text) => write!(f, "{text}"),
        }
    }
}

/// A number with three digits: integers unchanged, 1e-5 instead of many zeros.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == value.trunc() && size < 1e9 {
        return format!("{value}");
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{value:.1e}");
    }
    let before = size.log10().floor() as i32;
    format!("{value:.*}", usize::try_from(2 - before).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let texts = [1.0, 0.0884, 1.0749, 12.34, 246.8, 1e-7, 28749.0, 0.35e-3].map(short);
        assert_eq!(texts, ["1", "0.0884", "1.07", "12.3", "247", "1.0e-7", "28749", "3.5e-4"]);
    }

    #[test]
    fn a_finding_reads_as_one_line_with_direction_interval_and_missed_bounds() {
        let gain = Interval { median: 1.07, low: 0.85, high: 1.3, rounds: 9 };
        let found = Found::new()
            .ratio("times as long without the step", gain)
            .at_most("residual", 2e-7, 1e-7)
            .shows_in("cells", 64.0, "per side");
        assert_eq!(
            found.text(),
            "1.07 times as long without the step (0.850 to 1.30); residual: 2.0e-7, should be at most \
             1.0e-7; cells: 64 per side"
        );
    }
}
