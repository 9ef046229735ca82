//! The judges of all claims: a claim does not judge itself.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::found::{Bound, Found, Measured, Value, number};
use super::row::{Claim, Class, GROWTH, Printed};
use crate::picture::plot::Reading;

/// Verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The result is the paper's.
    Reproduced,
    /// A timing has another result.
    Differs,
    /// The interval still straddles a bound when the budget of rounds is spent.
    Undecided,
    /// The result is not the paper's, or could not be checked.
    #[serde(rename = "not reproduced")]
    NotReproduced,
    /// It ran with a user's inputs, on which the paper makes no claim.
    #[serde(rename = "not judged")]
    NotJudged,
    /// This driver lacks a feature that the programs need.
    #[serde(rename = "not run")]
    NotRun,
}

impl Verdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Reproduced,
        Self::Differs,
        Self::Undecided,
        Self::NotReproduced,
        Self::NotJudged,
        Self::NotRun,
    ];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::Undecided => "undecided",
            Self::NotReproduced => "not reproduced",
            Self::NotJudged => "not judged",
            Self::NotRun => "not run",
        }
    }

    /// Sign in reports, so that a verdict does not depend on colour alone.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Reproduced => "✓",
            Self::Differs => "≠",
            Self::Undecided => "?",
            Self::NotReproduced => "✗",
            Self::NotJudged | Self::NotRun => "–",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A measured ratio with its confidence interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Median.
    #[serde(deserialize_with = "number")]
    pub median: f64,
    /// Lower end.
    #[serde(deserialize_with = "number")]
    pub low: f64,
    /// Upper end.
    #[serde(deserialize_with = "number")]
    pub high: f64,
    /// Number of rounds; 0 for an exact value.
    pub rounds: usize,
}

impl From<f64> for Interval {
    /// An exact value, such as a ratio of counts.
    fn from(value: f64) -> Self {
        Self { median: value, low: value, high: value, rounds: 0 }
    }
}

impl Interval {
    /// The value in another unit, which is larger by this factor.
    pub fn times(self, factor: f64) -> Self {
        let [median, low, high] = [self.median, self.low, self.high].map(|end| factor * end);
        Self { median, low, high, ..self }
    }
}

impl From<Interval> for Reading {
    fn from(Interval { median, low, high, .. }: Interval) -> Self {
        Self { value: median, low, high }
    }
}

impl From<[f64; 2]> for Interval {
    /// A range, from the smallest to the largest value.
    fn from([low, high]: [f64; 2]) -> Self {
        Self { median: (low + high) / 2.0, low, high, rounds: 0 }
    }
}

impl Printed {
    /// Judges a ratio. `None` if the interval straddles a bound, or if no ratio is printed.
    pub fn judge(&self, ratio: Interval) -> Option<Verdict> {
        let [low, high] = match *self {
            // Half to twice the effect, on a logarithmic scale.
            Self::Ratio(p) if p >= 1.0 => [p.sqrt(), p * p],
            Self::Ratio(p) => [p * p, p.sqrt()],
            Self::Growth(p) => [p / GROWTH, p * GROWTH],
            Self::Faster => [1.0, f64::INFINITY],
            Self::Slower => [0.0, 1.0],
            Self::Ratios(_) | Self::Growths(_) | Self::Value(..) | Self::Words(_) => return None,
        };
        if ratio.low >= low && ratio.high <= high {
            // For a mere direction, 1 itself is on neither side.
            let is_one = ratio.low == 1.0 || ratio.high == 1.0;
            let is_direction = matches!(self, Self::Faster | Self::Slower);
            return (!is_one || !is_direction).then_some(Verdict::Reproduced);
        }
        (ratio.high < low || ratio.low > high).then_some(Verdict::Differs)
    }
}

