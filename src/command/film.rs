//! `fragstream film`: scenes as pages that replay them.

use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::film::scenes::{SCENES, Scene, find};
use crate::film::{Film, FilmError, Limits, course, page, titles};

use super::failure::Failure;
use super::output::{Target, html};
use super::session::{Progress, Session};

/// Record scenes of the papers as a page in which any browser replays them, pass by pass.
///
/// Without a name: the list of scenes. The page needs neither a network nor an OpenGL driver; it
/// computes everything again, and compares the results.
#[derive(Args)]
pub struct Arguments {
    /// Scene to record; two names: side by side, in step
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Write the page to this file [default: NAME.html]
    #[arg(long, value_name = "FILE.html", value_parser = html)]
    out: Option<Target>,

    /// Record the course: eight films in teaching order, each with a text and a question
    #[arg(long, conflicts_with = "names", requires = "out")]
    course: bool,
}

/// Records what was asked for.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.names.is_empty() && !arguments.course {
        return list(session);
    }
    let names: Vec<&str> = if arguments.course {
        course::SCENES.to_vec()
    } else {
        arguments.names.iter().map(String::as_str).collect()
    };
    if names.len() > 2 && !arguments.course {
        return Err(Failure::input(format_args!(
            "{} scenes are named, and a page shows one or two side by side. \
             Name at most two, or record the course with --course.",
            names.len()
        )));
    }
    let scenes: Vec<&Scene> = names.iter().copied().map(find).collect::<Result<_, _>>()?;
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => html(&format!("{}.html", names.join("-"))).map_err(Failure::input)?,
    };
    // Scenes are small.
    let machine = session.machine_for(0)?;
    let progress = Progress::of("");
    let films = scenes.iter().map(|scene| {
        progress.say(|| format!("recording {}", scene.name));
        scene.film(&machine)
    });
    let films: Vec<Film> = films.collect::<Result<_, FilmError>>()?;
    drop(progress);
    let (title, lessons) = if arguments.course {
        (course::TITLE.to_owned(), course::LESSONS)
    } else {
        (titles(&films), "")
    };
    let page = page(&title, &films, lessons, Limits::default())?;
    out.bytes(page.as_bytes())
}

/// Lists the scenes, with the papers.
fn list(session: &mut Session) -> Result<(), Failure> {
    let described = SCENES.iter().map(|scene| {
        json!({"name": scene.name, "title": scene.title, "paper": scene.paper, "section": scene.section})
    });
    session.print_as(&described.collect::<Vec<_>>(), |out| {
        for scene in SCENES {
            let Scene { name, title, .. } = scene;
            writeln!(out, "{name:16}{title} ({}, {})", scene.paper, scene.section)?;
        }
        writeln!(out, "\nfragstream film NAME")
    })
}
