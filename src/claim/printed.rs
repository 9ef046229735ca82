//! A paper's number, and the ranges in which a ratio is reproduced.

use std::fmt;

use crate::timing::interval::{FEWEST, Interval, short};

/// A paper's number, written once, with which a result is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// A ratio of two costs that shows an effect: reproduced from half of the effect to twice, on a logarithmic
    /// scale.
    Ratio(f64),
    /// Several such ratios by name; all have to be reproduced.
    Ratios(&'static [(&'static str, f64)]),
    /// A ratio without an effect to halve, such as a cost that grows with size, or an agreement: reproduced within a
    /// factor of [`GROWTH`].
    Growth(f64),
    /// Several such ratios by name; all have to be reproduced.
    Growths(&'static [(&'static str, f64)]),
    /// A ratio above 1 without a printed number.
    Faster,
    /// A ratio below 1 without a printed number.
    Slower,
    /// A value and its unit: reproduced within [`Claim::within`](super::Claim::within).
    Value(f64, &'static str),
    /// Words: judged by the bounds of the result's values.
    Words(&'static str),
}

/// Factor within which a cost that grows with size agrees with the paper's.
pub const GROWTH: f64 = 1.5;

/// Share of a bound within which a measured number is on neither side of it, because another machine of the same kind
/// would decide otherwise.
pub const MARGIN: f64 = 0.03;

/// Tests whether a number is between two ends. `None` if its interval straddles an end or its margin, or has too few
/// rounds.
pub fn is_between(number: Interval, [least, most]: [f64; 2]) -> Option<bool> {
    let margin = if number.rounds == 0 { 0.0 } else { MARGIN };
    let [below, above] = [1.0 - margin, 1.0 + margin];
    if (1..FEWEST).contains(&number.rounds) || number.median.is_nan() {
        return (number.rounds == 0).then_some(false);
    }
    // Multiplication would move an end below zero outwards.
    let moved = |end: f64, factor: f64| if end < 0.0 { end * (2.0 - factor) } else { end * factor };
    if number.low >= moved(least, above) && number.high <= moved(most, below) {
        return Some(true);
    }
    (number.high < moved(least, below) || number.low > moved(most, above)).then_some(false)
}

impl Printed {
    /// Ends of the range in which a ratio is reproduced; none if no single ratio is printed.
    fn ends(&self) -> Option<[f64; 2]> {
        Some(match *self {
            // Half to twice the effect, on a logarithmic scale.
            Self::Ratio(p) if p >= 1.0 => [p.sqrt(), p * p],
            Self::Ratio(p) => [p * p, p.sqrt()],
            Self::Growth(p) => [p / GROWTH, p * GROWTH],
            Self::Faster => [1.0, f64::INFINITY],
            Self::Slower => [0.0, 1.0],
            Self::Ratios(_) | Self::Growths(_) | Self::Value(..) | Self::Words(_) => return None,
        })
    }

    /// Tests whether a ratio reproduces the printed one. `None` if it is not decided, or if no ratio is printed.
    pub fn is_reproduced(&self, ratio: Interval) -> Option<bool> {
        // For a mere direction, 1 itself is on neither side.
        let is_one = ratio.low == 1.0 || ratio.high == 1.0;
        let is_direction = matches!(self, Self::Faster | Self::Slower);
        let is_reproduced = is_between(ratio, self.ends()?)?;
        (!is_reproduced || !is_one || !is_direction).then_some(is_reproduced)
    }

    /// The printed ratios one by one; empty if none is printed.
    pub fn each(&self) -> Vec<Self> {
        let all = |ratios: &[(&str, f64)], one: fn(f64) -> Self| {
            ratios.iter().map(|&(_, ratio)| one(ratio)).collect()
        };
        match *self {
            Self::Ratios(ratios) => all(ratios, Self::Ratio),
            Self::Growths(ratios) => all(ratios, Self::Growth),
            Self::Value(..) | Self::Words(_) => Vec::new(),
            one => vec![one],
        }
    }

    /// The ratio relative to the bound that is nearest.
    pub fn margin(&self, ratio: f64) -> Option<f64> {
        let ends = self.ends()?.into_iter().filter(|end| end.is_finite() && *end > 0.0);
        let margins = ends.map(|end| ratio / end).filter(|margin| *margin > 0.0);
        margins.min_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()))
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ratio(ratio) | Self::Growth(ratio) => write!(f, "{} times", short(*ratio)),
            Self::Ratios(ratios) | Self::Growths(ratios) => {
                let ratios = ratios.iter().map(|&(_, ratio)| short(ratio));
                write!(f, "{} times", ratios.collect::<Vec<_>>().join(", "))
            }
            Self::Faster => write!(f, "faster; no number"),
            Self::Slower => write!(f, "slower; no number"),
            Self::Value(value, "") => write!(f, "{}", short(*value)),
            Self::Value(value, unit) => write!(f, "{} {unit}", short(*value)),
            Self::Words(words) => write!(f, "{words}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: f64, high: f64) -> Interval {
        Interval { median: (low * high).sqrt(), low, high, rounds: 9 }
    }

    #[test]
    fn a_ratio_is_reproduced_from_half_of_its_effect_to_twice() {
        let is = |p, low, high| Printed::Ratio(p).is_reproduced(between(low, high));
        assert_eq!(is(4.0, 2.1, 15.0), Some(true));
        assert_eq!(is(4.0, 0.9, 1.9), Some(false));
        assert_eq!(is(4.0, 17.0, 18.0), Some(false));
        assert_eq!(is(4.0, 1.9, 2.1), None);
        // No effect cannot be distinguished from a small effect.
        assert_eq!(is(1.08, 0.99, 1.0), Some(false));
        assert_eq!(is(1.08, 0.95, 1.2), None);
        // Below one, the bounds are reversed.
        assert_eq!(is(0.25, 0.07, 0.48), Some(true));
        assert_eq!(is(0.25, 0.6, 1.0), Some(false));
    }

    #[test]
    fn what_is_at_a_bound_or_has_few_rounds_is_not_decided() {
        let growth = |low, high| Printed::Growth(3.0).is_reproduced(between(low, high));
        assert_eq!(growth(2.1, 4.3), Some(true));
        assert_eq!(growth(1.0, 1.9), Some(false));
        // The whole interval is on one side, within 3 % of a bound.
        assert_eq!([growth(2.02, 2.05), growth(1.95, 1.98)], [None; 2]);
        assert_eq!([growth(4.4, 4.49), growth(4.51, 4.6)], [None; 2]);
        let few = Interval { rounds: 5, ..between(2.5, 3.5) };
        assert_eq!(Printed::Growth(3.0).is_reproduced(few), None);
        // A count is exact.
        assert_eq!(Printed::Growth(3.0).is_reproduced(2.0.into()), Some(true));
        assert_eq!(Printed::Growth(3.0).is_reproduced(1.999.into()), Some(false));
        assert_eq!(is_between((-1.0).into(), [-2.0, 0.0]), Some(true));
    }

    #[test]
    fn a_direction_is_off_one() {
        let faster = |low, high| Printed::Faster.is_reproduced(between(low, high));
        assert_eq!(faster(1.1, 1.2), Some(true));
        assert_eq!(faster(0.8, 0.9), Some(false));
        assert_eq!(faster(0.9, 1.1), None);
        assert_eq!(Printed::Faster.is_reproduced(1.0.into()), None);
        assert_eq!(Printed::Slower.is_reproduced(between(0.8, 0.9)), Some(true));
    }

    #[test]
    fn the_margin_is_the_ratio_to_the_nearest_bound() {
        assert_eq!(Printed::Growth(3.0).margin(1.8), Some(0.9));
        assert_eq!(Printed::Faster.margin(1.25), Some(1.25));
        assert_eq!(Printed::Ratio(4.0).margin(8.0), Some(0.5));
        assert_eq!(Printed::Words("").margin(8.0), None);
    }
}
