//! `fragstream completions`: the grammar for shells and for `man`.

use std::any::TypeId;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use clap_complete::{Generator, Shell, generate};
use clap_mangen::Man;
use serde_json::json;

use crate::io::write_atomically;

use super::failure::Failure;
use super::grammar;
use super::output::{Folder, Target};
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
    let mut grammar = hinted(grammar().disable_help_subcommand(true));
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

/// Words in the names of settings' values that are files.
const FILES: [&str; 5] = ["FILE", "MESH", "SCENE", "IN", "mtx"];

/// Gives each argument the kind of its value, so that shells complete files only where one is taken.
fn hinted(command: clap::Command) -> clap::Command {
    let hint = |argument: clap::Arg| {
        if !argument.get_action().takes_values() || !argument.get_possible_values().is_empty() {
            return argument;
        }
        let is = |kind: TypeId| argument.get_value_parser().type_id() == kind;
        let names = argument.get_value_names().unwrap_or_default().iter();
        let mut words = names.flat_map(|name| name.split(|c: char| !c.is_alphanumeric()));
        let is_file = words.any(|word| FILES.contains(&word));
        if is(TypeId::of::<Folder>()) {
            argument.value_hint(ValueHint::DirPath)
        } else if is_file || is(TypeId::of::<Target>()) || is(TypeId::of::<PathBuf>()) {
            argument.value_hint(ValueHint::FilePath)
        } else if argument.is_positional() {
            // A name, or a program of one's own.
            argument
        } else {
            argument.value_hint(ValueHint::Other)
        }
    };
    command.mut_args(hint).mut_subcommands(hinted)
}

/// Adds the manual's pages of a command and those below it.
fn manual(command: clap::Command, files: &mut Vec<File>) -> io::Result<()> {
    let inner = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    inner.cloned().try_for_each(|inner| manual(inner, files))?;
    let (page, mut bytes) = (Man::new(command), Vec::new());
    page.render(&mut bytes)?;
    files.push((page.get_filename().replace('/', "-"), bytes));
    Ok(())
}
