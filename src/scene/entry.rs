//! Descriptions of scenes, which hide the types of their settings.

use serde::Serialize;
use serde_json::{Value, json};

use super::{BoxedError, Done, Drawn, Fields, Scene, Setting};
use crate::base::nearest::suggestion;
use crate::experiment::{Experiment, Place, Record, Subject};
use crate::picture::{Canvas, png};
use crate::settings::Declared;
use crate::settings::{Field, Flat, fields, flat, typed};
use crate::stream::Machine;

/// Settings of a scene: all that it takes to start it.
pub trait Settings: 'static {
    /// Checks the settings, and that memory holds the scene.
    fn check(&self) -> Done;

    /// Texels of four channels that a usual pass writes.
    fn texels(&self) -> usize;

    /// Takes a grid with this number of cells per side.
    fn resize(&mut self, side: u32);

    /// The settings with those that were left open as they are used.
    fn resolved(&self) -> Result<Flat, BoxedError> {
        Ok(Flat::new())
    }

    /// Starts the scene.
    fn start(&self, machine: &Machine, drawn: Drawn) -> Result<Box<dyn Scene>, BoxedError>;

    /// Settings with a name; the first are those of a command line without a name.
    fn presets() -> Vec<Preset<Self>>
    where
        Self: Sized;

    /// These settings on a grid with this number of cells per side.
    fn on(mut self, side: u32) -> Self
    where
        Self: Sized,
    {
        self.resize(side);
        self
    }

    /// The preset of this name.
    fn preset(name: &str) -> Result<Preset<Self>, Setting>
    where
        Self: Sized,
    {
        let mut all = Self::presets();
        if name.is_empty() && !all.is_empty() {
            return Ok(all.swap_remove(0));
        }
        let names: Vec<&str> = all.iter().map(|preset| preset.name).collect();
        let near = suggestion(name, &names);
        let remedy = format!("{near}choose one of {}", names.join(", "));
        let unknown = Setting { what: "the preset", got: name.to_owned(), remedy };
        all.into_iter().find(|preset| preset.name == name).ok_or(unknown)
    }
}

/// Settings with a name: a figure of the paper, a variant, a lesson.
#[derive(Debug, Clone)]
pub struct Preset<S> {
    /// Name, for `--preset NAME`.
    pub name: &'static str,
    /// Description in a few words.
    pub about: &'static str,
    /// Settings.
    pub settings: S,
    /// Number of steps.
    pub steps: u32,
    /// View that is shown first.
    pub view: usize,
}

impl<S> Preset<S> {
    /// A preset that shows the first view.
    pub const fn new(name: &'static str, about: &'static str, steps: u32, settings: S) -> Self {
        Self { name, about, settings, steps, view: 0 }
    }

    /// This preset with another view.
    pub fn seen(self, view: usize) -> Self {
        Self { view, ..self }
    }
}

/// Description of a scene.
pub struct Entry {
    /// Name, the same everywhere.
    pub name: &'static str,
    /// Former name of its command.
    pub alias: Option<&'static str>,
    /// The paper's name.
    pub paper: &'static str,
    /// The paper's section.
    pub section: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// More about it, for the help of its command.
    pub details: &'static str,
    /// Names of its views.
    pub views: &'static [&'static str],
    /// Number of steps per frame of an animation.
    pub every: u32,
    /// Further files.
    pub outputs: &'static [Output],
    /// Behaviour in windows and pages.
    pub interactive: Interactive,
    /// Its film.
    pub film: Filmed,
    /// Its settings.
    pub settings: Typed,
}

/// A further file of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// [`Scene::surface`]
    Surface,
    /// `Scene::chart`
    Plot,
}

/// A scene in a window and in a page.
pub struct Interactive {
    /// Preset with which it starts; an empty string for the first one.
    pub preset: &'static str,
    /// Automatic motion, or an empty string.
    pub motion: &'static str,
    /// Effect of the second button, or an empty string.
    pub second: &'static str,
    /// Unit of work.
    pub unit: &'static str,
    /// Unit of its solver's effort: iterations or cycles.
    pub counted: &'static str,
    /// Samples along a side of a pixel with which a software renderer on two cores draws 20 pictures of 800x600
    /// pixels per second; other renderers use one.
    pub detail: f32,
    /// Cells per side in the plane for one cell per side of its grid.
    pub coarser: u32,
    /// A first change of a program.
    pub exercise: Option<Exercise>,
}

