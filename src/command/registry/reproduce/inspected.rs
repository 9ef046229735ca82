//! Experiments whose programs must fit the card of their paper.

use std::rc::Rc;

use fragstream::card::limits::Inspector;
use fragstream::claim::{Experiment, Finding, Options};
use fragstream::stream::{Machine, StreamError};

/// As [`Experiment::perform`], while an inspector looks on: what does not fit the card of its paper, and
/// does not say so itself, stands behind the reasons of every finding.
pub fn perform(
    experiment: &Experiment<Machine>,
    machine: &mut Machine,
    options: &Options,
) -> Result<Vec<Finding>, StreamError> {
    let inspector = Rc::new(Inspector::default());
    let observation = machine.observe(Rc::clone(&inspector) as _)?;
    let findings = experiment.perform(machine, options);
    drop(observation);
    let found = inspector.found();
    if found.is_empty() {
        return Ok(findings);
    }
    let told = |finding: Finding| {
        let why = format!("{} {}.", finding.why, found.join("; "));
        finding.because(why.trim())
    };
    Ok(findings.into_iter().map(told).collect())
}
