//! `fragstream list`: every experiment, paper by paper, with its claims.

use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::claim::papers::PAPERS;
use crate::claim::{Experiment, Parameter, commands};
use crate::experiments::experiments;
use crate::stream::Machine;

use super::super::failure::Failure;
use super::super::session::Session;
use super::reproduce::choose;

/// List every experiment: its paper, section and claims
#[derive(Args)]
pub struct Arguments {
    /// Papers, experiments or claims; all if none is given
    #[arg(value_name = "PAPER|ID")]
    names: Vec<String>,

    /// Print one JSON array of claims
    #[arg(long)]
    json: bool,
}

/// Prints the registry.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let experiments = choose(&arguments.names, experiments())?;
    if arguments.json {
        return session.out.json(&claims(&experiments));
    }
    let out = &mut session.out;
    let papers = PAPERS.iter().map(|paper| {
        let title = format!("{}  {} ({})", paper.id, paper.title, paper.year);
        (paper.id, title)
    });
    let none = ("card", "card  The cards of 2003".to_owned());
    for (id, title) in papers.chain([none]) {
        let of_paper = || experiments.iter().filter(|e| e.paper() == id);
        if of_paper().next().is_none() {
            continue;
        }
        writeln!(out, "{title}")?;
        for experiment in of_paper() {
            let (id, section) = (experiment.id, experiment.section);
            writeln!(out, "  {id}  {section}  {}", experiment.title)?;
            let inputs = inputs(id);
            if !inputs.is_empty() {
                writeln!(out, "    takes {}", inputs.join(", "))?;
            }
            for claim in experiment.claims {
                let (class, statement) = (claim.class, claim.statement);
                writeln!(out, "    {}  [{class}]  {statement}", claim.id)?;
            }
        }
    }
    Ok(())
}

/// The options by which an experiment takes inputs of the user's.
fn inputs(experiment: &str) -> Vec<&'static str> {
    Parameter::of(experiment).map(Parameter::name).collect()
}

/// The claims for programs, with the commands that check them and that do the same for a user's input.
fn claims(experiments: &[Experiment<Machine>]) -> Vec<serde_json::Value> {
    let of_experiment = |experiment: &Experiment<Machine>| {
        let (id, title) = (experiment.id, experiment.title);
        experiment.claims.iter().map(move |claim| {
            json!({
                "id": claim.id,
                "experiment": id,
                "title": title,
                "class": claim.class,
                "variant": claim.variant,
                "judged_on": claim.judged_on,
                "section": claim.section,
                "statement": claim.statement,
                "paper": claim.paper,
                "inputs": inputs(id),
                "command": commands::again(claim.id, false, ""),
                "user_command": commands::behind(claim.id),
            })
        })
    };
    experiments.iter().flat_map(of_experiment).collect()
}
