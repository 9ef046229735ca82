//! A command for each scene: a table, pictures, animations, or a window.

use std::io::Write;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Value, json};

use crate::arguments::count;
use crate::experiment::Experiment;
use crate::io::write_mesh;
use crate::picture::Canvas;
use crate::scene::{Drawn, Entry, Output, Ready};
use crate::scenes::SCENES;
use crate::stream::{Machine, Size};

use super::animation::Destination;
use super::experiment::{self, Origin};
use super::failure::Failure;
use super::output::{Folder, Target, file, mesh, note};
use super::session::Session;
#[cfg(feature = "view")]
use super::window::{self, Window};

/// Options of every scene.
#[derive(Args)]
struct Running {
    /// Number of steps; a window stays open unless this is given
    #[arg(long, value_name = "N", value_parser = count(1..=u32::MAX))]
    steps: Option<u32>,

    #[command(flatten)]
    origin: Origin,

    /// Print a link that opens the page figures/course/live.html with these settings, and nothing else
    #[arg(long)]
    link: bool,

    #[command(flatten)]
    destination: Destination,

    /// Width of a picture in pixels [default: 400]
    #[arg(long, value_name = "N", help_heading = "Pictures",
          value_parser = count(16..=4096_u32))]
    width: Option<u32>,

    /// View [default: the first, or the preset's]
    #[arg(long, value_name = "VIEW", help_heading = "Pictures")]
    show: Option<String>,

    #[cfg(feature = "view")]
    #[command(flatten)]
    window: Window,
}

impl Running {
    /// The experiment of a command line.
    fn experiment(
        &self,
        entry: &'static Entry,
        usual: &str,
        matches: &ArgMatches,
    ) -> Result<Experiment, Failure> {
        let mut experiment = self.origin.experiment(entry, usual, matches)?;
        if let Some(steps) = self.steps {
            experiment.set("steps", &steps.to_string())?;
        }
        if let Some(view) = self.show.as_ref().filter(|view| entry.view(view).is_some()) {
            experiment.set("show", view)?;
        }
        Ok(experiment)
    }
}

/// The experiment of a scene's command line.
pub fn experiment(entry: &'static Entry, matches: &ArgMatches) -> Result<Experiment, Failure> {
    let running = Running::from_arg_matches(matches).map_err(Failure::input)?;
    running.experiment(entry, "", matches)
}

/// Files of scenes with a surface.
#[derive(Args)]
struct Surfaces {
    /// Write the last surface as a closed mesh (.ply, .obj, .off, .stl)
    #[arg(long, value_name = "FILE", value_parser = mesh)]
    surface: Option<Target>,

    /// Write surface-0000.ply, … into this folder, one per frame; files of these names are replaced
    #[arg(long, value_name = "DIR")]
    surfaces: Option<Folder>,
}

/// Charts of scenes that have one.
#[derive(Args)]
struct Plot {
    /// Draw the history as a chart
    #[arg(long, value_name = "FILE.png", value_parser = file("png"))]
    plot: Option<Target>,
}

/// Options for files that a window does not write.
const FILES: [&str; 8] = ["gif", "frames", "every", "width", "csv", "surface", "surfaces", "plot"];

/// The grammar of a scene's command.
pub fn grammar(entry: &'static Entry) -> Command {
    let steps = entry.experiment("").map_or(Value::Null, |usual| usual.settings()["steps"].clone());
    let mut command = Running::augment_args(experiment::command(entry))
        .mut_arg("steps", |argument| {
            argument.help(format!(
                "Number of steps [default: {steps}, or the preset's]; a window stays open"
            ))
        })
        .mut_arg("every", |argument| argument.default_value(entry.every.to_string()))
        .mut_arg("show", |argument| argument.value_parser(entry.views.to_vec()));
    command = experiment::with_presets(command, entry, entry.interactive.preset);
    for output in entry.outputs {
        command = match output {
            Output::Surface => Surfaces::augment_args(command),
            Output::Plot => Plot::augment_args(command),
        };
    }
    // What was flattened in has an `about` of its own.
    let about = format!("{}\n\n{}", entry.about, entry.details);
    command.aliases(entry.alias).about(entry.about).long_about(about)
}

