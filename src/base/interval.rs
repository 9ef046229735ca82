//! A number with its interval of confidence.

use serde::{Deserialize, Deserializer, Serialize};

pub use super::number::short;

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

    /// From the smallest to the largest end of intervals, such as those along a curve; the median is the geometric mean of
    /// the smallest and the largest median, and the rounds are the fewest.
    pub fn span(intervals: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<Self> = intervals.into_iter().collect();
        let fold = |of: fn(&Self) -> f64, pick: fn(f64, f64) -> f64, first| {
            all.iter().map(of).fold(first, |a, b| if b.is_nan() { b } else { pick(a, b) })
        };
        let [low, least] =
            [|i: &Self| i.low, |i: &Self| i.median].map(|of| fold(of, f64::min, f64::INFINITY));
        let [high, most] = [|i: &Self| i.high, |i: &Self| i.median]
            .map(|of| fold(of, f64::max, f64::NEG_INFINITY));
        let rounds = all.iter().map(|one| one.rounds).min().unwrap_or_default();
        Self { median: (least * most).sqrt(), low, high, rounds }
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

    /// Tests whether its ends are the same.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
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

/// Position at which a curve through points with positive coordinates meets a value, on logarithmic axes; none if it does
/// not.
pub fn meets(points: &[[f64; 2]], value: f64) -> Option<f64> {
    points.windows(2).find_map(|pair| {
        let [[x0, y0], [x1, y1]] = [pair[0], pair[1]].map(|point| point.map(f64::ln));
        let share = (value.ln() - y0) / (y1 - y0);
        (0.0..=1.0).contains(&share).then(|| (x0 + share * (x1 - x0)).exp())
    })
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

/// Reads a number. JSON cannot represent one that is not finite, which is written as null.
pub(crate) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

/// The middle value, or the mean of the two middle ones; zero for an empty list.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match n {
        0 => 0.0,
        _ if n % 2 == 1 => values[n / 2],
        _ => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

/// Smallest and largest value.
pub fn range(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    (values.into_iter()).fold(start, |[low, high], value| [low.min(value), high.max(value)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_meets_a_value_between_two_points() {
        let curve = [[10.0, 8.0], [20.0, 4.0], [40.0, 2.0]];
        let found = [3.0, 8.0, 1.0].map(|value| meets(&curve, value));
        assert!(
            (found[0].unwrap() - 26.666).abs() < 2.0 && (found[1].unwrap() - 10.0).abs() < 1e-9
        );
        assert_eq!(found[2], None);
    }

    #[test]
    fn the_span_of_a_curve_includes_all_its_intervals() {
        let one = |median: f64, rounds| Interval {
            median,
            low: 0.9 * median,
            high: 1.1 * median,
            rounds,
        };
        let span = Interval::span([one(2.0, 9), one(8.0, 6), one(4.0, 12)]);
        assert_eq!([span.low, span.median, span.high], [1.8, 4.0, 8.8]);
        assert_eq!(span.rounds, 6);
        assert_eq!(Interval::span([2.0.into(), 8.0.into()]).text("times"), "2 to 8 times");
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
