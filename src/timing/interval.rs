//! A number with its interval of confidence, and numbers as text.

use serde::{Deserialize, Deserializer, Serialize};

use super::rig::median;

/// A measured number with the interval in which the median of all possible rounds is expected.
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

/// Fewest rounds of a verdict: then the median is between the smallest and the largest value with 97 % confidence.
pub const FEWEST: usize = 6;

impl Interval {
    /// Median of scattered values, with an interval of about 95 % confidence: two of the values. Each value is as likely
    /// to be above the true median as below, whatever the distribution. Zeros without values.
    pub fn of(mut values: Vec<f64>) -> Self {
        let rounds = values.len();
        values.sort_by(f64::total_cmp);
        let end = |at: usize| values.get(at).copied().unwrap_or_default();
        let outside = outside(rounds);
        let (low, high) = (end(outside), end(rounds.saturating_sub(1 + outside)));
        Self { median: median(values), low, high, rounds }
    }

    /// A range of ratios, whose middle is the geometric mean.
    pub fn of_ratios([a, b]: [f64; 2]) -> Self {
        Self { median: (a * b).sqrt(), low: a.min(b), high: a.max(b), rounds: 0 }
    }

    /// Probability that the interval contains the median of all possible rounds; 1 for an exact value.
    pub fn confidence(&self) -> f64 {
        let rounds = self.rounds as i32;
        match rounds {
            0 => 1.0,
            // The power of one half is too small for a float, and the probability is as intended.
            1000.. => 0.95,
            _ => {
                // Heads of a coin per round; tails are as likely.
                let mut ways = 0.5f64.powi(rounds);
                let mut missed = 0.0;
                for heads in 0..=outside(self.rounds) as i32 {
                    missed += 2.0 * ways;
                    ways *= f64::from(rounds - heads) / f64::from(heads + 1);
                }
                (1.0 - missed).max(0.0)
            }
        }
    }

    /// The value in another unit, which is larger by this factor.
    pub fn times(self, factor: f64) -> Self {
        let [median, low, high] = [self.median, self.low, self.high].map(|end| factor * end);
        Self { median, low, high, ..self }
    }

    /// `3.86 times, 3.80 to 3.92`; an exact value without interval, a range as `0.088 to 0.089`.
    pub fn text(&self, unit: &str) -> String {
        let [median, low, high] = [self.median, self.low, self.high].map(short);
        let space = if unit.is_empty() { "" } else { " " };
        match self.rounds {
            _ if low == high => format!("{median}{space}{unit}"),
            0 => format!("{low} to {high}{space}{unit}"),
            _ => format!("{median}{space}{unit}, {low} to {high}"),
        }
    }
}

/// Number of values outside the interval at each of its ends.
fn outside(values: usize) -> usize {
    let n = values as f64;
    (((n - 1.96 * n.sqrt()) / 2.0).floor() as usize).saturating_sub(1)
}

impl From<f64> for Interval {
    /// An exact value, such as a ratio of counts.
    fn from(value: f64) -> Self {
        Self { median: value, low: value, high: value, rounds: 0 }
    }
}

impl From<[f64; 2]> for Interval {
    /// A range, from the smallest to the largest value.
    fn from([low, high]: [f64; 2]) -> Self {
        Self { median: (low + high) / 2.0, low, high, rounds: 0 }
    }
}

#[cfg(feature = "plot")]
impl From<Interval> for crate::picture::plot::Reading {
    fn from(Interval { median, low, high, .. }: Interval) -> Self {
        Self { value: median, low, high }
    }
}

/// Reads a number. JSON cannot represent one that is not finite, which is written as null.
pub(crate) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
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
    fn the_interval_of_a_median_leaves_out_what_a_coin_seldom_throws() {
        let of = |n: usize| Interval::of((0..n).rev().map(|v| v as f64).collect());
        let ends = |n: usize| [of(n).low, of(n).high];
        assert_eq!(ends(31), [9.0, 21.0]);
        assert_eq!(ends(11), [1.0, 9.0]);
        assert_eq!(ends(1), [0.0, 0.0]);
        // All three on one side: twice in eight throws; at most 9 of 31 heads with a probability of 1.5 %.
        let [three, six, many] = [3, 6, 31].map(|n| of(n).confidence());
        assert_eq!([three, six], [1.0 - 2.0 / 8.0, 1.0 - 2.0 / 64.0]);
        assert!((many - 0.9706).abs() < 1e-4, "{many}");
        assert!([40, 96, 384, 2000].map(|n| of(n).confidence()).iter().all(|c| *c > 0.94));
    }
}
