//! `fragstream list`: every claim, paper by paper.

use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::base::columns::aligned;
use crate::claim::{Chosen, rows};
use crate::film;
use crate::scene::Entry;
use crate::scenes::SCENES;

use super::super::failure::Failure;
use super::super::output::UNLIMITED;
use super::super::session::Session;
use super::reproduce::{chosen, papers};

/// List every claim: its paper, class, section and statement
#[derive(Args)]
pub struct Arguments {
    /// Papers or claims [default: all]
    #[arg(value_name = "PAPER|ID")]
    names: Vec<String>,

    /// Print the claims as rows of a file, from which claims of your own can start (figures/replicate.md)
    #[arg(long, requires = "names", conflicts_with = "scenes")]
    toml: bool,

    /// List the scenes instead: what you can run as a command, in a window, in the page and as a film
    #[arg(long, conflicts_with = "names")]
    scenes: bool,
}

/// Prints the papers' tables.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.scenes {
        return list_scenes(session);
    }
    let (papers, names) = papers(arguments.names.clone())?;
    let chosen = chosen(&papers, &names)?;
    if arguments.toml {
        let rows = rows::own(&chosen);
        return session.print_as(&json!({ "toml": rows }), |out| write!(out, "{rows}"));
    }
    let claims: Vec<_> = chosen.iter().map(described).collect();
    session.print_as(&json!({ "claims": claims }), |out| {
        for of_paper in chosen.chunk_by(|(left, _), (right, _)| left.id == right.id) {
            let (paper, _) = of_paper[0];
            match paper.title {
                "" => writeln!(out, "{}", paper.id)?,
                title => writeln!(out, "{}  {title} ({})", paper.id, paper.year)?,
            }
            for (_, claim) in of_paper {
                let (id, class, section) = (claim.id, claim.class, claim.section);
                writeln!(out, "  {}/{id}  [{class}]  {section}  {}", paper.id, claim.says)?;
                let options = Vec::from_iter(claim.options()).join(", ");
                if !options.is_empty() {
                    writeln!(out, "    takes {options}")?;
                }
            }
        }
        Ok(())
    })
}

/// Prints the registry of scenes.
fn list_scenes(session: &mut Session) -> Result<(), Failure> {
    let scenes = json!(SCENES.iter().map(|entry| entry.described()).collect::<Vec<_>>());
    session.print_as(&json!({ "scenes": scenes }), |out| {
        let headings = ["scene", "paper", "command", "window", "page", "film"];
        let window = if cfg!(feature = "view") { "yes" } else { "no" };
        let film = |name| if film::scenes::find(name).is_ok() { "yes" } else { "no" };
        let page = |entry: &'static Entry| {
            let usual = entry.experiment(entry.interactive.preset);
            if usual.is_ok_and(|usual| usual.check_on(None).is_ok()) { "yes" } else { "no" }
        };
        let cells = |entry: &'static Entry| {
            [entry.name, entry.paper, "yes", window, page(entry), film(entry.name)]
        };
        let rows = SCENES.iter().map(|entry| cells(entry).map(str::to_owned).to_vec());
        let width = out.columns(UNLIMITED);
        write!(out, "{}", aligned(&headings, rows.collect(), |_| true, width))
    })
}

/// A claim for programs, with the command that checks it and the options that this takes.
fn described((paper, claim): &Chosen) -> serde_json::Value {
    json!({
        "id": format!("{}/{}", paper.id, claim.id),
        "class": claim.class,
        "variant": claim.variant,
        "judged_on": claim.judged_on,
        "section": claim.section,
        "statement": claim.says,
        "paper": claim.printed,
        "inputs": claim.options(),
        "command": format!("fragstream reproduce {}/{}", paper.id, claim.id),
    })
}
