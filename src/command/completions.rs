//! `fragstream completions`: the grammar for shells and for `man`.

use clap::{Args, ValueEnum};
use clap_complete::Shell;
use serde_json::json;

use super::failure::Failure;
use super::grammar;
use super::output::Folder;
use super::session::Session;

/// Write completions for bash, elvish, fish, PowerShell and zsh, and the manual's pages, into a folder
#[derive(Args)]
#[command(hide = true)]
pub struct Arguments {
    /// Folder, which is made
    folder: Folder,
}

/// Writes the files.
pub fn run(Arguments { folder }: &Arguments, session: &mut Session) -> Result<(), Failure> {
    folder.make()?;
    let into = folder.path();
    let mut grammar = grammar().disable_help_subcommand(true);
    Shell::value_variants()
        .iter()
        .try_for_each(|&shell| {
            clap_complete::generate_to(shell, &mut grammar, "fragstream", into).map(drop)
        })
        .and_then(|()| clap_mangen::generate_to(grammar, into))
        .map_err(|error| Failure::in_file(into, error))?;
    folder.report("completions and the manual");
    session.print_as(&json!({ "folder": into }), |_| Ok(()))
}
