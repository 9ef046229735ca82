//! Seconds of works that run alternately, round by round.

use super::interval::Interval;
use super::rig::median;
use super::switch::{NOISE, without_switches};

/// Seconds of all works in a round: `[f64; N]`, or `Vec<f64>` if their number is not known to the compiler.
pub trait Lap: Clone + AsRef<[f64]> + TryFrom<Vec<f64>> {}

impl<R: Clone + AsRef<[f64]> + TryFrom<Vec<f64>>> Lap for R {}

/// The values of all works as a lap.
///
/// # Panics
/// If there is another number of works.
pub fn lap<R: Lap>(values: impl IntoIterator<Item = f64>) -> R {
    let lap = R::try_from(values.into_iter().collect());
    lap.unwrap_or_else(|_| panic!("a lap has a value for each work"))
}

/// Rounds of works.
#[derive(Clone, Debug)]
pub struct Laps<R> {
    /// The rounds; further readings of the same rounds widen intervals.
    readings: Vec<Vec<R>>,
    /// Seconds of the works in the model of the paper's card.
    model: Option<R>,
}

impl<R: Lap> Laps<R> {
    /// Rounds, and the seconds of the works in a model.
    pub fn new(rounds: Vec<R>, model: Option<R>) -> Self {
        Self { readings: vec![rounds], model }
    }

    /// A value of each round, as a median with its interval.
    pub fn of(&self, value: impl Fn(R) -> f64) -> Interval {
        let interval = |rounds: &Vec<R>| Interval::of(rounds.iter().cloned().map(&value).collect());
        let of_all = self.readings.iter().map(interval).reduce(|first, also| Interval {
            low: first.low.min(also.low),
            high: first.high.max(also.high),
            ..first
        });
        of_all.unwrap_or_else(|| Interval::of(Vec::new()))
    }

    /// Seconds of each work.
    pub fn intervals(&self) -> Vec<Interval> {
        let works = self.readings[0].first().map_or(0, |round| round.as_ref().len());
        (0..works).map(|work| self.of(|round| round.as_ref()[work])).collect()
    }

    /// Median seconds of each work.
    pub fn seconds(&self) -> R {
        lap(self.intervals().into_iter().map(|seconds| seconds.median))
    }

    /// Seconds of each work in the model.
    pub fn model(&self) -> Option<R> {
        self.model.clone()
    }

    /// The value in the model; none if a work cannot be computed there.
    pub fn in_model(&self, value: impl Fn(R) -> f64) -> Option<f64> {
        self.model.clone().map(value).filter(|value| value.is_finite() && *value > 0.0)
    }

    /// These laps with this number of target switches subtracted from each work. Where only noise is left, a work can take
    /// up to its whole time, and intervals include the value for that.
    pub fn without_switches(&self, switches: &R, seconds_a_switch: f64) -> Self {
        let (switches, rounds) = (switches.as_ref(), &self.readings[0]);
        let net =
            |seconds: f64, work: usize| without_switches(seconds, switches[work], seconds_a_switch);
        let noise: Vec<bool> = (0..switches.len())
            .map(|work| median(rounds.iter().map(|round| round.as_ref()[work]).collect()))
            .enumerate()
            .map(|(work, seconds)| net(seconds, work) <= NOISE * seconds)
            .collect();
        let reading = |keeps_noise: bool| {
            let round = |round: &R| {
                lap(round.as_ref().iter().enumerate().map(|(work, &seconds)| {
                    if keeps_noise && noise[work] { seconds } else { net(seconds, work) }
                }))
            };
            rounds.iter().map(round).collect()
        };
        let also = noise.contains(&true).then(|| reading(true));
        let readings = [reading(false)].into_iter().chain(also).collect();
        Self { readings, model: self.model.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_an_interval_that_includes_what_noise_hides() {
        let rounds = (1..=6).map(|k| [f64::from(k), 2.0]).collect();
        let laps = Laps::new(rounds, Some([3.0, 1.0]));
        let ratio = |[a, b]: [f64; 2]| a / b;
        let found = laps.of(ratio);
        assert_eq!([found.low, found.median, found.high], [0.5, 1.75, 3.0]);
        assert_eq!((laps.seconds(), laps.in_model(ratio)), ([3.5, 2.0], Some(3.0)));
        // The second work consists of its 20 switches: a twentieth is left, or all.
        let net = laps.without_switches(&[0.0, 20.0], 0.1);
        assert_eq!(net.seconds(), [3.5, 0.1]);
        let found = net.of(|[_, b]| b);
        assert_eq!([found.low, found.high], [0.1, 2.0]);
    }
}
