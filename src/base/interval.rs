//! A number with its interval of confidence.

use std::f64::consts::PI;

use serde::{Deserialize, Deserializer, Serialize};

pub use super::number::short;

/// A measured number with the interval in which the median of all possible rounds, or the mean of all possible processes,
/// is expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Number of processes with these rounds; 0 for values that are not timings of a race.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub processes: usize,
    /// Number of runs with these processes, if the interval is that of several runs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub runs: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Probability with which the interval of processes misses what it estimates.
const MISS: f64 = 0.05;

/// Most processes that are named as a remedy.
const MOST: usize = 1000;

/// Fewest rounds of a verdict on values of one process: then the median is between the smallest and the largest value with 97 % confidence.
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
        Self { median: median(values), low, high, rounds, ..Self::default() }
    }

    /// Mean of replicates with the 95 % interval of Student's t: on logarithms if all are positive. Zeros without values.
    pub fn of_replicates(values: &[f64]) -> Self {
        let is_ratio = values.iter().all(|value| *value > 0.0);
        let scaled = |value: f64| if is_ratio { value.ln() } else { value };
        let back = |value: f64| if is_ratio { value.exp() } else { value };
        let n = values.len() as f64;
        if values.is_empty() {
            return Self::default();
        }
        let mean = values.iter().map(|&value| scaled(value)).sum::<f64>() / n;
        let squares: f64 = values.iter().map(|&value| (scaled(value) - mean).powi(2)).sum();
        let half = match values.len() {
            1 => 0.0,
            several => student(several - 1, MISS) * (squares / (n - 1.0) / n).sqrt(),
        };
        let [median, low, high] = [mean, mean - half, mean + half].map(back);
        Self { median, low, high, processes: values.len(), ..Self::default() }
    }

    /// Replicates of an interval of Student's t: runs, or else processes.
    fn replicates(&self) -> usize {
        if self.runs > 1 { self.runs } else { self.processes }
    }

    /// A wider interval: this number of values together miss as seldom as one does alone.
    #[must_use]
    pub fn among(self, values: usize) -> Self {
        let n = self.replicates();
        if n < 2 || values < 2 || self.low == self.high {
            return self;
        }
        let wider = student(n - 1, MISS / values as f64) / student(n - 1, MISS);
        let end = |end: f64| match self.low > 0.0 {
            true => self.median * (end / self.median).powf(wider),
            false => self.median + wider * (end - self.median),
        };
        Self { low: end(self.low), high: end(self.high), ..self }
    }

    /// Number of processes whose interval would end before this bound; none if it is one of few, or needs too many.
    pub fn processes_to(&self, bound: f64) -> Option<usize> {
        let (n, distance) = (self.processes, (bound / self.median).ln().abs());
        if n < 2 || self.runs > 1 || self.low <= 0.0 || distance.is_nan() {
            return None;
        }
        let half = (self.high / self.low).ln() / 2.0;
        let deviation = half / student(n - 1, MISS) * (n as f64).sqrt();
        let reaches = |n: &usize| student(n - 1, MISS) * deviation <= distance * (*n as f64).sqrt();
        (n..=MOST).find(reaches)
    }

    /// A range of ratios, whose middle is the geometric mean.
    pub fn of_ratios([a, b]: [f64; 2]) -> Self {
        Self { median: (a * b).sqrt(), low: a.min(b), high: a.max(b), ..Self::default() }
    }

    /// Its median between the ends that a factor allows.
    pub fn within_factor(self, factor: f64) -> Self {
        Self { low: self.median / factor, high: self.median * factor, ..self }
    }

    /// From the smallest to the largest end of intervals, such as those along a curve; the median is the geometric mean of
    /// the smallest and the largest median, and rounds and processes are the fewest.
    pub fn span(intervals: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<Self> = intervals.into_iter().collect();
        let fold = |of: fn(&Self) -> f64, pick: fn(f64, f64) -> f64, first| {
            all.iter().map(of).fold(first, |a, b| if b.is_nan() { b } else { pick(a, b) })
        };
        let [low, least] =
            [|i: &Self| i.low, |i: &Self| i.median].map(|of| fold(of, f64::min, f64::INFINITY));
        let [high, most] = [|i: &Self| i.high, |i: &Self| i.median]
            .map(|of| fold(of, f64::max, f64::NEG_INFINITY));
        let fewest = |of: fn(&Self) -> usize| all.iter().map(of).min().unwrap_or_default();
        let [rounds, processes] = [|i: &Self| i.rounds, |i: &Self| i.processes].map(fewest);
        let median = (least * most).sqrt();
        Self { median, low, high, rounds, processes, ..Self::default() }
    }

    /// Probability that the interval contains the median of all possible rounds, or the mean of processes; 1 for an exact
    /// value.
    pub fn confidence(&self) -> f64 {
        if self.processes > 1 {
            return 1.0 - MISS;
        }
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

/// Number of standard errors that Student's t with these degrees of freedom exceeds, on either side, with this
/// probability.
fn student(degrees: usize, miss: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        *if within(degrees, middle) < 1.0 - miss { &mut low } else { &mut high } = middle;
    }
    high
}

