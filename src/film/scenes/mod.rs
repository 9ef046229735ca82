//! The scenes that `fragstream film` records: each has from a few to some hundred passes over small streams, in named parts.

#[cfg(not(target_family = "wasm"))]
mod batty2003;
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "not in the course"))]
mod bolz2003;
#[cfg(not(target_family = "wasm"))]
mod geveler2011;
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "not in the course"))]
mod goodnight2003;
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "not in the course"))]
mod kruger2003;
mod lessons;
mod narrated;
mod own;
mod stream;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::base::nearest::suggestion;
use crate::scene::{Drawn, Entry};
use crate::scenes::SCENES;
use crate::stream::{Kernel, Machine, StandIn};

use super::container::Film;
use super::error::{FilmError, PAGE_BYTES};
use super::recorder::{About, Recorder};

pub use own::film_of_program;

/// A run worth filming.
#[derive(Clone, Copy)]
pub struct Scene {
    /// Name, for `fragstream film NAME`.
    pub name: &'static str,
    /// Title of its film.
    pub title: &'static str,
    /// The paper's name, or an empty string.
    pub paper: &'static str,
    /// The paper's section, or an empty string.
    pub section: &'static str,
    /// Index of the part that is shown first; those before it are preparations.
    pub opens: usize,
    run: Run,
}

/// The run of a scene.
#[derive(Clone, Copy)]
enum Run {
    /// On data of one size.
    Fixed(fn(&Machine) -> Result<(), BoxedError>),
    /// On a square grid: nodes or cells per side by default.
    Grid(u32, fn(&Machine, u32) -> Result<(), BoxedError>),
    /// The steps of a scene that others run too.
    Entry(&'static Entry),
}

/// All scenes: those that others run too, and small ones of methods.
pub fn all() -> impl Iterator<Item = Scene> {
    SCENES.iter().map(|entry| Scene::of(entry)).chain(COURSE.iter().chain(OTHERS).copied())
}

/// The scenes of the course, which its page runs again.
static COURSE: &[Scene] = &[
    stream::KERNEL,
    kruger2003::GATHER,
    lessons::BRANCH,
    stream::REDUCTION,
    bolz2003::SPMV,
    bolz2003::CG,
    stream::PACKING,
    lessons::JACOBI,
    lessons::TWO_GRIDS,
    bolz2003::VCYCLE,
    goodnight2003::ONE_SURFACE,
    goodnight2003::SWITCHES,
];
#[cfg(target_family = "wasm")]
static OTHERS: &[Scene] = &[];
#[cfg(not(target_family = "wasm"))]
static OTHERS: &[Scene] = &[
    bolz2003::LAYERING,
    goodnight2003::RED_BLACK,
    kruger2003::GAUSS_SEIDEL,
    kruger2003::LU,
    batty2003::LIQUID_PRODUCT,
    geveler2011::FEM,
];

/// Finds the scene of this name.
///
/// # Errors
/// [`FilmError::Unknown`], with the nearest name.
pub fn find(name: &str) -> Result<Scene, FilmError> {
    all().find(|scene| scene.name == name).ok_or_else(|| {
        let names: Vec<&str> = all().map(|scene| scene.name).collect();
        FilmError::Unknown {
            name: name.into(),
            near: suggestion(name, &names),
            all: names.join(", "),
        }
    })
}

impl Scene {
    fn of(entry: &'static Entry) -> Self {
        Self {
            name: entry.name,
            title: entry.film.title,
            paper: entry.paper,
            section: entry.section,
            opens: !entry.film.start.is_empty() as usize,
            run: Run::Entry(entry),
        }
    }

    /// Nodes or cells per side, if there is a choice.
    fn side(&self) -> Option<u32> {
        match self.run {
            Run::Fixed(_) => None,
            Run::Grid(side, _) => Some(side),
            Run::Entry(entry) => entry.film.side,
        }
    }

    /// Runs the scene on a machine and records the run.
    pub fn film(&self, machine: &Machine) -> Result<Film, FilmError> {
        self.film_on(machine, None)
    }