impl Bound {
    /// Tests whether a value satisfies it.
    pub fn holds(&self, value: &Measured) -> bool {
        match (self, value) {
            (Self::None, Measured::Text(_)) => true,
            (Self::Is(expected), Measured::Text(text)) => expected == text,
            (_, Measured::Text(_)) => false,
            (bound, Measured::Number(interval)) => {
                let Interval { low, high, .. } = *interval;
                match *bound {
                    Self::None | Self::Printed => !interval.median.is_nan(),
                    Self::Equal(expected) => low == expected && high == expected,
                    Self::AtMost(most) => high <= most,
                    Self::AtLeast(least) => low >= least,
                    Self::Between(least, most) => low >= least && high <= most,
                    Self::Is(_) => false,
                }
            }
        }
    }
}

/// Judges a result by its row. With a user's inputs the verdict is withheld, unless the result gives the
/// expectation for them.
pub fn judge(claim: &Claim, found: &Found, has_inputs: bool) -> Verdict {
    if has_inputs && found.expected.is_none() {
        return Verdict::NotJudged;
    }
    let printed = found.expected.unwrap_or(claim.paper);
    let refuted = match claim.class {
        Class::Shape => Verdict::Differs,
        _ => Verdict::NotReproduced,
    };
    let is_kept = |value: &Value| value.bound.holds(&value.measured);
    let is_judged = |value: &Value| !matches!(value.bound, Bound::None | Bound::Printed);
    if !found.values.iter().all(is_kept) {
        return refuted;
    }
    let keys: Vec<Interval> = found.printed().collect();
    let ratios = |expected: &[(&str, f64)], each: fn(f64) -> Printed| {
        // One ratio for each printed ratio, in their order.
        if keys.len() != expected.len() {
            return vec![Some(refuted)];
        }
        let pairs = keys.iter().zip(expected);
        pairs.map(|(&key, &(_, ratio))| each(ratio).judge(key)).collect()
    };
    let verdicts: Vec<Option<Verdict>> = match printed {
        Printed::Ratios(expected) => ratios(expected, Printed::Ratio),
        Printed::Growths(expected) => ratios(expected, Printed::Growth),
        Printed::Ratio(_) | Printed::Growth(_) | Printed::Faster | Printed::Slower => {
            keys.iter().map(|&key| printed.judge(key)).collect()
        }
        Printed::Value(expected, _) => {
            let is_near = |key: &Interval| {
                let off = (key.low - expected).abs().max((key.high - expected).abs());
                Some(if off <= claim.within { Verdict::Reproduced } else { refuted })
            };
            keys.iter().map(is_near).collect()
        }
        Printed::Words(_) if found.values.iter().any(is_judged) => vec![Some(Verdict::Reproduced)],
        Printed::Words(_) => Vec::new(),
    };
    if verdicts.is_empty() {
        // Nothing was compared: a check that cannot fail does not reproduce anything.
        return Verdict::NotReproduced;
    }
    if let Some(verdict) = verdicts.iter().flatten().find(|v| **v != Verdict::Reproduced) {
        return if *verdict == Verdict::Differs { refuted } else { *verdict };
    }
    if verdicts.iter().any(Option::is_none) {
        return match claim.class {
            Class::Shape => Verdict::Undecided,
            _ => refuted,
        };
    }
    Verdict::Reproduced
}

#[cfg(test)]
mod tests {
    use super::super::row::{exact, shape, tolerance};
    use super::*;

    fn between(low: f64, high: f64) -> Interval {
        Interval { median: (low * high).sqrt(), low, high, rounds: 9 }
    }

    fn unchecked(_: &mut super::super::Run<'_>, _: &Claim) -> super::super::Checked {
        Err("judged only".into())
    }

    #[test]
    fn a_ratio_is_reproduced_from_half_of_its_effect_to_twice() {
        let judge = |p, low, high| Printed::Ratio(p).judge(between(low, high));
        assert_eq!(judge(4.0, 2.0, 16.0), Some(Verdict::Reproduced));
        assert_eq!(judge(4.0, 0.9, 1.9), Some(Verdict::Differs));
        assert_eq!(judge(4.0, 17.0, 18.0), Some(Verdict::Differs));
        assert_eq!(judge(4.0, 1.9, 2.1), None);
        // No effect cannot be distinguished from a small effect.
        assert_eq!(judge(1.08, 0.99, 1.01), Some(Verdict::Differs));
        assert_eq!(judge(1.08, 0.95, 1.2), None);
        // Below one, the bounds are reversed.
        assert_eq!(judge(0.25, 0.0625, 0.5), Some(Verdict::Reproduced));
        assert_eq!(judge(0.25, 0.6, 1.0), Some(Verdict::Differs));
    }