/// Probability that Student's t is within this distance of zero (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn within(degrees: usize, distance: f64) -> f64 {
    let angle = (distance / (degrees as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let is_odd = degrees % 2 == 1;
    let (mut term, mut sum) = (if is_odd { cos } else { 1.0 }, 0.0);
    for power in (degrees % 2..degrees.saturating_sub(1)).step_by(2) {
        sum += term;
        term *= cos * cos * (power + 1) as f64 / (power + 2) as f64;
    }
    if is_odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum }
}

/// Number of values outside the interval at each of its ends.
fn outside(values: usize) -> usize {
    let n = values as f64;
    (((n - 1.96 * n.sqrt()) / 2.0).floor() as usize).saturating_sub(1)
}

impl From<f64> for Interval {
    /// An exact value, such as a ratio of counts.
    fn from(value: f64) -> Self {
        Self { median: value, low: value, high: value, ..Self::default() }
    }
}

impl From<[f64; 2]> for Interval {
    /// A range, from the smallest to the largest value.
    fn from([low, high]: [f64; 2]) -> Self {
        Self { median: (low + high) / 2.0, low, high, ..Self::default() }
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
    use crate::base::random::SplitMix64;

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
            ..Interval::default()
        };
        let span = Interval::span([one(2.0, 9), one(8.0, 6), one(4.0, 12)]);
        assert_eq!([span.low, span.median, span.high], [1.8, 4.0, 8.8]);
        assert_eq!(span.rounds, 6);
        assert_eq!(Interval::span([2.0.into(), 8.0.into()]).text("times"), "2 to 8 times");
    }

    #[test]
    fn student_s_t_has_the_quantiles_of_the_tables() {
        let tables = [(1, 12.706), (2, 4.303), (5, 2.571), (11, 2.201), (30, 2.042), (999, 1.962)];
        for (degrees, expected) in tables {
            assert!((student(degrees, 0.05) - expected).abs() < 6e-4, "{degrees}");
        }
        assert!((student(5, 0.01) - 4.032).abs() < 6e-4);
    }

    #[test]
    fn the_interval_of_processes_contains_the_mean_in_95_of_100_runs_whatever_their_number() {
        let mut random = SplitMix64::new(6);
        for (n, values) in [(3, 1), (6, 1), (6, 4)] {
            let runs = 4000;
            let missed = (0..runs).filter(|_| {
                let mut misses = || {
                    let of: Vec<f64> =
                        (0..n).map(|_| 2.0 * (0.05 * random.normal()).exp()).collect();
                    let Interval { low, high, .. } = Interval::of_replicates(&of).among(values);
                    !(low..=high).contains(&2.0)
                };
                (0..values).fold(false, |missed, _| misses() | missed)
            });
            let share = missed.count() as f64 / f64::from(runs);
            // Four standard deviations of the share.
            assert!((share - 0.05).abs() < 4.0 * (0.05_f64 * 0.95 / 4000.0).sqrt(), "{n}: {share}");
        }
    }

    #[test]
    fn the_number_of_processes_for_a_bound_grows_with_the_square_of_its_nearness() {
        let factors = [-0.06, 0.06, -0.06, 0.06, -0.06, 0.06_f64];
        let found = Interval::of_replicates(&factors.map(f64::exp));
        // A standard deviation of 0.0657: 1.96² · 0.0657² / ln²(bound), and a little more for small numbers.
        let near = |bound: f64| found.processes_to(bound);
        assert_eq!([near(1.10), near(0.98)], [Some(6), Some(44)]);
        assert_eq!(near(1.0001), None);
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
