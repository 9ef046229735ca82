//! `fragstream list`: every experiment, paper by paper, with its claims.

use std::io::Write;

use fragstream::claim::papers::PAPERS;
use fragstream::experiments::experiments;

use super::super::failure::Failure;
use super::super::session::Session;

/// Prints the registry.
pub fn run(session: &mut Session) -> Result<(), Failure> {
    let out = &mut session.out;
    let experiments = experiments();
    let papers = PAPERS.iter().map(|paper| {
        let title = format!("{}  {} ({})", paper.id, paper.title, paper.year);
        (paper.id, title)
    });
    let none = ("card", "card  The cards of 2003".to_owned());
    for (id, title) in papers.chain([none]) {
        writeln!(out, "{title}")?;
        for experiment in experiments.iter().filter(|e| e.paper() == id) {
            let (id, section) = (experiment.id, experiment.section);
            writeln!(out, "  {id}  {section}  {}", experiment.title)?;
            for claim in experiment.claims {
                let (class, statement) = (claim.class, claim.statement);
                writeln!(out, "    {}  [{class}]  {statement}", claim.id)?;
            }
        }
    }
    Ok(())
}
