//! `fragstream film`: scenes as pages that replay them; and `--film`, which makes one of any command.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use fragstream::film::scenes::{SCENES, Scene, find};
use fragstream::film::{About, Film, FilmError, Limits, course, page};
use fragstream::io::write_atomically;

use super::failure::Failure;
use super::files::check_targets;
use super::session::Session;

/// Record scenes of the papers as a page in which any browser replays them, pass by pass.
///
/// Without a name: what there is. The page needs neither a network nor a driver with OpenGL; it
/// computes everything again, and says whether the same comes out.
#[derive(Args)]
pub struct Arguments {
    /// What to show; two names: side by side, in step
    #[arg(value_name = "NAME", num_args = 0..=2)]
    names: Vec<String>,

    /// Write the page to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Eight films in the order in which the ideas came, with a text and a question each
    #[arg(long, conflicts_with = "names", requires = "out")]
    course: bool,

    /// Write the whole target of every pass, as floats, to this file: for tests
    #[arg(long, value_name = "FILE", hide = true)]
    texels: Option<PathBuf>,
}

/// Records what was asked for.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.names.is_empty() && !arguments.course {
        return list(session);
    }
    let names: Vec<&str> = match arguments.course {
        true => course::SCENES.to_vec(),
        false => arguments.names.iter().map(String::as_str).collect(),
    };
    let scenes: Vec<&Scene> = names.into_iter().map(find).collect::<Result<_, _>>()?;
    let Some(out) = &arguments.out else {
        let what = "where is the page to go? name a file with --out, such as --out film.html";
        return Err(Failure::input(what));
    };
    let texels = arguments.texels.as_deref();
    check_targets(&[("--out", Some(out)), ("--texels", texels)])?;
    let mut texels = texels.map(create).transpose()?;
    let machine = session.machine()?;
    let mut films = Vec::new();
    for scene in scenes {
        let texels = texels.as_mut().map(|file| file.try_clone());
        let texels = texels
            .transpose()?
            .map(|file| Box::new(BufWriter::new(file)) as _);
        films.push(scene.film(&machine, texels)?);
    }
    let (title, lessons) = match arguments.course {
        true => (course::TITLE.to_owned(), course::LESSONS),
        false => (titles(&films), ""),
    };
    let page = page(&title, &films, lessons, &Limits::default())?;
    write(out, &page, session)
}

/// What there is, with the papers.
fn list(session: &mut Session) -> Result<(), Failure> {
    let rows: Vec<(&str, String)> = SCENES
        .iter()
        .map(|scene| {
            let Scene {
                title,
                paper,
                section,
                ..
            } = scene;
            (scene.name, format!("{title} ({paper}, {section})"))
        })
        .collect();
    session.out.rows(16, &rows)?;
    writeln!(session.out, "\nfragstream film NAME --out film.html")?;
    Ok(())
}

fn titles(films: &[Film]) -> String {
    let titles: Vec<&str> = films.iter().map(|film| film.trace.title.as_str()).collect();
    titles.join("; ")
}

fn create(file: &Path) -> Result<File, Failure> {
    File::create(file)
        .map_err(|error| Failure::in_file(file, format_args!("cannot write: {error}")))
}

/// Writes a page, and says how large it is.
pub fn write(file: &Path, page: &str, session: &mut Session) -> Result<(), Failure> {
    write_atomically(file, |out| out.write_all(page.as_bytes()))?;
    let size = page.len().div_ceil(1000);
    Ok(writeln!(session.out, "{}: {size} kB", file.display())?)
}

/// A film that was made of a command, as a page.
pub fn page_of(film: Film, limits: &Limits) -> Result<String, FilmError> {
    let title = titles(std::slice::from_ref(&film));
    page(&title, &[film], "", limits)
}

/// What a film of a command says of itself: its arguments, files without their folders.
pub fn about(arguments: impl Iterator<Item = OsString>) -> About {
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
pub fn limits(command: &clap::Command, name: &str) -> Limits {
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
