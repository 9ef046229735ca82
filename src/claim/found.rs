//! The result of a check: values with names, units and bounds, and a cause.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{BoxedError, Printed};
use crate::timing::Interval;
use crate::timing::interval::{FEWEST, number, short};
use crate::timing::laps::{Lap, Laps};

type Text = Cow<'static, str>;

/// A name of a value.
#[derive(Clone, Debug)]
pub struct Name {
    text: Text,
    is_ratio: bool,
}

/// Names a ratio by its direction, as in `times("as long without the step")`.
pub fn times(what: impl fmt::Display) -> Name {
    Name { text: format!("times {what}").into(), is_ratio: true }
}

impl<T: Into<Text>> From<T> for Name {
    fn from(text: T) -> Self {
        Self { text: text.into(), is_ratio: false }
    }
}

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

/// A number with or without its unit, as in `(5.0, "ms")`, or a text.
#[derive(Clone, Debug)]
pub struct Amount {
    measured: Measured,
    unit: &'static str,
}

impl<T: Into<Interval>> From<T> for Amount {
    fn from(number: T) -> Self {
        (number, "").into()
    }
}

impl<T: Into<Interval>> From<(T, &'static str)> for Amount {
    fn from((number, unit): (T, &'static str)) -> Self {
        Self { measured: Measured::Number(number.into()), unit }
    }
}

impl From<String> for Amount {
    fn from(text: String) -> Self {
        Self { measured: Measured::Text(text), unit: "" }
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
    /// Creates an empty result.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a result with one value that is compared with the paper's number.
    pub fn value(name: impl Into<Name>, value: impl Into<Amount>) -> Self {
        Self::new().ratio(name, value)
    }

    /// Adds a ratio or a value that is compared with the paper's number. The first one is the headline unless another is
    /// chosen.
    pub fn ratio(self, name: impl Into<Name>, ratio: impl Into<Amount>) -> Self {
        let is_first = self.headline_value().is_none();
        let mut found = self.push(name, ratio, Bound::Printed);
        if let Some(last) = found.values.last_mut() {
            last.is_key = is_first;
        }
        found
    }

    /// Adds a value of the rounds of a race that is compared with the paper's number, and the same in the model.
    pub fn raced(self, laps: &Laps, name: impl Into<Name>, value: impl Fn(&Lap) -> f64) -> Self {
        let found = self.ratio(name, laps.of(&value));
        found.modelled(laps.in_model(value))
    }

    /// Makes the last value the headline, in the unit of the paper's number.
    pub fn headline(mut self, unit: &'static str) -> Self {
        for value in &mut self.values {
            value.is_key = false;
        }
        if let Some(last) = self.values.iter_mut().rfind(|value| !value.is_model) {
            (last.is_key, last.unit) = (true, unit.into());
        }
        self
    }

    /// Adds numbers as the headline, in the order of the paper's: `3.95, 4.71 times`. A range is written as such.
    pub fn list<T: Into<Interval>>(
        self,
        name: impl Into<Name>,
        numbers: impl IntoIterator<Item = T>,
        unit: &'static str,
    ) -> Self {
        let text = |number: Interval| match number.rounds {
            0 => number.text(""),
            _ => short(number.median),
        };
        let numbers: Vec<String> = numbers.into_iter().map(|one| text(one.into())).collect();
        self.shows(name, numbers.join(", ")).headline(unit)
    }

    /// Makes the values that are compared with the paper's numbers the headline, as a list of their medians.
    pub fn each(self, unit: &'static str) -> Self {
        let medians: Vec<Interval> = self.printed().collect();
        self.list("medians in the order of the paper's numbers", medians, unit)
    }

    /// Checks that it has one headline.
    pub fn finished(self) -> Result<Self, BoxedError> {
        match self.values.iter().filter(|value| value.is_key).count() {
            1 => Ok(self),
            several => Err(format!("a result with {several} headlines instead of one").into()),
        }
    }

    /// Adds a value that is shown, not judged.
    pub fn shows(self, name: impl Into<Name>, value: impl Into<Amount>) -> Self {
        self.push(name, value, Bound::None)
    }

    /// Adds a value that may not exceed a bound.
    pub fn at_most(self, name: impl Into<Name>, value: impl Into<Amount>, most: f64) -> Self {
        self.push(name, value, Bound::AtMost(most))
    }

    /// Adds a value that has to reach at least a bound.
    pub fn at_least(self, name: impl Into<Name>, value: impl Into<Amount>, least: f64) -> Self {
        self.push(name, value, Bound::AtLeast(least))
    }

    /// Adds a value that has to be between two bounds, both included.
    pub fn between(
        self,
        name: impl Into<Name>,
        value: impl Into<Amount>,
        [least, most]: [f64; 2],
    ) -> Self {
        self.push(name, value, Bound::Between(least, most))
    }

    /// Adds what holds along a curve: its direction everywhere, and the printed number somewhere.
    pub fn curve(self, name: impl Into<Name>, curve: impl Into<Amount>, printed: f64) -> Self {
        self.push(name, curve, Bound::Curve(printed))
    }

    /// Adds a number that has to equal another.
    pub fn equal(self, name: impl Into<Name>, value: f64, expected: f64) -> Self {
        self.push(name, value, Bound::Equal(expected))
    }

    /// Adds a text that has to equal another.
    pub fn is(
        self,
        name: impl Into<Name>,
        text: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        self.push(name, text.into(), Bound::Is(expected.into()))
    }

    /// Adds a condition. The claim fails if it is false.
    pub fn holds(self, name: impl Into<Name>, holds: bool) -> Self {
        self.is(name, if holds { "holds" } else { "fails" }, "holds")
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

    /// Adds the last value in the model of the paper's card, if it can be computed there.
    pub fn modelled(self, model: Option<f64>) -> Self {
        let (Some(last), Some(model)) = (self.values.last(), model) else { return self };
        let measured = Measured::Number(model.into());
        let (bound, is_key, is_model, is_here) = (Bound::None, false, true, false);
        let model = Value { measured, bound, is_key, is_model, is_here, ..last.clone() };
        Self { values: [self.values, vec![model]].concat(), ..self }
    }

    /// Adds the last judged value as this device measures it, if the verdict has another basis.
    pub fn here(self, name: impl Into<Name>, value: impl Into<Amount>) -> Self {
        let mut found = self.shows(name, value);
        if let Some(last) = found.values.last_mut() {
            last.is_here = true;
        }
        found
    }

    /// Sets the expectation, with a user's inputs or without, instead of the paper's number; that number itself if it
    /// holds with such inputs, too.
    pub fn expecting(self, expected: Printed) -> Self {
        Self { expected: Some(expected), ..self }
    }

    /// Sets the words of the expectation for a user's inputs.
    pub fn quoting(self, quote: impl Into<String>) -> Self {
        Self { quote: quote.into(), ..self }
    }

    /// The values that are compared with the paper's numbers.
    pub fn printed(&self) -> impl Iterator<Item = Interval> {
        let values = self.values.iter().filter(|value| value.bound == Bound::Printed);
        values.filter_map(|value| match value.measured {
            Measured::Number(interval) => Some(interval),
            Measured::Text(_) => None,
        })
    }

    fn headline_value(&self) -> Option<&Value> {
        self.values.iter().find(|value| value.is_key)
    }

    fn push(mut self, name: impl Into<Name>, value: impl Into<Amount>, bound: Bound) -> Self {
        let Amount { measured, unit } = value.into();
        self.values.push(Value::of(name, measured, unit, bound));
        self
    }
}

impl Value {
    /// A value that is not the headline.
    pub fn of(
        name: impl Into<Name>,
        measured: Measured,
        unit: impl Into<Text>,
        bound: Bound,
    ) -> Self {
        let Name { text: name, is_ratio } = name.into();
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

    #[test]
    fn each_value_reads_as_one_line_with_direction_interval_and_missed_bounds() {
        let gain =
            Interval { median: 1.07, low: 0.85, high: 1.3, rounds: 9, ..Interval::default() };
        let found = Found::new()
            .ratio(times("as long without the step"), gain)
            .at_most("residual", 2e-7, 1e-7)
            .shows("cells", (64.0, "per side"));
        let lines = [
            "1.07 times as long without the step, 0.850 to 1.30",
            "residual: 2.0e-7, should be at most 1.0e-7",
            "cells: 64 per side",
        ];
        let values: Vec<String> = found.values.iter().map(Value::to_string).collect();
        assert_eq!(values, lines);
    }

    #[test]
    fn a_finished_finding_has_one_headline_in_the_paper_s_unit() {
        let headline = |found: Found| {
            let found = found.finished().expect("one headline");
            found.headline_value().map(Value::text)
        };
        let gain =
            Interval { median: 3.86, low: 3.8, high: 3.92, rounds: 9, ..Interval::default() };
        let ratios = || Found::value(times("as long"), gain).ratio(times("as many"), 2.0);
        assert_eq!(headline(ratios()).as_deref(), Some("3.86 times, 3.80 to 3.92"));
        assert_eq!(headline(ratios().each("times")).as_deref(), Some("3.86, 2 times"));
        let entries = ratios().at_most("longest row", 205.0, 249.0).headline("entries");
        assert_eq!(headline(entries).as_deref(), Some("205 entries"));
        let loss = Found::new().at_most("loss", 0.25, 0.1).headline("share");
        assert_eq!(loss.values[0].to_string(), "loss: 25 %, should be at most 10");
        assert!(Found::new().shows("rows", 1.0).finished().is_err());
    }
}
