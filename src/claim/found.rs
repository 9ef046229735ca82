//! The result of a check: values with names, units and bounds, and a cause.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{BoxedError, Printed};
use crate::timing::Interval;
use crate::timing::interval::{FEWEST, number, short};

type Text = Cow<'static, str>;

/// Measurements of a claim's check: one headline, which is compared with the paper's number at a glance, and evidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Values, in the order of a report.
    pub values: Vec<Value>,
    /// Cause of the result, or a remark: the reason first, then the evidence.
    pub cause: String,
    /// Replaces the paper's number if a user's inputs change the claim.
    pub expected: Option<Printed>,
    /// Replaces the paper's words then.
    pub quote: String,
}

/// A measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Name, as in `largest difference`, or the meaning of a ratio, as in `times as long without the step`.
    pub name: Text,
    /// True for the name of a ratio, which follows its number.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_ratio: bool,
    /// The value.
    pub measured: Measured,
    /// Its unit; empty for a pure number. A `share` is written in per cent.
    pub unit: Text,
    /// Condition that it has to satisfy.
    pub bound: Bound,
    /// True for the headline.
    pub is_key: bool,
    /// True for a number of the calibrated model of the paper's card.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_model: bool,
    /// True for the same on this device, if the verdict has another basis.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_here: bool,
    /// Card of 2003 for which Mesa's compiler made the programs; empty for all other values.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub compiler: Text,
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

impl<T: Into<Interval>> From<T> for Measured {
    fn from(number: T) -> Self {
        Self::Number(number.into())
    }
}