/// A change of a program that shows its purpose.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Exercise {
    /// Beginning of the program's name.
    pub program: &'static str,
    /// A part of its text.
    pub replace: &'static str,
    /// The text that takes its place.
    pub with: &'static str,
    /// Effect of the change, or a question. Code is between backquotes.
    pub effect: &'static str,
}

/// A scene as a film.
pub struct Filmed {
    /// Preset that is recorded.
    pub preset: &'static str,
    /// Title of the film.
    pub title: &'static str,
    /// Title of the passes before the first step, or an empty string.
    pub start: &'static str,
    /// Title of a step, after its number.
    pub step: &'static str,
    /// True if the CPU reads the first texture back at the end.
    pub reads: bool,
    /// Cells per side, if there is a choice.
    pub side: Option<u32>,
}

impl Entry {
    /// The scene with the settings of a preset; without a name, of the first one.
    pub fn ready(&self, preset: &str) -> Result<Ready, Setting> {
        (self.settings.ready)(preset)
    }

    /// Names and descriptions of its presets.
    pub fn presets(&self) -> Vec<[&'static str; 2]> {
        (self.settings.presets)()
    }

    /// The number of a view.
    pub fn view(&self, name: &str) -> Option<usize> {
        self.views.iter().position(|view| *view == name)
    }

    /// Its settings, with the number of steps and the view.
    pub fn fields(&self) -> Vec<Field> {
        let steps = json!({
            "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": "Number of steps",
            "of_command": true,
        });
        let show = json!({ "enum": self.views, "description": "View", "of_command": true });
        let mut fields = (self.settings.fields)();
        fields.extend([Field::new("steps", steps), Field::new("show", show)]);
        fields
    }

    /// The experiment of a preset; without a name, of the first one.
    pub fn experiment(&'static self, preset: &str) -> Result<Experiment, Setting> {
        let Preset { name, mut settings, steps, view, .. } = (self.settings.preset)(preset)?;
        settings.insert("steps".to_owned(), steps.into());
        settings.insert("show".to_owned(), self.views[view].into());
        Ok(Experiment::new(self, name, settings))
    }

    /// The scene with the settings of an experiment.
    pub fn of_experiment(&self, experiment: &Experiment) -> Result<Ready, BoxedError> {
        let mut settings = experiment.settings().clone();
        let steps = settings.remove("steps").and_then(|steps| steps.as_u64());
        let view = settings.remove("show").and_then(|show| self.view(show.as_str()?));
        Ok(Ready {
            settings: (self.settings.typed)(&settings)?,
            steps: steps.unwrap_or(1) as u32,
            view: view.unwrap_or(0),
        })
    }

    /// The experiment with its grid resized to this number of cells per side.
    pub fn resized(&self, experiment: &mut Experiment, side: u32) -> Result<(), BoxedError> {
        let mut settings = experiment.settings().clone();
        settings.retain(|name, _| !matches!(&**name, "steps" | "show"));
        Ok(experiment.take(&(self.settings.resized)(&settings, side)?)?)
    }

    /// Description for a page.
    pub fn described(&'static self) -> Value {
        let Interactive { preset, motion, second, unit, counted, exercise, .. } = self.interactive;
        let presets = self.presets().into_iter().map(|[name, about]| {
            let lacking = self.experiment(name).ok().and_then(|one| one.check_on(None).err());
            json!({ "name": name, "about": about, "lacking": lacking })
        });
        json!({
            "name": self.name, "paper": self.paper, "section": self.section, "about": self.about,
            "views": self.views, "presets": presets.collect::<Vec<_>>(), "motion": motion, "second": second,
            "unit": unit, "counted": counted, "preset": preset, "exercise": exercise,
            "fields": self.fields().iter().map(Field::described).collect::<Vec<_>>(),
        })
    }
}

