//! A kernel, its ceiling and its CPU baseline.

use crate::stream::Machine;

use super::ceiling::with_ceiling;
use super::rig::Work;

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

    /// Its works by name, with the number of runs that correspond to one of the kernel.
    pub fn works(self) -> Vec<(&'static str, f64, Work<'a>)> {
        let kernel = ("kernel", 1.0, self.kernel);
        let ceiling = self.ceiling.map(|(work, runs)| ("ceiling", runs, work));
        [kernel].into_iter().chain(ceiling).chain(self.cpu.map(|work| ("cpu", 1.0, work))).collect()
    }
}