impl From<String> for Measured {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Condition that a value has to satisfy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// None: the value is only shown.
    None,
    /// The paper's number; of several, the one in the same place.
    Printed,
    /// This number exactly.
    Equal(#[serde(deserialize_with = "number")] f64),
    /// At most this number.
    AtMost(#[serde(deserialize_with = "number")] f64),
    /// At least this number.
    AtLeast(#[serde(deserialize_with = "number")] f64),
    /// Both ends included.
    Between(#[serde(deserialize_with = "number")] f64, #[serde(deserialize_with = "number")] f64),
    /// A curve from its smallest to its largest value: all on the side of 1 that this number is on, which is met.
    Curve(#[serde(deserialize_with = "number")] f64),
    /// This text exactly.
    Is(String),
}

impl Found {
    /// Checks that it has one headline.
    pub(super) fn finished(self) -> Result<Self, BoxedError> {
        match self.values.iter().filter(|value| value.is_key).count() {
            1 => Ok(self),
            several => Err(format!("a result with {several} headlines instead of one").into()),
        }
    }

    /// Adds a sentence to the cause.
    pub(super) fn because(mut self, cause: impl AsRef<str>) -> Self {
        let cause = cause.as_ref().trim();
        if !self.cause.is_empty() && !cause.is_empty() {
            self.cause.push(' ');
        }
        self.cause.push_str(cause);
        self
    }

    /// Adds the last value in the model of the paper's card, if it can be computed there.
    pub fn modelled(self, model: Option<f64>) -> Self {
        let (Some(last), Some(model)) = (self.values.last(), model) else { return self };
        let measured = Measured::Number(model.into());
        let (bound, is_key, is_model, is_here) = (Bound::None, false, true, false);
        let model = Value { measured, bound, is_key, is_model, is_here, ..last.clone() };
        Self { values: [self.values, vec![model]].concat(), ..self }
    }

    /// The values that are compared with the paper's numbers.
    pub fn printed(&self) -> impl Iterator<Item = Interval> {
        let values = self.values.iter().filter(|value| value.bound == Bound::Printed);
        values.filter_map(|value| match value.measured {
            Measured::Number(interval) => Some(interval),
            Measured::Text(_) => None,
        })
    }
}

impl Value {
    /// A value that is not the headline. A name that begins with *times* is that of a ratio.
    pub fn of(
        name: impl Into<Text>,
        measured: impl Into<Measured>,
        unit: impl Into<Text>,
        bound: Bound,
    ) -> Self {
        let (name, measured) = (name.into(), measured.into());
        let is_ratio = name.starts_with("times ");
        let unit = if is_ratio { "times".into() } else { unit.into() };
        let (is_key, is_model, is_here, compiler) = (false, false, false, "".into());
        Self { name, is_ratio, measured, unit, bound, is_key, is_model, is_here, compiler }
    }

    /// The value with its unit and without its name, as the headline of a report.
    pub fn text(&self) -> String {
        let (scale, unit) = self.scale();
        match &self.measured {
            Measured::Number(number) => number.times(scale).text(&unit),
            Measured::Text(text) => format!("{text} {unit}").trim_end().to_owned(),
        }
    }

    /// The factor with which its numbers are written, and the unit then.
    fn scale(&self) -> (f64, Text) {
        match self.unit.strip_prefix("share") {
            Some(of) if of.is_empty() || of.starts_with(' ') => (100.0, format!("%{of}").into()),
            _ => (1.0, self.unit.clone()),
        }
    }
}

impl fmt::Display for Value {
    /// `1.07 times as long without the step, 0.85 to 1.30` for a ratio, otherwise `name: value unit (bound)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.measured {
            Measured::Text(text) if self.bound == Bound::Is(text.clone()) && text == "holds" => {
                write!(f, "{}", self.name)?
            }
            Measured::Number(interval) if self.is_ratio => {
                write!(f, "{}", interval.text(&self.name))?
            }
            _ => write!(f, "{}: {}", self.name, self.text())?,
        }
        if let Measured::Number(interval) = &self.measured
            && interval.processes < 2
            && (1..FEWEST).contains(&interval.rounds)
        {
            write!(f, " ({:.0} % confidence)", 100.0 * interval.confidence())?;
        }
        if self.bound.is_kept(&self.measured, 0.0) == Some(false) {
            write!(f, ", should be {}", self.bound.text(self.scale().0))?;
        }
        Ok(())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

impl Bound {
    /// Ends between which a number satisfies it.
    pub(super) fn ends(&self) -> Option<[f64; 2]> {
        match *self {
            Self::AtMost(most) => Some([f64::NEG_INFINITY, most]),
            Self::AtLeast(least) => Some([least, f64::INFINITY]),
            Self::Between(least, most) => Some([least, most]),
            Self::Curve(printed) if printed > 1.0 => Some([1.0, f64::INFINITY]),
            Self::Curve(printed) if printed < 1.0 => Some([0.0, 1.0]),
            Self::None | Self::Printed | Self::Equal(_) | Self::Curve(_) | Self::Is(_) => None,
        }
    }

    /// Its text, with numbers in the unit of a value that is written with this scale.
    pub(crate) fn text(&self, scale: f64) -> String {
        let short = |value: f64| short(scale * value);
        match self {
            Self::None => "a number".to_owned(),
            Self::Printed => "the paper's number".to_owned(),
            Self::Equal(value) => short(*value),
            Self::AtMost(most) => format!("at most {}", short(*most)),
            Self::AtLeast(least) => format!("at least {}", short(*least)),
            Self::Between(least, most) => format!("{} to {}", short(*least), short(*most)),
            Self::Curve(printed) => format!("a curve that meets {}", short(*printed)),
            Self::Is(text) => text.clone(),
        }
    }
}

/// The largest difference, relative to the largest expected value; infinite for NaN and for different
/// numbers of values.
pub fn difference<F, E>(found: &[F], expected: &[E]) -> f64
where
    F: Copy + Into<f64>,
    E: Copy + Into<f64>,
{
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let expected = expected.iter().map(|&value| value.into());
    let largest = expected.clone().fold(f64::MIN_POSITIVE, |m, v: f64| m.max(v.abs()));
    let errors = found.iter().zip(expected).map(|(&f, e)| f.into() - e);
    worst(errors.map(|error| error.abs() / largest))
}

/// The largest of several errors, where NaN counts as infinite.
pub fn worst(errors: impl IntoIterator<Item = f64>) -> f64 {
    let errors = errors.into_iter();
    errors.fold(0.0, |m, e| m.max(if e.is_nan() { f64::INFINITY } else { e }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(median: f64, low: f64, high: f64) -> Interval {
        Interval { median, low, high, rounds: 9, ..Interval::default() }
    }

    #[test]
    fn each_value_reads_as_one_line_with_direction_interval_and_missed_bounds() {
        let gain = measured(1.07, 0.85, 1.3);
        let values = [
            Value::of("times as long without the step", gain, "", Bound::Printed),
            Value::of("residual", 2e-7, "", Bound::AtMost(1e-7)),
            Value::of("cells", 64.0, "per side", Bound::None),
            Value::of("loss", 0.25, "share", Bound::AtMost(0.1)),
        ];
        let lines = [
            "1.07 times as long without the step, 0.850 to 1.30",
            "residual: 2.0e-7, should be at most 1.0e-7",
            "cells: 64 per side",
            "loss: 25 %, should be at most 10",
        ];
        assert_eq!(values.map(|value| value.to_string()), lines);
    }

    #[test]
    fn a_finished_finding_has_one_headline_in_the_paper_s_unit() {
        let headline = |name: &'static str, measured: Interval, unit: &'static str| {
            let value = Value::of(name, measured, unit, Bound::None);
            let values = vec![value.clone(), Value { is_key: true, ..value }];
            let found = Found { values, ..Found::default() }.finished().expect("one headline");
            found.values[1].text()
        };
        let gain = measured(3.86, 3.8, 3.92);
        assert_eq!(headline("times as long", gain, ""), "3.86 times, 3.80 to 3.92");
        assert_eq!(headline("longest row", 205.0.into(), "entries"), "205 entries");
        let values = vec![Value::of("rows", 1.0, "", Bound::None)];
        assert!(Found { values, ..Found::default() }.finished().is_err());
    }
}
