//! Timing, the papers' way: a kernel beside a trivial one, in the same run.
//!
//! What is compared is timed in turns, round after round, so that whatever else the machine does
//! falls on all alike. Each turn runs its work several times in a chain, each time reading what the
//! time before has written: a driver may drop work whose result nothing reads.

use std::time::Instant;

use crate::stream::{Machine, StreamError};

/// Something to be timed: the n-th run of the work in a chain.
pub type Work<'a> = Box<dyn FnMut(usize) -> Result<(), StreamError> + 'a>;

/// How often everything is run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Turns of each work, after one to warm up.
    pub rounds: usize,
    /// Runs in each turn.
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
}

/// Median seconds of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The kernel.
    pub kernel: f64,
    /// The trivial kernel with the same fetches and the same output.
    pub ceiling: f64,
    /// The tuned program for the CPU, in single precision, on all cores.
    pub cpu: f64,
}

impl Comparison {
    /// What the kernel reaches of its ceiling: 1 is all.
    pub fn of_ceiling(&self) -> f64 {
        self.ceiling / self.kernel
    }

    /// How many times as fast as the CPU.
    pub fn against_cpu(&self) -> f64 {
        self.cpu / self.kernel
    }
}

/// The median seconds of one run of each work. Waits for the machine before and after each turn.
///
/// # Errors
/// The first error of any work.
pub fn medians<const N: usize>(
    machine: &Machine,
    effort: Effort,
    mut works: [Work<'_>; N],
) -> Result<[f64; N], StreamError> {
    let mut samples: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(effort.rounds));
    for round in 0..=effort.rounds {
        for (work, samples) in works.iter_mut().zip(&mut samples) {
            machine.finish();
            let start = Instant::now();
            for run in 0..effort.chain {
                work(run)?;
            }
            machine.finish();
            if round > 0 {
                samples.push(start.elapsed().as_secs_f64() / effort.chain as f64);
            }
        }
    }
    Ok(samples.map(median))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
