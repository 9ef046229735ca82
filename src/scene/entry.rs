//! Descriptions of scenes, which hide the types of their settings.

use serde_json::{Value, json};

use super::{BoxedError, Done, Drawn, Scene, Setting};
#[cfg(not(target_family = "wasm"))]
use crate::experiment::{Experiment, Subject};
use crate::nearest::suggestion;
use crate::settings::Declared;
#[cfg(not(target_family = "wasm"))]
use crate::settings::{Field, Flat, fields, flat, typed};
use crate::stream::Machine;

/// Settings of a scene: all that it takes to start it. Their defaults are the paper's method, on a size for today's
/// patience.
pub trait Settings: 'static {
    /// Checks the settings, and that memory holds the scene.
    ///
    /// # Errors
    /// [`Setting`] with its remedy, or [`Shortage`](crate::memory::Shortage).
    fn check(&self) -> Done;

    /// Texels of four channels that a usual pass writes.
    fn texels(&self) -> usize;

    /// Takes a grid with this number of cells per side.
    fn resize(&mut self, side: u32);

    /// Starts the scene.
    ///
    /// # Errors
    /// A failure of the machine, or settings that [`Settings::check`] rejects.
    fn start(&self, machine: &Machine, drawn: Drawn) -> Result<Box<dyn Scene>, BoxedError>;

    /// Settings with a name.
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
    ///
    /// # Errors
    /// No preset has this name.
    fn preset(name: &str) -> Result<Preset<Self>, Setting>
    where
        Self: Sized,
    {
        let all = Self::presets();
        let names: Vec<&str> = all.iter().map(|preset| preset.name).collect();
        let near = suggestion(name, &names);
        let remedy = match names.join(", ") {
            none if none.is_empty() => "leave it out: there are none".to_owned(),
            names => format!("{near}choose one of {names}"),
        };
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
    /// Number of steps, and of steps per frame of an animation.
    pub steps: [u32; 2],
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
    /// Preset with which it starts, or an empty string.
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
    /// The scene with its default settings, or with those of a preset.
    ///
    /// # Errors
    /// No preset has this name.
    pub fn ready(&self, preset: &str) -> Result<Ready, Setting> {
        (self.settings.ready)(preset, self.steps[0])
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
    #[cfg(not(target_family = "wasm"))]
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

    /// The experiment of a preset, or without a name that of the default settings.
    ///
    /// # Errors
    /// No preset has this name.
    #[cfg(not(target_family = "wasm"))]
    pub fn experiment(&'static self, preset: &str) -> Result<Experiment, Setting> {
        let Preset { name, mut settings, steps, view, .. } =
            (self.settings.preset)(preset, self.steps[0])?;
        settings.insert("steps".to_owned(), steps.into());
        settings.insert("show".to_owned(), self.views[view].into());
        Ok(Experiment::new(self, name, settings))
    }

    /// The scene with the settings of an experiment.
    ///
    /// # Errors
    /// Settings of another scene.
    #[cfg(not(target_family = "wasm"))]
    pub fn of_experiment(&self, experiment: &Experiment) -> Result<Ready, BoxedError> {
        let mut settings = experiment.settings().clone();
        let steps = settings.remove("steps").and_then(|steps| steps.as_u64());
        let view = settings.remove("show").and_then(|show| self.view(show.as_str()?));
        Ok(Ready {
            settings: (self.settings.typed)(&settings)?,
            steps: steps.map_or(self.steps[0], |steps| steps as u32),
            view: view.unwrap_or(0),
        })
    }

    /// Description for a page.
    pub fn described(&self) -> Value {
        let Interactive { preset, motion, second, unit, counted, .. } = self.interactive;
        json!({
            "name": self.name, "paper": self.paper, "section": self.section, "about": self.about,
            "views": self.views, "presets": self.presets(), "motion": motion, "second": second,
            "unit": unit, "counted": counted, "preset": preset,
        })
    }
}

#[cfg(not(target_family = "wasm"))]
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
        ""
    }

    fn experiment(&'static self, preset: &str) -> Result<Experiment, BoxedError> {
        Ok(self.experiment(preset)?)
    }
}

/// A type of settings, erased. A page has no use for schemas yet, which would add 8 % to its size.
pub struct Typed {
    #[cfg(not(target_family = "wasm"))]
    fields: fn() -> Vec<Field>,
    presets: fn() -> Vec<[&'static str; 2]>,
    #[cfg(not(target_family = "wasm"))]
    preset: fn(&str, u32) -> Result<Preset<Flat>, Setting>,
    ready: fn(&str, u32) -> Result<Ready, Setting>,
    #[cfg(not(target_family = "wasm"))]
    typed: fn(&Flat) -> Result<Box<dyn Settings>, String>,
}

impl Typed {
    /// Erases the type.
    pub const fn of<S: Settings + Declared>() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            fields: fields::<S>,
            presets: || S::presets().iter().map(|preset| [preset.name, preset.about]).collect(),
            #[cfg(not(target_family = "wasm"))]
            preset: |name, steps| {
                let Preset { name, about, settings, steps, view } = chosen::<S>(name, steps)?;
                Ok(Preset { name, about, settings: flat(&settings), steps, view })
            },
            ready: |name, steps| Ok(chosen::<S>(name, steps)?.ready()),
            #[cfg(not(target_family = "wasm"))]
            typed: |settings| Ok(Box::new(typed::<S>(settings)?)),
        }
    }
}

/// The preset of this name; without a name the defaults.
fn chosen<S: Settings + Default>(name: &str, steps: u32) -> Result<Preset<S>, Setting> {
    match name {
        "" => Ok(Preset::new("", "", steps, S::default())),
        name => S::preset(name),
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
