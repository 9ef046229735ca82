//! Experiments whose programs must fit the card of their paper.

use std::rc::Rc;

use crate::card::limits::Inspector;
use crate::claim::{Experiment, Finding, Options, Program};
use crate::stream::Machine;

use super::super::super::failure::Failure;

/// As [`Experiment::perform`], while an inspector looks on: what does not fit the card of its paper, and
/// does not say so itself, stands behind the reasons of every finding. The first finding has the programs, and so has
/// each with a figure.
///
/// # Errors
/// Of an experiment that was given inputs of the user's: they are bad, and say nothing of a claim.
pub fn perform(
    experiment: &Experiment<Machine>,
    machine: &mut Machine,
    options: &Options,
) -> Result<Vec<Finding>, Failure> {
    let inspector = Rc::new(Inspector::default());
    let observation = machine.observe(Rc::clone(&inspector) as _)?;
    let inputs = options.given.to(experiment.id);
    let findings = match inputs.as_str() {
        "" => Ok(experiment.perform(machine, options)),
        _ => experiment.attempt(machine, options),
    };
    drop(observation);
    let findings = findings.map_err(|error| {
        Failure::input(format_args!("{} with {inputs}: {error}", experiment.id))
    })?;
    let (found, programs) = (inspector.found(), inspector.programs());
    let mut findings = match found.is_empty() {
        true => findings,
        false => {
            let told = |finding: Finding| {
                let why = format!("{} {}.", finding.why, found.join("; "));
                finding.because(why.trim())
            };
            findings.into_iter().map(told).collect()
        }
    };
    for finding in &mut findings {
        finding.inputs.clone_from(&inputs);
    }
    let programs = programs.into_iter();
    let programs: Vec<_> = programs
        .map(|(name, text)| Program { name, text })
        .collect();
    for (place, finding) in findings.iter_mut().enumerate() {
        if place == 0 || !finding.figures.is_empty() {
            finding.programs.clone_from(&programs);
        }
    }
    Ok(findings)
}
