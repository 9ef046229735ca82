//! A kernel, its ceiling and its baseline.

use crate::stream::Machine;

use super::ceiling::with_ceiling;
use super::rig::{Effort, TimingError, Work, median, samples};

/// What is timed beside each other.
pub struct Case<'a> {
    /// The kernel.
    pub kernel: Work<'a>,
    /// The trivial kernel with the same fetches and the same output, and how many of its runs make up
    /// one of the kernel.
    pub ceiling: Option<(Work<'a>, f64)>,
    /// A ceiling that fetches the same few texels again and again, from caches: the rest of the way
    /// to the other one is what it takes to bring the data in.
    pub cached_ceiling: Option<Work<'a>>,
    /// The tuned program for the CPU, in single precision, on all cores.
    pub cpu: Option<Work<'a>>,
}

impl<'a> Case<'a> {
    /// A kernel alone.
    pub fn new(kernel: Work<'a>) -> Self {
        Self {
            kernel,
            ceiling: None,
            cached_ceiling: None,
            cpu: None,
        }
    }

    /// Beside a ceiling, of which so many runs make up one of the kernel.
    pub fn beside(self, ceiling: Work<'a>, runs: f64) -> Self {
        Self {
            ceiling: Some((ceiling, runs)),
            ..self
        }
    }

    /// A kernel next to the ceiling that is made for it.
    pub fn with_ceiling(machine: &Machine, kernel: Work<'a>) -> Self {
        let [kernel, ceiling] = with_ceiling(machine, kernel);
        Self::new(kernel).beside(ceiling, 1.0)
    }

    /// Beside a program for the CPU.
    pub fn against(self, cpu: Work<'a>) -> Self {
        Self {
            cpu: Some(cpu),
            ..self
        }
    }

    /// The kernel without what it is compared with.
    pub fn alone(self) -> Self {
        Self::new(self.kernel)
    }

    /// Times all of it, alternately.
    pub fn measure(self, machine: &Machine, effort: Effort) -> Result<Times, TimingError> {
        let [times] = measure(machine, effort, [self])?;
        Ok(times)
    }
}

/// Times some cases with all that belongs to them, alternately.
pub fn measure<const N: usize>(
    machine: &Machine,
    effort: Effort,
    cases: [Case<'_>; N],
) -> Result<[Times; N], TimingError> {
    let mut works = Vec::new();
    let mut add = |work: Option<_>| work.map(|work| (works.push(work), works.len() - 1).1);
    let places = cases.map(|case| {
        let (ceiling, runs) = case.ceiling.unzip();
        let works = [Some(case.kernel), ceiling, case.cached_ceiling, case.cpu];
        (works.map(&mut add), runs)
    });
    let samples = samples(machine, effort, &mut works)?;
    let seconds = |place: usize| median(samples[place].clone());
    Ok(places.map(|(places, runs)| {
        let [kernel, ceiling, cached_ceiling, cpu] = places.map(|place| place.map(seconds));
        Times {
            kernel: kernel.unwrap_or_default(),
            ceiling: ceiling.zip(runs).map(|(seconds, runs)| seconds * runs),
            cached_ceiling,
            cpu,
        }
    }))
}

/// Median seconds of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The kernel.
    pub kernel: f64,
    /// Its ceiling.
    pub ceiling: Option<f64>,
    /// Its ceiling, all from caches.
    pub cached_ceiling: Option<f64>,
    /// The program for the CPU.
    pub cpu: Option<f64>,
}

impl Times {
    /// What the kernel reaches of its ceiling: 1 is all. NaN where no ceiling was timed.
    pub fn of_ceiling(&self) -> f64 {
        self.ceiling.unwrap_or(f64::NAN) / self.kernel
    }

    /// How many times as fast as the CPU. NaN where no program for the CPU was timed.
    pub fn against_cpu(&self) -> f64 {
        self.cpu.unwrap_or(f64::NAN) / self.kernel
    }
}