/// The grammar of `view`.
#[cfg(feature = "view")]
pub fn view() -> Command {
    let hidden = |argument: Arg| {
        let is_file = FILES.contains(&argument.get_id().as_str());
        let is_hidden = is_file || argument.is_hide_set();
        argument.hide(is_hidden)
    };
    Command::new("view")
        .about("Open a window with a scene that the mouse pushes: the same as NAME --window")
        .subcommand_required(true)
        .subcommands(SCENES.iter().map(|entry| {
            let views: Vec<&str> = entry.views.iter().copied().chain(["texture"]).collect();
            let scene = grammar(entry).mut_args(hidden).after_help(window::keys());
            let scene = scene.mut_arg("show", |argument| argument.value_parser(views));
            scene.about(window::about(entry))
        }))
}

/// Runs a scene.
pub fn run(
    entry: &'static Entry,
    matches: &ArgMatches,
    in_window: bool,
    session: &mut Session,
) -> Result<(), Failure> {
    let running = Running::from_arg_matches(matches).map_err(Failure::input)?;
    #[cfg(feature = "view")]
    let in_window = in_window || running.window.is_wanted();
    let usual = if in_window { entry.interactive.preset } else { "" };
    if running.origin.is_schema(entry, session)? {
        return Ok(());
    }
    let experiment = running.experiment(entry, usual, matches)?;
    let mut described = experiment.described();
    let link = format!("live.html#{}", experiment.link());
    if running.link {
        return session.print_as(&json!({ "link": link }), |out| writeln!(out, "{link}"));
    }
    described["link"] = link.into();
    session.begin(described, experiment.headline());
    let mut ready = entry.of_experiment(&experiment)?;
    if running.show.as_ref().is_some_and(|view| entry.view(view).is_none()) {
        // After the views comes the texture.
        ready.view = entry.views.len();
    }
    ready.settings.check()?;
    for (setting, value) in ready.settings.resolved()? {
        session.resolved(&setting, value);
    }
    #[cfg(feature = "view")]
    if in_window {
        let is_given = |id: &&str| {
            let source = matches.try_contains_id(id).ok().and_then(|_| matches.value_source(id));
            source == Some(ValueSource::CommandLine)
        };
        if let Some(file) = FILES.iter().find(|id| is_given(id)) {
            let what =
                format_args!("--{file} does not apply to a window. Leave it or the window out");
            return Err(Failure::input(what));
        }
        let png = running.destination.png();
        return running.window.open(entry, &ready, (running.steps, png), session);
    }
    draw(entry, &running, &ready, matches, session)
}

/// Steps a scene, and writes its files.
fn draw(
    entry: &Entry,
    running: &Running,
    ready: &Ready,
    matches: &ArgMatches,
    session: &mut Session,
) -> Result<(), Failure> {
    let machine = session.machine_for(ready.settings.texels())?;
    let Running { destination, width, .. } = running;
    let drawn = if destination.is_wanted() { Drawn::View(ready.view) } else { Drawn::Nothing };
    let mut scene = ready.settings.start(&machine, drawn)?;
    scene.notes().into_iter().for_each(note);
    let shape = scene.shape(ready.view);
    let canvas = canvas(&machine, width.unwrap_or(scene.width()), shape)?;
    let surfaces = match entry.outputs.contains(&Output::Surface) {
        true => Some(Surfaces::from_arg_matches(matches).map_err(Failure::input)?),
        false => None,
    };
    let folder = surfaces.as_ref().and_then(|files| files.surfaces.as_ref());
    let film = destination.film(&mut *scene, ready, folder, (&machine, &canvas), session);
    film?;
    if let Some(file) = surfaces.as_ref().and_then(|files| files.surface.as_ref())
        && let Some(surface) = scene.surface()
    {
        file.write(|path| write_mesh(path, &surface))?;
    }
    if entry.outputs.contains(&Output::Plot)
        && let Plot { plot: Some(file) } =
            Plot::from_arg_matches(matches).map_err(Failure::input)?
        && let Some(chart) = scene.chart()
    {
        let png = chart.png().map_err(|error| Failure::in_file(file.path(), error))?;
        file.bytes(&png)?;
    }
    Ok(())
}

/// A canvas of this width for pictures of this shape.
fn canvas(machine: &Machine, width: u32, shape: Size) -> Result<Canvas, Failure> {
    let height = u64::from(width) * u64::from(shape.1) / u64::from(shape.0.max(1));
    // A driver rejects a picture that is too high.
    let height = u32::try_from(height.max(1)).unwrap_or(u32::MAX / 4);
    Ok(Canvas::new(machine, width, height)?)
}