impl Subject for Entry {
    fn command(&self) -> &'static str {
        self.name
    }

    fn fields(&self) -> Vec<Field> {
        self.fields()
    }

    fn presets(&self) -> Vec<[&'static str; 2]> {
        self.presets()
    }

    fn usual(&self) -> &'static str {
        self.presets().first().map_or("", |[name, _]| name)
    }

    fn experiment(&'static self, preset: &str) -> Result<Experiment, BoxedError> {
        Ok(self.experiment(preset)?)
    }

    fn check(&self, experiment: &Experiment) -> Done {
        self.of_experiment(experiment)?.settings.check()
    }

    /// All steps. The record has a number per step for each column of the history, or of the table; the summary; the
    /// work of the steps; and a picture of the last state.
    fn run(&self, experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
        let (ready, mut record) = (self.of_experiment(experiment)?, Record::new());
        let mut scene = ready.settings.start(place.machine, Drawn::View(ready.view))?;
        place.machine.take_ledger();
        let mut rows: Vec<Fields> = scene.row()?.into_iter().collect();
        let (mut iterations, mut residuals) = (Vec::new(), Vec::new());
        for _ in 0..ready.steps {
            scene.step(true)?;
            let effort = scene.effort();
            iterations.push(effort.iterations as f64);
            residuals.push(effort.residual);
            rows.extend(scene.row()?);
        }
        let ledger = place.machine.take_ledger();
        record.columns(&scene.history());
        for (column, (name, _)) in rows.first().into_iter().flatten().enumerate() {
            if record.all(name).is_err() {
                record.each(*name, rows.iter().map(|row| row[column].1));
            }
        }
        if record.all("iterations").is_err() {
            record.each("iterations", iterations);
            record.each("residuals", residuals);
        }
        for (name, number) in scene.summary().into_iter().chain(scene.counts(&ledger)) {
            record.one(name, number);
        }
        record.one("steps", f64::from(ready.steps));
        record.ledger("", &ledger);
        let ((columns, rows), name) = (scene.shape(ready.view), self.views[ready.view]);
        let canvas = Canvas::new(place.machine, 800, 800 * rows / columns.max(1))?;
        scene.draw(ready.view, &canvas)?;
        let caption = format!("{}, {name}, after {} steps.", scene.grid(), ready.steps);
        record.picture(name, caption, png(&canvas.image()?)?);
        Ok(record)
    }
}

/// A type of settings, erased.
pub struct Typed {
    fields: fn() -> Vec<Field>,
    presets: fn() -> Vec<[&'static str; 2]>,
    preset: fn(&str) -> Result<Preset<Flat>, Setting>,
    ready: fn(&str) -> Result<Ready, Setting>,
    typed: fn(&Flat) -> Result<Box<dyn Settings>, String>,
    resized: fn(&Flat, u32) -> Result<Flat, String>,
}

impl Typed {
    /// Erases the type.
    pub const fn of<S: Settings + Declared>() -> Self {
        Self {
            fields: fields::<S>,
            presets: || S::presets().iter().map(|preset| [preset.name, preset.about]).collect(),
            preset: |name| {
                let Preset { name, about, settings, steps, view } = S::preset(name)?;
                Ok(Preset { name, about, settings: flat(&settings), steps, view })
            },
            ready: |name| Ok(S::preset(name)?.ready()),
            typed: |settings| Ok(Box::new(typed::<S>(settings)?)),
            resized: |settings, side| Ok(flat(&typed::<S>(settings)?.on(side))),
        }
    }
}

impl<S: Settings> Preset<S> {
    fn ready(self) -> Ready {
        Ready { settings: Box::new(self.settings), steps: self.steps, view: self.view }
    }
}

/// A scene ready to start.
pub struct Ready {
    /// Its settings.
    pub settings: Box<dyn Settings>,
    /// Number of steps.
    pub steps: u32,
    /// View that is shown first.
    pub view: usize,
}
