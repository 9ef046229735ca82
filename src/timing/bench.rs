//! The lines of the benchmark, each printed as soon as it is measured.

use std::fmt::Display;
use std::io::Write;

use serde::Serialize;

use crate::base::error::BoxedError;
use crate::stream::Machine;

use super::case::{Case, Times};
use super::rig::Effort;

/// A line of the benchmark as data. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// Heading of its section.
    pub section: String,
    /// Name of the timed work.
    pub name: String,
    /// Its times here.
    #[serde(flatten)]
    pub times: Times,
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
            .and_then(|case| case.measure(self.machine, self.effort));
        (self.busy)(None);
        let times = times?;
        let (section, name) = (self.section.clone(), what.trim().to_owned());
        self.lines.push(Line { section, name, times });
        let (milliseconds, columns) = (times.kernel * 1e3, columns(&times));
        Ok(writeln!(self.out, "{what:<44} {milliseconds:>9.3}{columns}")?)
    }
}

/// The columns after the kernel's time: its ceiling, the fraction, and the CPU.
fn columns(times: &Times) -> String {
    let mut columns = String::new();
    if let Some(ceiling) = times.ceiling {
        let ratio = times.of_ceiling();
        columns += &format!(" {:>9.3} {ratio:>6.2}", ceiling * 1e3);
    }
    if let Some(cpu) = times.cpu {
        columns += &format!(" {:>9.3} {:>7.2}", cpu * 1e3, times.against_cpu());
    }
    columns.trim_end().to_owned()
}
