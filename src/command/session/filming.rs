//! The film that `--film` makes of a command.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::film::{About, Limits, Packing, Page, Recorder, page, titles};
use crate::io::write_atomically;
use crate::stream::Machine;

use crate::command::failure::Failure;

/// The film that is made of a run.
pub struct Filming {
    file: PathBuf,
    about: About,
    limits: Limits,
    recorder: OnceCell<Recorder>,
}

impl Filming {
    /// A film of this command, as it was typed, of which nothing is recorded yet.
    pub fn new(
        file: PathBuf,
        command: &clap::Command,
        arguments: impl Iterator<Item = OsString>,
    ) -> Self {
        let about = about(arguments);
        Self {
            file,
            limits: limits(command, &about.name),
            about,
            recorder: OnceCell::new(),
        }
    }

    /// Records from now on what this machine does.
    pub fn start(&self, machine: &Machine) -> Result<(), Failure> {
        let (about, limits) = (self.about.clone(), self.limits.clone());
        let recorder = Recorder::start(machine, about, limits, None)?;
        recorder.on_failure(|failure| {
            let _ = writeln!(
                io::stderr(),
                "fragstream: {failure}; the run goes on without it"
            );
        });
        self.recorder.get_or_init(|| recorder);
        Ok(())
    }

    /// Ends recording, and writes the page.
    pub fn write(self, out: &mut impl Write) -> Result<(), Failure> {
        let Some(recorder) = self.recorder.into_inner() else {
            let name = self.about.name;
            let what = format!("no film of {name}: it draws nothing that can be recorded");
            return Err(Failure::in_file(&self.file, what));
        };
        let is_full = recorder.is_full();
        let films = [recorder.finish()?];
        let page = page(&titles(&films), &films, "", &self.limits)?;
        write_page(&self.file, &page, out)?;
        if is_full {
            let (file, passes) = (self.file.display(), self.limits.passes);
            writeln!(
                out,
                "{file}: it ends after {passes} passes, all that a film holds"
            )?;
        }
        Ok(())
    }
}

/// Writes a page, and says how large it is.
pub fn write_page(file: &Path, page: &Page<'_>, out: &mut impl Write) -> Result<(), Failure> {
    write_atomically(file, |out| page.write(out))?;
    let size = page.bytes().div_ceil(1000);
    Ok(writeln!(out, "{}: {size} kB", file.display())?)
}

/// What a film of a command says of itself: its arguments, files without their folders.
fn about(arguments: impl Iterator<Item = OsString>) -> About {
    let words: Vec<String> = arguments
        .skip(1)
        .map(|word| without_folders(&word))
        .collect();
    let command = format!("fragstream {}", words.join(" "));
    let name = words.iter().find(|word| !word.starts_with('-'));
    About {
        name: name.map_or("reproduce", String::as_str).to_owned(),
        title: command.clone(),
        command,
        ..About::default()
    }
}

fn without_folders(word: &OsString) -> String {
    let word = word.to_string_lossy();
    let (option, value) = match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => (format!("{option}="), value),
        _ => (String::new(), &*word),
    };
    let name = Path::new(value)
        .file_name()
        .filter(|_| value.contains(['/', '\\']));
    option + &name.map_or(value.into(), |name| name.to_string_lossy())
}

/// How much a film of a command may hold, with the options that make it less.
fn limits(command: &clap::Command, name: &str) -> Limits {
    const SHORTER: [&str; 5] = ["steps", "cycles", "maxiter", "iterations", "refinements"];
    const SMALLER: [&str; 7] = ["size", "grid", "cells", "level", "levels", "nodes", "width"];
    let has = |option: &str| {
        let command = command.find_subcommand(name);
        command.is_some_and(|command| {
            command
                .get_arguments()
                .any(|a| a.get_long() == Some(option))
        })
    };
    let lower = |options: &[&str], otherwise: String| {
        let options = options.iter().filter(|option| has(option));
        let options: Vec<String> = options.map(|option| format!("--{option}")).collect();
        match options.is_empty() {
            true => otherwise,
            false => format!("lower {}", options.join(" or ")),
        }
    };
    let limits = Limits::default();
    Limits {
        shorter: lower(&SHORTER, limits.shorter),
        smaller: lower(&SMALLER, limits.smaller),
        cut: name == "view",
        // Looking at more, keeping it and packing it well cost much of a long run.
        compared: 256,
        kept: 2,
        packing: Packing::Quick,
        ..limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_names_files_but_no_folders() {
        let words = [
            "/usr/bin/fragstream",
            "solve",
            "/home/me/a.mtx",
            "--out=/tmp/x",
            "--rtol",
            "1e-5",
        ];
        let about = about(words.iter().map(OsString::from));
        assert_eq!(about.command, "fragstream solve a.mtx --out=x --rtol 1e-5");
        assert_eq!(about.name, "solve");
    }
}
