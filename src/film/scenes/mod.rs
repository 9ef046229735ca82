//! The films that are worth showing: each a few passes over small streams, in named scenes.

mod batty2003;
mod bolz2003;
mod geveler2011;
mod goodnight2003;
mod kruger2003;
mod narrated;
mod stream;

use crate::claim::BoxedError;
use crate::nearest::meant;
use crate::stream::Machine;

use super::container::Film;
use super::error::{FilmError, Limits};
use super::recorder::{About, Recorder};

/// What a film shows.
pub struct Scene {
    /// Its name.
    pub name: &'static str,
    /// What is to be seen.
    pub title: &'static str,
    /// The paper's name, or nothing.
    pub paper: &'static str,
    /// Its section, or nothing.
    pub section: &'static str,
    /// The scene that is shown first, counted from zero: those before it prepare.
    pub opens: usize,
    run: fn(&Machine) -> Result<(), BoxedError>,
}

/// All of them.
pub const SCENES: &[Scene] = &[
    stream::KERNEL,
    kruger2003::GATHER,
    stream::REDUCTION,
    bolz2003::SPMV,
    stream::PACKING,
    bolz2003::CG,
    bolz2003::LAYERING,
    bolz2003::VCYCLE,
    goodnight2003::ONE_SURFACE,
    goodnight2003::SWITCHES,
    goodnight2003::RED_BLACK,
    goodnight2003::WING,
    kruger2003::GAUSS_SEIDEL,
    kruger2003::LU,
    kruger2003::WATER,
    batty2003::LIQUID_PRODUCT,
    geveler2011::FEM,
];

/// The film of this name.
///
/// # Errors
/// [`FilmError::Unknown`], with the nearest name.
pub fn find(name: &str) -> Result<&'static Scene, FilmError> {
    let found = SCENES.iter().find(|scene| scene.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
        FilmError::Unknown {
            name: name.into(),
            near: meant(name, &names),
            all: names.join(", "),
        }
    })
}

impl Scene {
    /// Runs it on a machine, and records that.
    ///
    /// # Errors
    /// [`FilmError::Run`] when the run fails.
    pub fn film(&self, machine: &Machine) -> Result<Film, FilmError> {
        let about = About {
            name: self.name.into(),
            title: self.title.into(),
            paper: self.paper.into(),
            section: self.section.into(),
            opens: self.opens,
            command: format!("fragstream film {}", self.name),
        };
        // A film has all that it costs, also after another one on the same machine.
        machine.forget();
        let recorder = Recorder::start(machine, about, Limits::default(), |_| ())?;
        let run = (self.run)(machine);
        run.map_err(|error| FilmError::Run(format!("{}: {error}", self.name)))?;
        recorder.finish()
    }
}
