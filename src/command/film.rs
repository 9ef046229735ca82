//! `fragstream film`: scenes as pages that replay them.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::film::scenes::{SCENES, Scene, find};
use crate::film::{Film, FilmError, Limits, course, page, titles};

use super::failure::Failure;
use super::files::check_file;
use super::session::Session;
use super::session::filming::write_page;

/// Record scenes of the papers as a page in which any browser replays them, pass by pass.
///
/// Without a name: the list of scenes. The page needs neither a network nor an OpenGL driver; it
/// computes everything again, and compares the results.
#[derive(Args)]
pub struct Arguments {
    /// Scene to record; two names: side by side, in step
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Write the page to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Record eight films in the order in which the ideas came, with a text and a question each
    #[arg(long, conflicts_with = "names", requires = "out")]
    course: bool,
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
    if names.len() > 2 && !arguments.course {
        return Err(Failure::input(format_args!(
            "{} scenes are named, and a page shows one or two side by side. \
             Name at most two, or record the course with --course.",
            names.len()
        )));
    }
    let scenes: Vec<&Scene> = names.into_iter().map(find).collect::<Result<_, _>>()?;
    let Some(out) = &arguments.out else {
        return Err(Failure::input(
            "the page has no name. Give one with --out, such as --out film.html.",
        ));
    };
    check_file(out)?;
    // Scenes are small.
    let machine = session.machine_for(0)?;
    let films = scenes.into_iter().map(|scene| scene.film(&machine));
    let films: Vec<Film> = films.collect::<Result<_, FilmError>>()?;
    let (title, lessons) = match arguments.course {
        true => (course::TITLE.to_owned(), course::LESSONS),
        false => (titles(&films), ""),
    };
    let page = page(&title, &films, lessons, Limits::default())?;
    write_page(out, &page, &mut session.out)
}

/// Lists the scenes, with the papers.
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
