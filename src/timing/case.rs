//! A kernel, its ceiling and its CPU baseline.

use serde::Serialize;

use crate::base::error::BoxedError;
use crate::stream::Machine;

use super::ceiling::with_ceiling;
use super::rig::{Effort, Work, samples};
use crate::base::interval::median;

/// Works that are timed together.
pub struct Case<'a> {
    /// The kernel.
    pub kernel: Work<'a>,
    /// The trivial kernel with the same fetches and the same output, and the number of its runs that correspond
    /// to one of the kernel.
    pub ceiling: Option<(Work<'a>, f64)>,
    /// The tuned CPU program, in single precision, on all cores.
    pub cpu: Option<Work<'a>>,
}

impl<'a> Case<'a> {
    /// A kernel alone.
    pub fn new(kernel: Work<'a>) -> Self {
        Self { kernel, ceiling: None, cpu: None }
    }

    /// Adds a ceiling, `runs` of which correspond to one run of the kernel.
    pub fn with_own_ceiling(self, ceiling: Work<'a>, runs: f64) -> Self {
        Self { ceiling: Some((ceiling, runs)), ..self }
    }

    /// A kernel with the generated ceiling.
    pub fn with_ceiling(machine: &Machine, kernel: Work<'a>) -> Self {
        let [kernel, ceiling] = with_ceiling(machine, kernel);
        Self::new(kernel).with_own_ceiling(ceiling, 1.0)
    }

    /// Adds a CPU program.
    pub fn against(self, cpu: Work<'a>) -> Self {
        Self { cpu: Some(cpu), ..self }
    }

    /// Times all works, alternately.
    pub fn measure(self, machine: &Machine, effort: Effort) -> Result<Times, BoxedError> {
        let [times] = measure(machine, effort, [self])?;
        Ok(times)
    }
}

/// Times several cases with their comparisons, alternately.
pub fn measure<const N: usize>(
    machine: &Machine,
    effort: Effort,
    cases: [Case<'_>; N],
) -> Result<[Times; N], BoxedError> {
    let mut works = Vec::new();
    let mut add = |work: Option<_>| work.map(|work| (works.push(work), works.len() - 1).1);
    let places = cases.map(|case| {
        let (ceiling, runs) = case.ceiling.unzip();
        let works = [Some(case.kernel), ceiling, case.cpu];
        (works.map(&mut add), runs)
    });
    let samples = samples(machine, effort, &mut works)?;
    let seconds = |place: usize| median(samples[place].clone());
    Ok(places.map(|(places, runs)| {
        let [kernel, ceiling, cpu] = places.map(|place| place.map(seconds));
        Times {
            kernel: kernel.unwrap_or_default(),
            ceiling: ceiling.zip(runs).map(|(seconds, runs)| seconds * runs),
            cpu,
        }
    }))
}

/// Median seconds of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// The kernel.
    #[serde(rename = "seconds")]
    pub kernel: f64,
    /// Its ceiling.
    pub ceiling: Option<f64>,
    /// The program for the CPU.
    pub cpu: Option<f64>,
}

impl Times {
    /// Speed of the kernel as a fraction of its ceiling; NaN if no ceiling was timed.
    pub fn of_ceiling(&self) -> f64 {
        self.ceiling.unwrap_or(f64::NAN) / self.kernel
    }

    /// Speed-up over the CPU; NaN if no CPU program was timed.
    pub fn against_cpu(&self) -> f64 {
        self.cpu.unwrap_or(f64::NAN) / self.kernel
    }
}
