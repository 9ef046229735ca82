//! Studies: measurements and works of claims, without a command of their own.
//!
//! A study has the settings that it reads, and no others. Whoever gives a claim another setting of the command is told
//! which ones there are.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::OnceLock;

use crate::base::error::BoxedError;
use crate::settings::{Declared, Field, Flat, fields, flat};
use crate::stream::Machine;
use crate::timing::cost::ledger;
use crate::timing::rig::Work;

use super::record::work_names;
use super::{Experiment, Record, Subject, swept};

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

/// Name, unit and meaning of a quantity. The unit of a pure number is empty; `{a|b}` in a name stands for several.
pub type Declaration = (&'static str, &'static str, &'static str);

/// The settings that a study takes.
#[derive(Clone, Copy)]
pub struct Takes {
    of: Source,
    /// Names between blanks: those that are taken, and further ones.
    names: [&'static str; 2],
    without: &'static str,
}

/// Where settings come from.
#[derive(Clone, Copy)]
enum Source {
    Own(fn() -> Vec<Field>, fn() -> Flat),
    Of(&'static dyn Subject, &'static str),
}

impl Takes {
    /// Those of a struct.
    pub const fn all<S: Declared>() -> Self {
        let of = Source::Own(fields::<S>, || flat(&S::default()));
        Self { of, names: [""; 2], without: "" }
    }

    /// Some of a struct's, by their names between blanks. All others stay as they are by default.
    pub const fn some<S: Declared>(names: &'static str) -> Self {
        Self { names: [names, ""], ..Self::all::<S>() }
    }

    /// No settings.
    pub const fn nothing() -> Self {
        let of = Source::Own(Vec::new, Flat::new);
        Self { of, names: [""; 2], without: "" }
    }

    /// Leaves out this one of the struct's.
    pub const fn without(self, name: &'static str) -> Self {
        Self { without: name, ..self }
    }

    /// Some of a scene or a solve, by their names between blanks. All others stay as in its preset.
    pub const fn of(
        subject: &'static dyn Subject,
        preset: &'static str,
        names: &'static str,
    ) -> Self {
        Self { of: Source::Of(subject, preset), names: [names, ""], without: "" }
    }

    /// Adds further ones.
    pub const fn and(self, names: &'static str) -> Self {
        Self { names: [self.names[0], names], ..self }
    }

    fn fields(&self) -> Vec<Field> {
        let names = self.names.iter().flat_map(|names| names.split_whitespace());
        let (mut fields, is_all) = match self.of {
            Source::Own(fields, _) => (fields(), self.names[0].is_empty()),
            Source::Of(subject, _) => (subject.fields(), false),
        };
        let known = |name| fields.iter().any(|field| field.name() == name);
        debug_assert!(names.clone().all(known), "{:?}", self.names);
        fields.retain(|field| {
            let is_named = names.clone().any(|name| name == field.name());
            (is_all || is_named) && field.name() != self.without
        });
        fields
    }
}

/// A study.
pub struct Study {
    name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// The quantities of its record besides the settings and the work.
    pub quantities: &'static [Declaration],
    takes: Takes,
    doing: Doing,
    fields: OnceLock<Vec<Field>>,
}

/// The function of a study.
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
        Self {
            name,
            about,
            quantities,
            takes,
            doing: Doing::Measure(measure),
            fields: OnceLock::new(),
        }
    }

    /// A work, which is timed next to others. Its record has its passes, fetches, ….
    pub const fn timing(
        name: &'static str,
        about: &'static str,
        takes: Takes,
        work: fn(&Experiment, Place<'_>) -> Result<Work<'static>, BoxedError>,
    ) -> Self {
        Self {
            name,
            about,
            quantities: &[],
            takes,
            doing: Doing::Work(work),
            fields: OnceLock::new(),
        }
    }
}

impl Subject for Study {
    fn command(&self) -> &'static str {
        self.name
    }

    fn fields(&self) -> Vec<Field> {
        self.fields.get_or_init(|| self.takes.fields()).clone()
    }

    fn presets(&self) -> Vec<[&'static str; 2]> {
        match self.takes.of {
            Source::Own(..) => Vec::new(),
            Source::Of(subject, _) => subject.presets(),
        }
    }

    fn usual(&self) -> &'static str {
        match self.takes.of {
            Source::Own(..) => "",
            Source::Of(_, usual) => usual,
        }
    }

    fn quantities(&self) -> Vec<String> {
        let own = self.quantities.iter().flat_map(|(name, ..)| swept(name));
        let mut names: Vec<String> = own.collect();
        names.extend(work_names().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        names
    }

    fn is_timed(&self) -> bool {
        matches!(self.doing, Doing::Work(_))
    }

    fn experiment(&'static self, preset: &str) -> Result<Experiment, BoxedError> {
        match self.takes.of {
            Source::Own(_, usual) if preset.is_empty() => Ok(Experiment::new(self, "", usual())),
            Source::Own(..) => {
                Err(format!("{} has no presets: leave out --preset {preset}", self.name).into())
            }
            // Of another preset only what the study reads.
            Source::Of(subject, usual) => {
                let wanted = if preset.is_empty() { usual } else { preset };
                let wanted = subject.experiment(wanted)?;
                let mut settings = subject.experiment(usual)?.settings().clone();
                for field in self.fields() {
                    let name = field.name();
                    settings.insert(name.to_owned(), wanted.settings()[name].clone());
                }
                Ok(Experiment::new(self, wanted.preset, settings))
            }
        }
    }

    fn run(&self, experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
        match self.doing {
            Doing::Measure(measure) => {
                let record = measure(experiment, place)?;
                let is_there =
                    |name: &String| record.all(name).is_ok() || record.text_of(name).is_some();
                let mut declared = self.quantities.iter().flat_map(|(name, ..)| swept(name));
                match declared.find(|name| !is_there(name)) {
                    Some(name) => Err(format!("{}: {name} is missing", self.name).into()),
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
