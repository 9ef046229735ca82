//! Experiments whose programs must fit the card of their paper.

use fragstream::card::limits::Inspector;
use fragstream::claim::{Experiment, Finding, Options};
use fragstream::stream::{Machine, observe};

/// As [`Experiment::perform`], while an inspector looks on: what does not fit the card of its paper, and
/// does not say so itself, stands behind the reasons of every finding.
pub fn perform(
    experiment: &Experiment<Machine>,
    machine: &mut Machine,
    options: &Options,
) -> Vec<Finding> {
    let inspector = Inspector::called();
    let findings = experiment.perform(machine, options);
    observe(None);
    let found = inspector.found();
    if found.is_empty() {
        return findings;
    }
    let told = |finding: Finding| {
        let why = format!("{} {}.", finding.why, found.join("; "));
        finding.because(why.trim())
    };
    findings.into_iter().map(told).collect()
}
