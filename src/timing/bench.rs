//! The lines of the benchmark, each printed as soon as it is measured.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

use serde::Serialize;

use crate::base::error::BoxedError;
use crate::stream::Machine;

use super::case::Case;
use super::rig::{Effort, samples};
use crate::base::interval::median;

/// A line of the benchmark as data. Times are in seconds of one run of the kernel, medians of rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// Heading of its section.
    pub section: String,
    /// Name of the timed work.
    pub name: String,
    /// The kernel.
    pub seconds: f64,
    /// Its ceiling.
    pub ceiling: Option<f64>,
    /// The program for the CPU.
    pub cpu: Option<f64>,
    /// Seconds of each work, round by round.
    pub times: BTreeMap<&'static str, Vec<f64>>,
}

/// Measures a paper's cases and prints their lines.
pub struct Bench<'a> {
    /// Machine that runs them.
    pub machine: &'a Machine,
    /// True for smaller inputs and fewer repetitions.
    pub quick: bool,
    /// Number of repetitions.
    pub effort: Effort,
    /// Called with the name of each measurement, and with `None` at its end.
    pub busy: &'a dyn Fn(Option<&str>),
    /// Destination of the lines.
    pub out: &'a mut dyn Write,
    /// Heading of the next lines.
    pub section: String,
    /// The lines so far.
    pub lines: Vec<Line>,
}

impl Bench<'_> {
    /// Returns the value for the mode.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Prints a heading, or an indented remark.
    pub fn text(&mut self, text: impl Display) -> Result<(), BoxedError> {
        let text = text.to_string();
        if !text.starts_with(' ') {
            text.trim().clone_into(&mut self.section);
        }
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Prints the names of the columns: kernels and their ceilings.
    pub fn headings(&mut self) -> Result<(), BoxedError> {
        let headings = ["here", "ceiling", "ratio", "CPU", "x CPU"];
        let [here, ceiling, ratio, cpu, gain] = headings;
        Ok(writeln!(self.out, "\n{:<44} {here:>9} {ceiling:>9} {ratio:>6} {cpu:>9} {gain:>7}", "")?)
    }

    /// Times a kernel, its ceiling and the CPU program.
    pub fn case<'c, E>(
        &mut self,
        what: &str,
        case: impl FnOnce(&Machine) -> Result<Case<'c>, E>,
    ) -> Result<(), BoxedError>
    where
        BoxedError: From<E>,
    {
        (self.busy)(Some(what));
        let times = case(self.machine)
            .map_err(BoxedError::from)
            .and_then(|case| measured(self.machine, self.effort, case));
        (self.busy)(None);
        let times = times?;
        let of = |name: &str| times.get(name).map(|seconds: &Vec<f64>| median(seconds.clone()));
        let [seconds, ceiling, cpu] = ["kernel", "ceiling", "cpu"].map(of);
        let (section, name) = (self.section.clone(), what.trim().to_owned());
        let seconds = seconds.unwrap_or_default();
        let line = Line { section, name, seconds, ceiling, cpu, times };
        writeln!(self.out, "{what:<44} {:>9.3}{}", line.seconds * 1e3, columns(&line))?;
        self.lines.push(line);
        Ok(())
    }
}

/// Times a kernel and its comparisons in the same rounds.
fn measured(
    machine: &Machine,
    effort: Effort,
    case: Case<'_>,
) -> Result<BTreeMap<&'static str, Vec<f64>>, BoxedError> {
    let (mut names, mut works) = (Vec::new(), Vec::new());
    for (name, runs, work) in case.works() {
        names.push((name, runs));
        works.push(work);
    }
    let seconds = samples(machine, effort, &mut works)?;
    let of_kernel = names.into_iter().zip(seconds).map(|((name, runs), seconds)| {
        (name, seconds.into_iter().map(|seconds| runs * seconds).collect())
    });
    Ok(of_kernel.collect())
}

/// The columns after the kernel's time: its ceiling, the fraction, and the CPU.
fn columns(line: &Line) -> String {
    let mut columns = String::new();
    if let Some(ceiling) = line.ceiling {
        columns += &format!(" {:>9.3} {:>6.2}", ceiling * 1e3, ceiling / line.seconds);
    }
    if let Some(cpu) = line.cpu {
        columns += &format!(" {:>9.3} {:>7.2}", cpu * 1e3, cpu / line.seconds);
    }
    columns
}