    #[test]
    fn a_growth_is_reproduced_within_its_factor_and_a_direction_off_one() {
        let growth = |low, high| Printed::Growth(3.0).judge(between(low, high));
        assert_eq!(growth(2.0, 4.5), Some(Verdict::Reproduced));
        assert_eq!(growth(1.0, 1.9), Some(Verdict::Differs));
        assert_eq!(growth(1.9, 2.1), None);
        assert_eq!(Printed::Faster.judge(between(1.1, 1.2)), Some(Verdict::Reproduced));
        assert_eq!(Printed::Faster.judge(between(0.8, 0.9)), Some(Verdict::Differs));
        assert_eq!(Printed::Faster.judge(between(0.9, 1.1)), None);
        assert_eq!(Printed::Faster.judge(1.0.into()), None);
        assert_eq!(Printed::Slower.judge(between(0.8, 0.9)), Some(Verdict::Reproduced));
    }

    #[test]
    fn a_claim_in_numbers_holds_within_the_bound_of_its_row() {
        let row = tolerance("a", "", "", Printed::Value(0.088, ""), unchecked).within(0.009);
        let found = |value: f64| Found::value("factor", value);
        assert_eq!(judge(&row, &found(0.09), false), Verdict::Reproduced);
        assert_eq!(judge(&row, &found(0.1), false), Verdict::NotReproduced);
        assert_eq!(judge(&row, &found(f64::NAN), false), Verdict::NotReproduced);
        let also = |off: f64| found(0.088).at_most("off", off, 1e-3);
        assert_eq!(judge(&row, &also(1e-4), false), Verdict::Reproduced);
        assert_eq!(judge(&row, &also(1e-2), false), Verdict::NotReproduced);
    }

    #[test]
    fn a_claim_in_words_needs_a_bound_that_can_be_missed() {
        let row = exact("a", "", "", Printed::Words("26×18"), unchecked);
        let is = |text: &str| Found::new().is("rectangle", text, "26×18");
        assert_eq!(judge(&row, &is("26×18"), false), Verdict::Reproduced);
        assert_eq!(judge(&row, &is("25×18"), false), Verdict::NotReproduced);
        let shown = Found::new().shows("rectangle", 26.0);
        assert_eq!(judge(&row, &shown, false), Verdict::NotReproduced);
    }

    #[test]
    fn timings_differ_are_undecided_or_reproduced_all_of_them() {
        const PAIR: Printed = Printed::Ratios(&[("a", 2.0), ("b", 3.0)]);
        let row = shape("a", "", "", PAIR, unchecked);
        let found = |a, b| Found::new().ratio("a", a).ratio("b", b);
        let verdict = |a, b| judge(&row, &found(a, b), false);
        let (good, straddles, bad) = (between(1.9, 2.1), between(1.0, 2.5), between(0.9, 1.1));
        assert_eq!(verdict(good, between(2.0, 3.0)), Verdict::Reproduced);
        assert_eq!(verdict(good, straddles), Verdict::Undecided);
        assert_eq!(verdict(straddles, bad), Verdict::Differs);
        let one = Found::new().ratio("a", good);
        assert_eq!(judge(&row, &one, false), Verdict::Differs);
    }

    #[test]
    fn inputs_of_the_user_s_are_judged_by_what_is_expected_of_them_or_not_at_all() {
        let row = tolerance("a", "", "", Printed::Value(0.088, ""), unchecked).within(0.01);
        let found = Found::value("factor", 0.2);
        assert_eq!(judge(&row, &found, true), Verdict::NotJudged);
        let expected = found.expecting(Printed::Value(0.198, ""));
        assert_eq!(judge(&row, &expected, true), Verdict::Reproduced);
    }
}
