//! `fragstream film`: scenes as pages that replay them.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::arguments::count;
use crate::film::pressure::Pressure;
use crate::film::scenes::{Scene, all, film_of_program, find};
use crate::film::{Course, Film, FilmError, PAGE_BYTES, diagrams, films, page, titles};

use crate::io::{read_text, write_atomically};

use super::failure::Failure;
use super::output::{Folder, Target, file, note};
use super::session::{Progress, Session};

/// Record scenes of the papers as a page in which any browser replays them, pass by pass.
///
/// Without a name: the list of scenes. The page needs neither a network nor an OpenGL driver; it
/// computes everything again, and compares the results.
#[derive(Args)]
pub struct Arguments {
    /// Scene to record, or a fragment program of your own (FILE.frag), which runs on its own result; two names: side by
    /// side, in step
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Write the page to this file [default: NAME.html]
    #[arg(long, value_name = "FILE.html", value_parser = file("html"))]
    out: Option<Target>,

    /// Nodes or cells per side, in scenes that have a choice
    #[arg(long, value_name = "N", value_parser = count(1..=u32::MAX), requires = "names")]
    grid: Option<u32>,

    /// Records per side, for a program of your own
    #[arg(long, value_name = "N", value_parser = count(1..=1024u32), default_value_t = 24, requires = "names")]
    size: u32,

    /// Passes, for a program of your own
    #[arg(long, value_name = "N", value_parser = count(1..=10_000u32), default_value_t = 12, requires = "names")]
    steps: u32,

    /// Record the course: films in teaching order, with a text, an exercise and a question each; or one of
    /// your own, from this file
    #[arg(long, value_name = "FILE.toml", num_args = 0..=1, conflicts_with = "names", requires = "out")]
    course: Option<Option<PathBuf>>,

    /// Record a page about one question: a fluid's projection by Jacobi sweeps, conjugate gradients with and without a
    /// preconditioner, V-cycles and red-black multigrid
    #[arg(long, conflicts_with_all = ["names", "course"], requires = "out")]
    pressure: bool,

    /// Draw diagrams for slides into this folder, as SVG, from the course's films
    #[arg(long, value_name = "FOLDER", requires = "course")]
    diagrams: Option<Folder>,
}

impl Arguments {
    /// Tests whether anything is recorded.
    pub fn draws(&self) -> bool {
        self.course.is_some() || self.pressure || !self.names.is_empty()
    }
}

/// Records what was asked for.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    match &arguments.course {
        None if arguments.pressure => record_pressure(arguments, session),
        Some(file) => record_course(file.as_deref(), arguments, session),
        None if arguments.draws() => record_scenes(arguments, session),
        None => list(session),
    }
}

fn record_scenes(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let names = &arguments.names;
    if names.len() > 2 {
        return Err(Failure::input(format_args!(
            "{} scenes are named, and a page shows one or two side by side. \
             Name at most two, or record the course with --course.",
            names.len()
        )));
    }
    let subjects = names.iter().map(|name| match name.strip_suffix(".frag") {
        Some(_) => Ok(Subject::Program(name, read_text(Path::new(name))?, arguments)),
        None => Ok(Subject::Scene(find(name)?, arguments.grid)),
    });
    let subjects = subjects.collect::<Result<Vec<_>, Failure>>()?;
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => {
            let names = names.iter().map(|name| match Path::new(name).file_stem() {
                Some(stem) => stem.to_string_lossy(),
                None => name.into(),
            });
            let stem = names.collect::<Vec<_>>().join("-");
            file("html")(&format!("{stem}.html")).map_err(Failure::input)?
        }
    };
    let films = record(&subjects, session)?;
    let page = page(&titles(&films), &films, "", PAGE_BYTES)?;
    out.bytes(page.as_bytes())?;
    print(&films, Some(&out), session)
}

