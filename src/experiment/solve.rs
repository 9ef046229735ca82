//! A solve: a command that solves one problem, without steps in time.

use crate::base::error::BoxedError;
use crate::base::nearest::suggestion;
use crate::settings::{Declared, Field, Flat, Refused, fields, flat};

use super::{Experiment, Place, Record, Subject};

/// Settings of a solve.
pub trait Presets: Declared {
    /// Settings with a name and a description. The first are those of a command line without options.
    fn presets() -> Vec<(&'static str, &'static str, Self)>;
}

/// A solve, with the type of its settings erased.
pub struct Solve {
    command: &'static str,
    fields: fn() -> Vec<Field>,
    presets: fn() -> Vec<(&'static str, &'static str, Flat)>,
    run: fn(&Experiment, Place<'_>) -> Result<Record, BoxedError>,
}

impl Solve {
    /// The solve of this command, and its run.
    pub const fn of<S: Presets>(
        command: &'static str,
        run: fn(&Experiment, Place<'_>) -> Result<Record, BoxedError>,
    ) -> Self {
        let presets = || {
            let all = S::presets().into_iter();
            all.map(|(name, about, settings)| (name, about, flat(&settings))).collect()
        };
        Self { command, fields: fields::<S>, presets, run }
    }
}

impl Subject for Solve {
    fn run(&self, experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
        (self.run)(experiment, place)
    }

    fn command(&self) -> &'static str {
        self.command
    }

    fn fields(&self) -> Vec<Field> {
        (self.fields)()
    }

    fn presets(&self) -> Vec<[&'static str; 2]> {
        (self.presets)().into_iter().map(|(name, about, _)| [name, about]).collect()
    }

    fn usual(&self) -> &'static str {
        (self.presets)().first().map_or("", |(name, ..)| name)
    }

    fn experiment(&'static self, preset: &str) -> Result<Experiment, BoxedError> {
        let all = (self.presets)();
        let names: Vec<&str> = all.iter().map(|(name, ..)| *name).collect();
        let remedy = format!("{}choose one of {}", suggestion(preset, &names), names.join(", "));
        let wanted = if preset.is_empty() { self.usual() } else { preset };
        let found = all.into_iter().find(|(name, ..)| *name == wanted);
        let (name, _, settings) = found.ok_or_else(|| Refused {
            option: "preset".to_owned(),
            got: preset.to_owned(),
            remedy,
        })?;
        Ok(Experiment::new(self, name, settings))
    }
}
