//! A paper's number, and the ranges in which a ratio is reproduced.

use std::fmt;

use crate::timing::interval::{FEWEST, Interval, short};

/// A paper's number, written once, with which a result is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// A ratio of two costs: reproduced within a factor of 1.5 on both sides, on the same side of 1, and, if the
    /// printed ratio is within that factor of 1, with an effect between a quarter of the printed one and four times
    /// that.
    Ratio(f64),
    /// Several such ratios by name; all have to be reproduced.
    Ratios(&'static [(&'static str, f64)]),
    /// A ratio above 1 without a printed number.
    Faster,
    /// A ratio below 1 without a printed number.
    Slower,
    /// A value and its unit: reproduced within [`Claim::within`](super::Claim::within).
    Value(f64, &'static str),
    /// Words: judged by the bounds of the result's values.
    Words(&'static str),
}

/// Factor within which a ratio agrees with the printed one.
pub const FACTOR: f64 = 1.5;

/// Factor within which a small effect, the difference of a ratio from 1, agrees with the printed one.
const EFFECT: f64 = 4.0;

/// Share of a bound within which a measured number is on neither side of it, because another machine of the same kind
/// would decide otherwise.
pub const MARGIN: f64 = 0.03;

/// Share of a printed effect, the difference of a ratio from 1, that a margin does not exceed.
const SHARE: f64 = 0.1;

/// Tests whether a number is between two ends. `None` if its interval straddles an end or its margin, or has too few
/// rounds.
pub fn is_between(number: Interval, ends: [f64; 2]) -> Option<bool> {
    is_within(number, ends, MARGIN)
}

/// Tests it with this margin.
fn is_within(number: Interval, [least, most]: [f64; 2], margin: f64) -> Option<bool> {
    let margin = if number.rounds == 0 { 0.0 } else { margin };
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
    pub fn range(&self) -> Option<[f64; 2]> {
        let ratio = match *self {
            Self::Ratio(ratio) => ratio,
            Self::Faster => return Some([1.0, f64::INFINITY]),
            Self::Slower => return Some([0.0, 1.0]),
            Self::Ratios(_) | Self::Value(..) | Self::Words(_) => return None,
        };
        let [least, most] = [ratio / FACTOR, ratio * FACTOR];
        // Two equal costs have no effect.
        if ratio == 1.0 || !(1.0 / FACTOR..=FACTOR).contains(&ratio) {
            return Some([least, most]);
        }
        let effects = [1.0 + (ratio - 1.0) / EFFECT, 1.0 + (ratio - 1.0) * EFFECT];
        Some([least.max(effects[0].min(effects[1])), most.min(effects[0].max(effects[1]))])
    }

    /// Share of its ends within which a measured ratio is on neither side of them.
    fn share(&self) -> f64 {
        match *self {
            Self::Ratio(ratio) if ratio != 1.0 => MARGIN.min(SHARE * (ratio - 1.0).abs()),
            _ => MARGIN,
        }
    }

    /// Tests whether a ratio reproduces the printed one. `None` if it is not decided, or if no ratio is printed.
    pub fn is_reproduced(&self, ratio: Interval) -> Option<bool> {
        // For a mere direction, 1 itself is on neither side.
        let is_one = ratio.low == 1.0 || ratio.high == 1.0;
        let is_direction = matches!(self, Self::Faster | Self::Slower);
        let is_reproduced = is_within(ratio, self.range()?, self.share())?;
        (!is_reproduced || !is_one || !is_direction).then_some(is_reproduced)
    }

    /// The printed ratios one by one; empty if none is printed.
    pub fn each(&self) -> Vec<Self> {
        let all = |ratios: &[(&str, f64)], one: fn(f64) -> Self| {
            ratios.iter().map(|&(_, ratio)| one(ratio)).collect()
        };
        match *self {
            Self::Ratios(ratios) => all(ratios, Self::Ratio),
            Self::Value(..) | Self::Words(_) => Vec::new(),
            one => vec![one],
        }
    }

    /// The ratio relative to the bound that is nearest.
    pub fn margin(&self, ratio: f64) -> Option<f64> {
        let ends = self.range()?.into_iter().filter(|end| end.is_finite() && *end > 0.0);
        let margins = ends.map(|end| ratio / end).filter(|margin| *margin > 0.0);
        margins.min_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()))
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ratio(ratio) => write!(f, "{} times", short(*ratio)),
            Self::Ratios(ratios) => {
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
    fn a_ratio_is_reproduced_within_a_factor_and_with_its_effect() {
        let is = |p, low, high| Printed::Ratio(p).is_reproduced(between(low, high));
        assert_eq!(is(4.0, 2.8, 5.8), Some(true));
        assert_eq!(is(4.0, 0.9, 1.9), Some(false));
        assert_eq!(is(4.0, 6.2, 7.0), Some(false));
        assert_eq!(is(4.0, 2.5, 2.8), None);
        assert_eq!(is(5.0, 25.0, 25.0), Some(false));
        // A quarter of the effect is 1.02, four times 1.32.
        assert_eq!(is(1.08, 0.99, 1.0), Some(false));
        assert_eq!(is(1.08, 1.03, 1.3), Some(true));
        assert_eq!(is(1.08, 0.95, 1.2), None);
        assert_eq!(is(1.02, 1.5, 1.5), Some(false));
        // Below one, the bounds are reversed.
        assert_eq!(is(0.25, 0.18, 0.36), Some(true));
        assert_eq!(is(0.25, 0.6, 1.0), Some(false));
        assert_eq!(is(0.8, 0.97, 1.1), Some(false));
        // Two equal costs.
        assert_eq!(is(1.0, 0.7, 1.4), Some(true));
    }

    #[test]
    fn every_printed_ratio_has_values_that_reproduce_it_and_values_on_both_sides_that_do_not() {
        let claims = crate::papers::PAPERS.iter().flat_map(|paper| paper.claims);
        let ratios =
            claims.flat_map(|claim| claim.paper.each().into_iter().map(|one| (claim.id, one)));
        let mut count = 0;
        for (id, printed) in ratios {
            let Printed::Ratio(p) = printed else { continue };
            count += 1;
            let [least, most] = printed.range().unwrap();
            let is = |ratio: f64| printed.is_reproduced(between(ratio, ratio));
            assert_eq!(is(p), Some(true), "{id}: {p}");
            assert_eq!([is(least / 1.04), is(most * 1.04)], [Some(false); 2], "{id}: {p}");
            // Neither no effect nor one that is hardly the printed one.
            assert!(p == 1.0 || is(1.0) == Some(false), "{id}: {p}");
            assert!(least > p / 1.51 && most < p * 1.51, "{id}: {p}");
        }
        assert!(count > 50, "{count} printed ratios");
    }

    #[test]
    fn what_is_at_a_bound_or_has_few_rounds_is_not_decided() {
        let is = |p, low, high| Printed::Ratio(p).is_reproduced(between(low, high));
        assert_eq!(is(3.0, 2.1, 4.3), Some(true));
        assert_eq!(is(3.0, 1.0, 1.9), Some(false));
        // The whole interval is on one side, within 3 % of a bound.
        assert_eq!([is(3.0, 2.02, 2.05), is(3.0, 1.95, 1.98)], [None; 2]);
        assert_eq!([is(3.0, 4.4, 4.49), is(3.0, 4.51, 4.6)], [None; 2]);
        // The margin of an effect of 4 % is 0.4 %.
        assert_eq!([is(1.04, 1.011, 1.013), is(1.04, 1.015, 1.02)], [None, Some(true)]);
        let few = Interval { rounds: 5, ..between(2.5, 3.5) };
        assert_eq!(Printed::Ratio(3.0).is_reproduced(few), None);
        // A count is exact.
        assert_eq!(Printed::Ratio(3.0).is_reproduced(2.0.into()), Some(true));
        assert_eq!(Printed::Ratio(3.0).is_reproduced(1.999.into()), Some(false));
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
        assert_eq!(Printed::Ratio(3.0).margin(1.8), Some(0.9));
        assert_eq!(Printed::Faster.margin(1.25), Some(1.25));
        assert_eq!(Printed::Ratio(4.0).margin(12.0), Some(2.0));
        assert_eq!(Printed::Words("").margin(8.0), None);
    }
}