/// Prints what was recorded with `--json`; otherwise the page is the only result.
fn print(films: &[Film], page: Option<&Target>, session: &mut Session) -> Result<(), Failure> {
    let scenes = films.iter().map(|Film { trace, .. }| {
        json!({"name": trace.name, "title": trace.title, "paper": trace.paper, "section": trace.section})
    });
    let (page, scenes) = (page.map(Target::path), scenes.collect::<Vec<_>>());
    session.print_as(&json!({ "page": page, "scenes": scenes }), |_| Ok(()))
}

fn record_course(
    file: Option<&Path>,
    arguments: &Arguments,
    session: &mut Session,
) -> Result<(), Failure> {
    let course = match file {
        None => Course::of_2003(),
        Some(file) => {
            let text = read_text(file)?;
            Course::parse(&text).map_err(|error| Failure::in_file(file, error))?
        }
    };
    for lacking in course.lacking() {
        note(lacking);
    }
    let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
    let subjects = course.lessons.iter().map(|lesson| match &lesson.film {
        Some(film) => {
            let path = folder.join(film);
            let films =
                films(&read_text(&path)?).map_err(|error| Failure::in_file(&path, error))?;
            let first = films.into_iter().next().expect("a page of films has one");
            Ok(Subject::Film(Box::new(first)))
        }
        None => Ok(Subject::Scene(find(&lesson.scene)?, lesson.grid)),
    });
    let films = record(&subjects.collect::<Result<Vec<_>, Failure>>()?, session)?;
    let lessons = course.html(films.iter().map(|film| &film.trace));
    let lessons = lessons.map_err(|error| match file {
        Some(file) => Failure::in_file(file, error),
        None => error.into(),
    })?;
    let page = page(&course.title, &films, &lessons, PAGE_BYTES)?;
    if let Some(out) = &arguments.out {
        out.bytes(page.as_bytes())?;
    }
    print(&films, arguments.out.as_ref(), session)?;
    let Some(folder) = &arguments.diagrams else {
        return Ok(());
    };
    folder.make()?;
    for (name, svg) in diagrams(&films)? {
        let path = folder.path().join(name).with_extension("svg");
        write_atomically(&path, |out| out.write_all(svg.as_bytes()))?;
    }
    Ok(())
}

fn record_pressure(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let machine = session.machine_for(0)?;
    let progress = Progress::of("");
    let pressure = Pressure::of(&machine, |name| progress.say(|| format!("recording {name}")))?;
    if let Some(out) = &arguments.out {
        out.bytes(pressure.page()?.as_bytes())?;
    }
    let page = arguments.out.as_ref().map(Target::path);
    session.print_as(&json!({ "page": page, "methods": pressure.rows }), |_| Ok(()))
}

/// The subject of a film.
enum Subject<'a> {
    /// A scene, with nodes or cells per side.
    Scene(Scene, Option<u32>),
    /// A program: its file and text.
    Program(&'a str, String, &'a Arguments),
    /// A film that is already there.
    Film(Box<Film>),
}

fn record(subjects: &[Subject<'_>], session: &mut Session) -> Result<Vec<Film>, Failure> {
    // Scenes are small.
    let machine = session.machine_for(0)?;
    let progress = Progress::of("");
    let films = subjects.iter().map(|subject| match subject {
        Subject::Scene(scene, grid) => {
            progress.say(|| format!("recording {}", scene.name));
            scene.film_on(&machine, *grid)
        }
        Subject::Program(path, text, Arguments { size, steps, .. }) => {
            progress.say(|| format!("recording {path}"));
            let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
            film_of_program(&machine, &name, text, *size, *steps)
        }
        Subject::Film(film) => Ok(Film::clone(film)),
    });
    Ok(films.collect::<Result<_, FilmError>>()?)
}

/// Lists the scenes, with the papers.
fn list(session: &mut Session) -> Result<(), Failure> {
    let described = all().map(|scene| {
        json!({"name": scene.name, "title": scene.title, "paper": scene.paper, "section": scene.section})
    });
    session.print(&(), &json!({ "scenes": described.collect::<Vec<_>>() }))
}
