//! `fragstream completions`: the grammar for shells and for `man`.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use clap_complete::{Generator, Shell, generate};
use clap_mangen::Man;
use serde_json::json;

use crate::io::write_atomically;

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

/// A file: its name and its bytes.
type File = (String, Vec<u8>);

/// Writes the files.
pub fn run(Arguments { folder }: &Arguments, session: &mut Session) -> Result<(), Failure> {
    folder.make()?;
    let into = folder.path();
    let mut grammar = grammar().disable_help_subcommand(true);
    let mut files = Vec::new();
    for &shell in Shell::value_variants() {
        let mut bytes = Vec::new();
        generate(shell, &mut grammar, "fragstream", &mut bytes);
        files.push((shell.file_name("fragstream"), bytes));
    }
    grammar.build();
    manual(grammar, &mut files)?;
    for (name, bytes) in files {
        write_atomically(&into.join(name), |out| out.write_all(&bytes))?;
    }
    folder.report("completions and the manual");
    session.print_as(&json!({ "folder": into }), |_| Ok(()))
}

/// Adds the manual's pages of a command and those below it.
fn manual(command: clap::Command, files: &mut Vec<File>) -> io::Result<()> {
    let inner = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    inner.cloned().try_for_each(|inner| manual(inner, files))?;
    let (page, mut bytes) = (Man::new(command), Vec::new());
    page.render(&mut bytes)?;
    files.push((page.get_filename(), bytes));
    Ok(())
}
