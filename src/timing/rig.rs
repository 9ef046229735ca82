//! The rig: works run alternately, and what is kept of their times.

use std::error::Error;
use std::io;
use web_time::Instant;

use crate::error::{ErrorKind, WithKind};
use crate::stream::{Machine, StreamError};

/// Why something cannot be timed.
#[derive(Debug, thiserror::Error)]
pub enum TimingError {
    /// The machine failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// What was to be timed cannot be set up.
    #[error(transparent)]
    Case(Box<dyn Error + Send + Sync>),
    /// The lines of the benchmark cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl WithKind for TimingError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}

/// Something to be timed: the n-th run of the work in a chain. It has to read what the run before
/// has written: a driver may drop work whose result nothing reads.
pub type Work<'a> = Box<dyn FnMut(usize) -> Result<(), TimingError> + 'a>;

/// A work of the machine or of the CPU.
pub fn work<'a, E>(mut run: impl FnMut(usize) -> Result<(), E> + 'a) -> Work<'a>
where
    TimingError: From<E>,
{
    Box::new(move |n| Ok(run(n)?))
}

/// A program for the CPU, which cannot fail.
pub fn program<'a>(mut run: impl FnMut(usize) + 'a) -> Work<'a> {
    Box::new(move |n| {
        run(n);
        Ok(())
    })
}

/// How often everything is run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds, after one to warm up.
    pub rounds: usize,
    /// Runs of each work in a round.
    pub chain: usize,
}

impl Effort {
    /// Few rounds, for quick mode.
    pub const QUICK: Self = Self {
        rounds: 5,
        chain: 4,
    };
    /// Enough for a steady median.
    pub const FULL: Self = Self {
        rounds: 15,
        chain: 8,
    };

    /// The one for the mode.
    pub fn of(quick: bool) -> Self {
        if quick { Self::QUICK } else { Self::FULL }
    }

    /// For runs that are long, and chains by themselves, as a cycle is: one a round, and at most so
    /// many rounds.
    pub fn of_long_runs(self, rounds: usize) -> Self {
        Self {
            rounds: self.rounds.min(rounds),
            chain: 1,
        }
    }
}

/// The seconds of one run of each work, round by round, after a round to warm up: it compiles
/// programs and fills caches.
pub fn samples(
    machine: &Machine,
    effort: Effort,
    works: &mut [Work<'_>],
) -> Result<Vec<Vec<f64>>, TimingError> {
    for work in works.iter_mut() {
        (0..effort.chain).try_for_each(work)?;
    }
    warm_samples(machine, effort, works)
}

/// The same of works that have run before. Waits for the machine before and after each chain.
pub fn warm_samples(
    machine: &Machine,
    effort: Effort,
    works: &mut [Work<'_>],
) -> Result<Vec<Vec<f64>>, TimingError> {
    let mut samples = vec![Vec::with_capacity(effort.rounds); works.len()];
    for _ in 0..effort.rounds {
        for (work, samples) in works.iter_mut().zip(&mut samples) {
            machine.finish();
            let start = Instant::now();
            (0..effort.chain).try_for_each(work)?;
            machine.finish();
            samples.push(start.elapsed().as_secs_f64() / effort.chain as f64);
        }
    }
    Ok(samples)
}

/// The median seconds of one run of each work.
pub fn medians<const N: usize>(
    machine: &Machine,
    effort: Effort,
    mut works: [Work<'_>; N],
) -> Result<[f64; N], TimingError> {
    let mut samples = samples(machine, effort, &mut works)?.into_iter();
    Ok(std::array::from_fn(|_| {
        median(samples.next().unwrap_or_default())
    }))
}

/// The fewest seconds of one run of each work: what else runs on the machine can only add to them.
pub fn fastest(
    machine: &Machine,
    effort: Effort,
    works: &mut [Work<'_>],
) -> Result<Vec<f64>, TimingError> {
    let least = |samples: Vec<f64>| samples.into_iter().fold(f64::INFINITY, f64::min);
    let samples = samples(machine, effort, works)?;
    Ok(samples.into_iter().map(least).collect())
}

/// The middle value, or the mean of the two middle ones; zero of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match n {
        0 => 0.0,
        _ if n % 2 == 1 => values[n / 2],
        _ => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

/// Between what two of these values the median of all that could have been measured lies, with a
/// confidence of 95 %: each of them is as often above it as below, whatever its distribution. Zeros of
/// nothing.
pub fn interval_of_median(mut values: Vec<f64>) -> [f64; 2] {
    if values.is_empty() {
        return [0.0; 2];
    }
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let outside = (((n - 1.96 * n.sqrt()) / 2.0).floor() as usize).max(1);
    [values[outside - 1], values[values.len() - outside]]
}

/// The smallest and the largest.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    (values.into_iter()).fold(start, |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Largest over smallest.
pub fn spread(values: impl IntoIterator<Item = f64>) -> f64 {
    let (low, high) = range(values);
    high / low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }

    #[test]
    fn the_interval_of_a_median_leaves_out_what_a_coin_seldom_throws() {
        // At most 9 of 31 throws are heads with a probability of 1.5 %, at most 1 of 11 with 0.6 %.
        let values = |n: usize| (0..n).rev().map(|v| v as f64).collect();
        assert_eq!(interval_of_median(values(31)), [9.0, 21.0]);
        assert_eq!(interval_of_median(values(11)), [1.0, 9.0]);
        assert_eq!(interval_of_median(values(1)), [0.0, 0.0]);
    }

    #[test]
    fn works_take_turns_after_a_round_to_warm_up() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let seen = std::cell::RefCell::new(String::new());
        let note = |name: char| {
            let seen = &seen;
            program(move |run| *seen.borrow_mut() += &format!("{name}{run} "))
        };
        let effort = Effort {
            rounds: 1,
            chain: 2,
        };
        let samples = samples(&machine, effort, &mut [note('a'), note('b')]).unwrap();
        assert_eq!(seen.borrow().as_str(), "a0 a1 b0 b1 a0 a1 b0 b1 ");
        assert_eq!(samples.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }
}
