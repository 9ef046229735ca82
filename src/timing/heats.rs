//! Heats: works that are raced several times, each time set up anew, next to two [twins](super::twins).
//! Intervals of their ratios include what another process on a quiet machine would find.

use std::ops::Range;
use std::rc::Rc;

use web_time::Instant;

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::stream::Machine;

use super::Interval;
use super::laps::{Lap, Laps};
use super::rig::{Effort, Work, awaken, rounds, work};
use super::twins::twins;

/// Standard deviation of the logarithm of a ratio between processes on a quiet machine, 6 to 9 % as measured for four rows.
/// Heats in one process do not show it.
const BETWEEN: f64 = 0.07;

/// A run that takes longer than this number of seconds is not repeated within a round.
const LONG: f64 = 0.01;

/// Largest deviation of twins from each other, as a factor, with which factors of other works mean something. The intervals of
/// these include the deviation, which for 41 matrices on a quiet virtual machine was 1.03 to 2.5, with a median of 1.45.
const QUIET: f64 = 2.0;

const TWINS: [&str; 2] = ["a twin", "another twin"];

/// Seconds of works by name, heat by heat.
#[derive(Default)]
pub struct Heats {
    has_twins: bool,
    names: Rc<[String]>,
    heats: Vec<Vec<Lap>>,
}

impl Heats {
    /// Heats next to twins, which show how busy the machine is.
    pub fn with_twins() -> Self {
        Self { has_twins: true, ..Self::default() }
    }

    /// Number of heats.
    pub fn count(&self) -> usize {
        self.heats.len()
    }

    /// Runs a heat. All heats have works with the same names, which are set up anew for each.
    pub fn run<'w>(
        &mut self,
        machine: &Machine,
        effort: Effort,
        works: impl IntoIterator<Item = (String, Work<'w>)>,
    ) -> Result<(), BoxedError> {
        let (mut names, mut works): (Vec<String>, Vec<Work<'w>>) = works.into_iter().unzip();
        if works.is_empty() {
            self.heats.push(Vec::new());
            return Ok(());
        }
        let mut least = f64::INFINITY;
        for work in &mut works {
            // The first run compiles programs.
            work(0)?;
            machine.finish();
            let start = Instant::now();
            work(1)?;
            machine.finish();
            least = least.min(start.elapsed().as_secs_f64());
        }
        let effort = if least > LONG { Effort { chain: 1, ..effort } } else { effort };
        if self.has_twins {
            let (both, passes) = twins(machine, TWINS, least)?;
            for (name, mut twin) in TWINS.iter().zip(both) {
                names.push((*name).to_owned());
                let mut some = move |mut runs: Range<usize>| runs.try_for_each(&mut twin);
                works.push(work(move |run| some(run * passes..(run + 1) * passes)));
            }
        }
        if self.heats.is_empty() {
            self.names = names.into();
            // Without twins there is no time for that.
            if self.has_twins {
                awaken(machine, &mut works)?;
            }
        } else if !names.iter().eq(self.names.iter()) {
            return Err("an upload failed that had succeeded before. Close other programs".into());
        }
        let mut random = SplitMix64::new(self.heats.len() as u64);
        let seconds = rounds(machine, effort, &mut random, &mut works)?;
        self.heats.push(Lap::rounds(&self.names, &seconds));
        Ok(())
    }

    fn laps(&self) -> Laps {
        Laps::of_runs(vec![self.heats.clone()], None)
    }

    /// Seconds of a work.
    pub fn seconds(&self, name: &str) -> Interval {
        self.laps().seconds(name)
    }

    /// Seconds of a work, heat by heat and round by round.
    pub fn times(&self, name: &str) -> Vec<Vec<f64>> {
        self.heats.iter().map(|heat| heat.iter().map(|lap| lap[name]).collect()).collect()
    }

    /// Seconds of one twin relative to the other's; 1 without twins.
    pub fn twins(&self) -> Interval {
        if self.has_twins { self.laps().ratio(TWINS[1], TWINS[0]) } else { 1.0.into() }
    }

    /// Seconds of one work relative to another's, one of this number of ratios. The interval includes the scatter between
    /// processes, and is not narrower than that of the twins.
    pub fn ratio(&self, of: &str, by: &str, ratios: usize) -> Interval {
        let ratio = self.laps().ratio(of, by).among(ratios);
        if ratio.processes < 2 || of == by {
            return ratio;
        }
        let half = (ratio.high / ratio.low).ln() / 2.0;
        let half = half.hypot(1.96 * BETWEEN).max(deviation(self.twins()).ln()).exp();
        Interval { low: ratio.median / half, high: ratio.median * half, ..ratio }
    }
}

/// The largest factor between twins that their interval allows.
fn deviation(twins: Interval) -> f64 {
    twins.high.max(1.0 / twins.low)
}

/// Tests whether a machine is too busy for factors, by the ratio of twins.
pub fn is_busy(twins: Interval) -> bool {
    twins.processes > 1 && deviation(twins) > QUIET
}

/// Tests whether a work is slower than another by their ratio.
pub fn is_slower(ratio: Interval) -> bool {
    ratio.processes > 1 && ratio.low > 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heats of two works, the second of which takes this number of times as long, with this scatter of heats and rounds.
    fn heats(factor: f64, [between, within]: [f64; 2], random: &mut SplitMix64) -> Heats {
        let names: Rc<[String]> = ["a", "b", TWINS[0], TWINS[1]].map(String::from).into();
        let heats = (0..4).map(|_| {
            let own = [1.0, factor, 1.0, 1.0].map(|one| one * (between * random.normal()).exp());
            let round = |_| Lap::new(&names, own.map(|one| one * (within * random.normal()).exp()));
            (0..6).map(round).collect()
        });
        Heats { has_twins: true, heats: heats.collect(), names: Rc::clone(&names) }
    }

    #[test]
    fn factors_of_a_quiet_machine_are_found_and_those_of_a_busy_one_do_not_contradict_each_other() {
        let mut random = SplitMix64::new(5);
        let mut found = |factor: f64, scatter| {
            let heats = heats(factor, scatter, &mut random);
            (heats.ratio("b", "a", 3), is_busy(heats.twins()))
        };
        let quiet: Vec<_> = (0..100).map(|_| found(1.6, [0.03, 0.03])).collect();
        let is_found = |(ratio, is_busy): &&(Interval, bool)| {
            !is_busy && is_slower(*ratio) && (ratio.low..=ratio.high).contains(&1.6)
        };
        assert!(quiet.iter().filter(is_found).count() >= 90);
        let uneven: Vec<_> = (0..100).map(|_| found(2.0, [0.1, 0.1])).collect();
        let is_slow = |(ratio, is_busy): &&(Interval, bool)| !is_busy && is_slower(*ratio);
        assert!(uneven.iter().filter(is_slow).count() >= 85);
        let level: Vec<_> = (0..1000).map(|_| found(1.0, [0.4, 0.3])).collect();
        let is_decided = |(ratio, is_busy): &&(Interval, bool)| {
            !is_busy && (is_slower(*ratio) || ratio.high < 1.0)
        };
        assert!(level.iter().filter(|(_, is_busy)| *is_busy).count() > 780);
        assert!(level.iter().filter(is_decided).count() <= 4);
    }
}