    /// Films the scene on a grid with this number of nodes or cells per side.
    ///
    /// # Errors
    /// [`FilmError::Run`] if the run fails, or if the scene has data of one size.
    pub fn film_on(&self, machine: &Machine, grid: Option<u32>) -> Result<Film, FilmError> {
        let (recorder, run) = self.recorded(machine, grid)?;
        run.map_err(|error| self.failed(&error))?;
        recorder.finish()
    }

    /// As [`Self::film_on`], with other texts of some programs, by their names: what follows the prelude. The CPU
    /// decides again, from the numbers that these programs compute. A run that fails ends the film with the reason.
    ///
    /// # Errors
    /// [`FilmError::Run`] for a text that breaks a rule, or a run that fails before its first pass.
    pub fn film_edited(
        &self,
        machine: &Machine,
        grid: Option<u32>,
        edits: BTreeMap<String, String>,
    ) -> Result<Film, FilmError> {
        let (own, made) = (machine.clone(), RefCell::new(BTreeMap::new()));
        let stand_in: StandIn = Rc::new(move |kernel: &Kernel| {
            let Some(text) = edits.get(kernel.name()) else { return Ok(None) };
            let known = made.borrow().get(kernel.text()).cloned();
            let edited = known.map_or_else(|| own.edited(kernel.text(), text), Ok)?;
            made.borrow_mut().insert(Rc::clone(kernel.text()), Rc::clone(&edited));
            Ok(Some(edited))
        });
        let (recorder, run) = machine.standing_in(&stand_in, || self.recorded(machine, grid))?;
        if let Err(error) = &run {
            machine.scene(&format!("The run ends here: {error}"));
        }
        let film = recorder.finish();
        film.map_err(|empty| run.map_or_else(|error| self.failed(&error), |()| empty))
    }

    fn failed(&self, error: &dyn Display) -> FilmError {
        FilmError::Run(format!("{}: {error}", self.name))
    }

    /// Runs the scene, observed by a recorder.
    fn recorded(
        &self,
        machine: &Machine,
        grid: Option<u32>,
    ) -> Result<(Recorder, Result<(), BoxedError>), FilmError> {
        if let (None, Some(_)) = (self.side(), grid) {
            return Err(self.failed(&"the size of this scene is fixed. Leave out the grid."));
        }
        let option = grid.map_or(String::new(), |grid| format!(" --grid {grid}"));
        let about = About {
            name: self.name.into(),
            title: self.title.into(),
            paper: self.paper.into(),
            section: self.section.into(),
            opens: self.opens,
            command: format!("fragstream film {}{option}", self.name),
        };
        // A film has all that it costs, also after another one on the same machine.
        machine.forget();
        let recorder = Recorder::start(machine, about, PAGE_BYTES, |_| ())?;
        let run = match self.run {
            Run::Fixed(run) => run(machine),
            Run::Grid(default, run) => run(machine, grid.unwrap_or(default)),
            Run::Entry(entry) => step(entry, machine, grid),
        };
        Ok((recorder, run))
    }
}

/// Starts a scene, and performs its steps.
fn step(entry: &Entry, machine: &Machine, side: Option<u32>) -> Result<(), BoxedError> {
    let film = &entry.film;
    if !film.start.is_empty() {
        machine.scene(film.start);
    }
    let mut ready = entry.ready(film.preset)?;
    if let Some(side) = side {
        ready.settings.resize(side);
    }
    ready.settings.check()?;
    let mut scene = ready.settings.start(machine, Drawn::View(ready.view))?;
    for step in 1..=ready.steps {
        let part = scene.next_in_words();
        let words = if part.is_empty() { film.step } else { &part };
        let colon = if words.is_empty() { "" } else { ": " };
        machine.scene(&format!("Step {step}{colon}{words}"));
        scene.step(false)?;
    }
    if film.reads
        && let Some((_, stream)) = scene.streams().first()
    {
        stream.read()?;
    }
    Ok(())
}
