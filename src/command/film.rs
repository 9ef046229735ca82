//! `fragstream film`: scenes as pages that replay them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::film::scenes::{SCENES, Scene, find};
use crate::film::{Limits, course, page, titles};

use super::failure::Failure;
use super::files::check_targets;
use super::session::Session;
use super::session::filming::write_page;

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
    check_targets([Some(out.as_path()), texels])?;
    let mut texels = texels.map(create).transpose()?;
    // Scenes are small.
    let machine = session.machine_for(0)?;
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
    write_page(out, &page, &mut session.out)
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

fn create(file: &Path) -> Result<File, Failure> {
    File::create(file)
        .map_err(|error| Failure::in_file(file, format_args!("cannot write: {error}")))
}
