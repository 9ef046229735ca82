//! Seconds of works that run alternately, round by round.

use std::ops::Index;
use std::rc::Rc;

use super::switch::{NOISE, without_switches};
use crate::base::expression::Quantity;
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

    /// The rounds of works with these names, from the seconds of each.
    pub fn rounds(names: &Rc<[String]>, seconds: &[Vec<f64>]) -> Vec<Self> {
        let rounds = seconds.iter().map(Vec::len).min().unwrap_or_default();
        let lap = |at: usize| Self::new(names, seconds.iter().map(|own| own[at]));
        (0..rounds).map(lap).collect()
    }

    /// All values, in the order of the works.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value of a work; of a name that others continue after a dot, the values of these in their order.
    pub fn quantity(&self, name: &str) -> Quantity {
        let value = |at: usize| self.values[at];
        if let Some(at) = self.names.iter().position(|known| known == name) {
            return Quantity::One(value(at));
        }
        let is_part =
            |known: &str| known.strip_prefix(name).is_some_and(|end| end.starts_with('.'));
        Quantity::Each(
            (0..self.names.len()).filter(|&at| is_part(&self.names[at])).map(value).collect(),
        )
    }

    /// These values, and others whose names get an ending.
    fn beside(&self, other: &Self, ending: &str) -> Self {
        let others = other.names.iter().map(|name| format!("{name}{ending}"));
        let names = self.names.iter().cloned().chain(others).collect();
        Self::new(&names, self.values.iter().chain(&other.values).copied())
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

/// Numbers of runs with a verdict.
const LOOKS: [usize; 4] = [1, 3, 6, 12];

/// Seconds of works that were repeated: in rounds, in processes, and in runs.
#[derive(Clone, Debug)]
pub struct Laps {
    /// The rounds of one process, or the medians of several; further readings of the same widen intervals.
    readings: Vec<Vec<Lap>>,
    /// Number of processes of each run.
    runs: Vec<usize>,
    /// True if there are more runs, which wait for the next verdict.
    waits: bool,
    /// Number of rounds of all processes.
    rounds: usize,
    /// Seconds of the works in the model of the paper's card.
    model: Option<Lap>,
}

impl Laps {
    /// Rounds of one process, and the seconds of the works in a model.
    pub fn new(rounds: Vec<Lap>, model: Option<Lap>) -> Self {
        Self { runs: vec![1], waits: false, rounds: rounds.len(), readings: vec![rounds], model }
    }

    /// Processes with their rounds, run by run, and the seconds of the works in a model. One process has no interval
    /// but that of its rounds. Of several runs the first 3, 6, 12, … count, and else the first: a verdict after each run
    /// would have a chance to be false after each.
    pub fn of_runs(mut runs: Vec<Vec<Vec<Lap>>>, model: Option<Lap>) -> Self {
        let look = LOOKS.into_iter().rfind(|&look| look <= runs.len()).unwrap_or_default();
        let waits = look < runs.len();
        runs.truncate(look);
        if let [processes] = &mut runs[..]
            && processes.len() < 2
        {
            return Self::new(processes.pop().unwrap_or_default(), model);
        }
        let counts = runs.iter().map(Vec::len).collect();
        let processes: Vec<Vec<Lap>> = runs.into_iter().flatten().collect();
        let rounds = processes.iter().map(Vec::len).sum();
        let medians = processes.iter().filter_map(|rounds| {
            let of = |name: &str, _| median(rounds.iter().map(|lap| lap[name]).collect());
            rounds.first().map(|first| first.map(of))
        });
        Self { readings: vec![medians.collect()], runs: counts, waits, rounds, model }
    }

    /// Number of processes.
    pub fn processes(&self) -> usize {
        self.runs.iter().sum()
    }

    /// A value of each round, as a median with its interval; or a value of the medians of each process, as a mean with its
    /// interval.
    pub fn of(&self, value: impl Fn(&Lap) -> f64) -> Interval {
        self.interval(&value)
    }

    fn interval(&self, value: &dyn Fn(&Lap) -> f64) -> Interval {
        let of_all = self.readings.iter().map(|laps| self.estimate(laps.iter().map(value)));
        let of_all = of_all.reduce(|first, also| Interval {
            low: first.low.min(also.low),
            high: first.high.max(also.high),
            ..first
        });
        of_all.unwrap_or_default()
    }

    fn estimate(&self, values: impl Iterator<Item = f64>) -> Interval {
        let values: Vec<f64> = values.collect();
        let (rounds, processes) = (self.rounds, self.processes());
        let estimate = match (&self.runs[..], processes) {
            (_, 1) => Interval::of(values),
            ([_], _) => Interval::of_replicates(&values),
            (several, _) => {
                let mut rest = values.into_iter();
                let means = several.iter().map(|&count| {
                    let own: Vec<f64> = rest.by_ref().take(count).collect();
                    Interval::of_replicates(&own).median
                });
                Interval::of_replicates(&means.collect::<Vec<_>>())
            }
        };
        let runs = if self.runs.len() > 1 || self.waits { self.runs.len() } else { 0 };
        Interval { rounds, processes, runs, ..estimate }
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

    /// These laps, and the first reading of others, whose names get an ending. The model has these alone.
    #[must_use]
    pub fn beside(&self, other: &Self, ending: &str) -> Self {
        let readings = self.readings.iter().map(|laps| {
            laps.iter().zip(&other.readings[0]).map(|(one, two)| one.beside(two, ending)).collect()
        });
        Self { readings: readings.collect(), ..self.clone() }
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
        Self { readings, ..self.clone() }
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

    #[test]
    fn processes_count_once_whatever_their_rounds_and_runs_once_whatever_their_processes() {
        let names: Rc<[String]> = ["a", "b"].map(String::from).into();
        let process = |ratio: f64, rounds: &[f64]| -> Vec<Lap> {
            rounds.iter().map(|noise| Lap::new(&names, [ratio * noise, 1.0])).collect()
        };
        // Medians of 2 and 8, whose mean on logarithms is 4.
        let run = || vec![process(2.0, &[1.0, 1.0, 9.0]), process(8.0, &[1.0; 5])];
        let found = Laps::of_runs(vec![run()], None).ratio("a", "b");
        assert!((found.median - 4.0).abs() < 1e-12);
        assert_eq!((found.rounds, found.processes, found.runs), (8, 2, 0));
        // 12.7 standard errors of ln 2.
        assert!((found.high / found.median).ln() / 2.0_f64.ln() > 12.7);
        let other = || vec![process(4.0, &[1.0])];
        let found = Laps::of_runs(vec![run(), other(), other()], None).ratio("a", "b");
        assert!((found.high / found.low - 1.0).abs() < 1e-9 && (found.median - 4.0).abs() < 1e-9);
        assert_eq!((found.rounds, found.processes, found.runs), (10, 4, 3));
        // Two runs have the verdict of the first, and four that of three.
        let two = Laps::of_runs(vec![run(), other()], None).ratio("a", "b");
        assert_eq!((two.rounds, two.processes, two.runs), (8, 2, 1));
        let four = Laps::of_runs(vec![run(), other(), other(), run()], None).ratio("a", "b");
        assert_eq!(four, found);
        let found = Laps::of_runs(vec![vec![process(2.0, &[1.0, 1.0, 9.0])]], None).ratio("a", "b");
        assert_eq!((found.low, found.high, found.processes), (2.0, 18.0, 1));
    }
}
