//! Studies: what a claim measures or times, and no command does.
//!
//! The settings of a study are exactly those that it reads. A setting of a command that has no effect on the claim is none
//! of its study, and a user who gives it is told what there is.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::settings::{Declared, Field, Flat, fields, flat};
use crate::stream::Machine;
use crate::timing::cost::ledger;
use crate::timing::rig::Work;

use super::{Experiment, Record, Subject};

/// The machine that draws, and inputs that several runs share.
#[derive(Clone, Copy)]
pub struct Place<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// Inputs that are made once.
    pub kept: &'m Kept,
}

/// Inputs that are made once, by name.
#[derive(Default)]
pub struct Kept(RefCell<HashMap<String, Rc<dyn Any>>>);

impl Kept {
    /// The input of this name, made at the first request.
    ///
    /// # Errors
    /// Those of making it.
    pub fn once<T: 'static, E>(
        &self,
        name: String,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Rc<T>, E> {
        let known = self.0.borrow().get(&name).cloned();
        if let Some(known) = known.and_then(|known| known.downcast().ok()) {
            return Ok(known);
        }
        let made = Rc::new(make()?);
        self.0.borrow_mut().insert(name, Rc::clone(&made) as _);
        Ok(made)
    }
}

/// Name, unit and meaning of a quantity. The unit of a pure number is empty.
pub type Declaration = (&'static str, &'static str, &'static str);

/// The settings that a study takes.
#[derive(Clone, Copy)]
pub struct Takes {
    fields: Fields,
    without: &'static [&'static str],
}

#[derive(Clone, Copy)]
enum Fields {
    Own(fn() -> Vec<Field>, fn() -> Flat),
    Of(&'static dyn Subject, &'static str, &'static [&'static str]),
}

impl Takes {
    /// Those of a struct.
    pub const fn all<S: Declared>() -> Self {
        Self { fields: Fields::Own(fields::<S>, || flat(&S::default())), without: &[] }
    }

    /// Leaves out some of the struct's.
    pub const fn without(self, names: &'static [&'static str]) -> Self {
        Self { without: names, ..self }
    }

    /// Some of a scene or a solve, by name. All others stay as in its preset.
    pub const fn of(
        subject: &'static dyn Subject,
        preset: &'static str,
        names: &'static [&'static str],
    ) -> Self {
        Self { fields: Fields::Of(subject, preset, names), without: &[] }
    }
}

/// A study.
pub struct Study {
    name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The quantities of its record besides the settings and the work.
    pub quantities: &'static [Declaration],
    takes: Takes,
    doing: Doing,
}

/// What a study does.
#[derive(Clone, Copy)]
enum Doing {
    Measure(fn(&Experiment, Place<'_>) -> Result<Record, BoxedError>),
    Work(fn(&Experiment, Place<'_>) -> Result<Work<'static>, BoxedError>),
}

impl Study {
    /// A measurement, which gives numbers.
    pub const fn measuring(
        name: &'static str,
        about: &'static str,
        takes: Takes,
        quantities: &'static [Declaration],
        measure: fn(&Experiment, Place<'_>) -> Result<Record, BoxedError>,
    ) -> Self {
        Self { name, about, quantities, takes, doing: Doing::Measure(measure) }
    }

    /// A work, which is timed next to others. Its record has its passes, fetches, ….
    pub const fn timing(
        name: &'static str,
        about: &'static str,
        takes: Takes,
        work: fn(&Experiment, Place<'_>) -> Result<Work<'static>, BoxedError>,
    ) -> Self {
        Self { name, about, quantities: &[], takes, doing: Doing::Work(work) }
    }
}

impl Subject for Study {
    fn command(&self) -> &'static str {
        self.name
    }

    fn fields(&self) -> Vec<Field> {
        let Takes { fields, without } = self.takes;
        let (mut all, names) = match fields {
            Fields::Own(fields, _) => (fields(), None),
            Fields::Of(subject, _, names) => (subject.fields(), Some(names)),
        };
        let is_taken = |name: &str| names.is_none_or(|names| names.contains(&name));
        all.retain(|field| is_taken(field.name()) && !without.contains(&field.name()));
        all
    }

    fn presets(&self) -> Vec<[&'static str; 2]> {
        match self.takes.fields {
            Fields::Own(..) => Vec::new(),
            Fields::Of(subject, ..) => subject.presets(),
        }
    }

    fn usual(&self) -> &'static str {
        match self.takes.fields {
            Fields::Own(..) => "",
            Fields::Of(_, usual, _) => usual,
        }
    }

    fn experiment(&'static self, preset: &str) -> Result<Experiment, BoxedError> {
        match self.takes.fields {
            Fields::Own(_, usual) if preset.is_empty() => Ok(Experiment::new(self, "", usual())),
            Fields::Own(..) => {
                Err(format!("{} has no presets: leave out --preset {preset}", self.name).into())
            }
            // Of another preset only what the study reads.
            Fields::Of(subject, usual, names) => {
                let wanted = if preset.is_empty() { usual } else { preset };
                let wanted = subject.experiment(wanted)?;
                let mut settings = subject.experiment(usual)?.settings().clone();
                for (name, value) in wanted.settings() {
                    if names.contains(&name.as_str()) {
                        settings.insert(name.clone(), value.clone());
                    }
                }
                Ok(Experiment::new(self, wanted.preset, settings))
            }
        }
    }

    fn run(&self, experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
        match self.doing {
            Doing::Measure(measure) => {
                let record = measure(experiment, place)?;
                let is_there = |(name, ..): &&Declaration| {
                    record.all(name).is_ok() || record.text_of(name).is_some()
                };
                match self.quantities.iter().find(|one| !is_there(one)) {
                    Some((name, ..)) => Err(format!("{}: {name} is missing", self.name).into()),
                    None => Ok(record),
                }
            }
            Doing::Work(work) => {
                let mut record = Record::new();
                let work = &mut work(experiment, place)?;
                record.ledger("", &ledger(place.machine, work)?);
                Ok(record)
            }
        }
    }

    fn work(&self, experiment: &Experiment, place: Place<'_>) -> Result<Work<'static>, BoxedError> {
        match self.doing {
            Doing::Work(work) => work(experiment, place),
            Doing::Measure(_) => Err(format!("{} is no work that is timed", self.name).into()),
        }
    }
}
