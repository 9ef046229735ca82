//! Seconds of works that run alternately, round by round.

use std::ops::Index;
use std::rc::Rc;

use super::switch::{NOISE, without_switches};
use crate::base::interval::{Interval, median};

/// A value of each work by its name, as in `lap["stencil"]`: seconds of a round, or a count.
#[derive(Clone, Debug, PartialEq)]
pub struct Lap {
    names: Rc<[String]>,
    values: Vec<f64>,
}

impl Lap {
    /// The values of works with these names.
    pub fn new(names: &Rc<[String]>, values: impl IntoIterator<Item = f64>) -> Self {
        Self { names: Rc::clone(names), values: values.into_iter().collect() }
    }

    /// All values, in the order of the works.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Another value of each work, from its name and this one.
    pub fn map(&self, value: impl Fn(&str, f64) -> f64) -> Self {
        let works = self.names.iter().zip(&self.values);
        Self::new(&self.names, works.map(|(name, &own)| value(name, own)))
    }
}

impl Index<&str> for Lap {
    type Output = f64;

    /// The value of a work.
    ///
    /// # Panics
    /// If no work has this name.
    fn index(&self, name: &str) -> &f64 {
        let place = self.names.iter().position(|known| known == name);
        &self.values[place.unwrap_or_else(|| panic!("no work “{name}”: {:?}", self.names))]
    }
}

/// The value of one work relative to that of another.
pub fn ratio<'n>(of: &'n str, by: &'n str) -> impl Fn(&Lap) -> f64 + Copy + 'n {
    move |lap| lap[of] / lap[by]
}

/// Rounds of works.
#[derive(Clone, Debug)]
pub struct Laps {
    /// The rounds; further readings of the same rounds widen intervals.
    readings: Vec<Vec<Lap>>,
    /// Seconds of the works in the model of the paper's card.
    model: Option<Lap>,
}

impl Laps {
    /// Rounds, and the seconds of the works in a model.
    pub fn new(rounds: Vec<Lap>, model: Option<Lap>) -> Self {
        Self { readings: vec![rounds], model }
    }

    /// A value of each round, as a median with its interval.
    pub fn of(&self, value: impl Fn(&Lap) -> f64) -> Interval {
        self.interval(&value)
    }

    fn interval(&self, value: &dyn Fn(&Lap) -> f64) -> Interval {
        let interval = |rounds: &Vec<Lap>| Interval::of(rounds.iter().map(value).collect());
        let of_all = self.readings.iter().map(interval).reduce(|first, also| Interval {
            low: first.low.min(also.low),
            high: first.high.max(also.high),
            ..first
        });
        of_all.unwrap_or_else(|| Interval::of(Vec::new()))
    }

    /// Seconds of a work.
    pub fn seconds(&self, name: &str) -> Interval {
        self.of(|lap| lap[name])
    }

    /// Seconds of one work relative to those of another.
    pub fn ratio(&self, of: &str, by: &str) -> Interval {
        self.of(ratio(of, by))
    }

    /// Seconds of the works in the model.
    pub fn model(&self) -> Option<&Lap> {
        self.model.as_ref()
    }

    /// The value in the model; none if a work cannot be computed there.
    pub fn in_model(&self, value: impl Fn(&Lap) -> f64) -> Option<f64> {
        self.model().map(value).filter(|value| value.is_finite() && *value > 0.0)
    }

    /// These laps with this number of target switches subtracted from each work. Where only noise is left, a work can take
    /// up to its whole time, and intervals include the value for that.
    pub fn without_switches(&self, switches: &Lap, seconds_a_switch: f64) -> Self {
        let rounds = &self.readings[0];
        let net = |name: &str, seconds| without_switches(seconds, switches[name], seconds_a_switch);
        let medians = switches.map(|name, _| median(rounds.iter().map(|lap| lap[name]).collect()));
        let is_noise = |name: &str| net(name, medians[name]) <= NOISE * medians[name];
        let reading = |keeps_noise: bool| {
            let round = |name: &str, seconds| {
                if keeps_noise && is_noise(name) { seconds } else { net(name, seconds) }
            };
            rounds.iter().map(|lap| lap.map(round)).collect()
        };
        let also = switches.names.iter().any(|name| is_noise(name)).then(|| reading(true));
        let readings = [reading(false)].into_iter().chain(also).collect();
        Self { readings, model: self.model.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_an_interval_that_includes_what_noise_hides() {
        let names: Rc<[String]> = ["a", "b"].map(String::from).into();
        let lap = |values: [f64; 2]| Lap::new(&names, values);
        let rounds = (1..=6).map(|k| lap([f64::from(k), 2.0])).collect();
        let laps = Laps::new(rounds, Some(lap([3.0, 1.0])));
        let found = laps.ratio("a", "b");
        assert_eq!([found.low, found.median, found.high], [0.5, 1.75, 3.0]);
        let medians = |laps: &Laps| ["a", "b"].map(|name| laps.seconds(name).median);
        assert_eq!((medians(&laps), laps.in_model(ratio("a", "b"))), ([3.5, 2.0], Some(3.0)));
        // The second work consists of its 20 switches: a twentieth is left, or all.
        let net = laps.without_switches(&lap([0.0, 20.0]), 0.1);
        assert_eq!(medians(&net), [3.5, 0.1]);
        let found = net.seconds("b");
        assert_eq!([found.low, found.high], [0.1, 2.0]);
    }
}
