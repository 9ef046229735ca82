//! An experiment is one value: a command with all its settings.
//!
//! It is read from a command line, a link or JSON, and prints itself as each of them, so that a result can say what
//! made it:
//!
//! ```
//! use fragstream::scenes::find;
//!
//! # fn main() -> Result<(), fragstream::base::error::BoxedError> {
//! let water = find("water").ok_or("no scene of this name")?;
//! let mut waves = water.experiment("fig7")?;
//! waves.set("courant", "3")?;
//! assert_eq!(waves.to_string(), "fragstream water --preset fig7 --courant 3");
//! assert_eq!(waves.link(), "scene=water&preset=fig7&courant=3");
//! assert_eq!(fragstream::scenes::linked(&waves.link())?.1, waves);
//! # Ok(())
//! # }
//! ```

mod record;
mod solve;
mod study;

use std::fmt;

use serde_json::{Value, json};

use crate::base::error::BoxedError;
use crate::settings::{Declared, Field, Flat, Need, Refused, differences, find, options, typed};
use crate::stream::Machine;
use crate::timing::rig::Work;

pub use record::{Picture, Quantity, Record};
pub use solve::{Presets, Solve};
pub use study::{Declaration, Kept, Place, Study, Takes};

/// Subject of experiments: a scene or a solve, which has a command, or a study, which only `fragstream run` runs.
pub trait Subject: Sync {
    /// Name of its command; of a study, its paper and its name.
    fn command(&self) -> &'static str;

    /// Its settings.
    fn fields(&self) -> Vec<Field>;

    /// Names and descriptions of its presets.
    fn presets(&self) -> Vec<[&'static str; 2]>;

    /// Name of the preset of a command line without options; an empty string if that has no name.
    fn usual(&self) -> &'static str;

    /// The experiment of a preset; without a name that of a command line without options.
    fn experiment(&'static self, preset: &str) -> Result<Experiment, BoxedError>;

    /// Names of its quantities besides its settings; none if they follow from a run.
    fn quantities(&self) -> Vec<String> {
        Vec::new()
    }

    /// Tests whether it is a work that can be timed next to others.
    fn is_timed(&self) -> bool {
        false
    }

    /// Checks what no single setting shows.
    fn check(&self, _: &Experiment) -> Result<(), BoxedError> {
        Ok(())
    }

    /// Runs an experiment to its end.
    fn run(&self, experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError>;

    /// An experiment as a work that is timed next to others.
    fn work(&self, _: &Experiment, _: Place<'_>) -> Result<Work<'static>, BoxedError> {
        Err(format!("{} is no work that is timed", self.command()).into())
    }
}

impl fmt::Debug for dyn Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.command())
    }
}

/// The lines that a line with `{a|b}` stands for.
pub fn swept(line: &str) -> Vec<String> {
    let parts = line.split_once('{').and_then(|(before, rest)| {
        let (choices, after) = rest.split_once('}')?;
        Some((before, choices, after))
    });
    let Some((before, choices, after)) = parts else { return vec![line.to_owned()] };
    let each = choices.split('|').flat_map(|choice| swept(&format!("{before}{choice}{after}")));
    each.collect()
}

/// A command with all its settings.
#[derive(Debug, Clone)]
pub struct Experiment {
    of: &'static dyn Subject,
    /// Preset from which it is written.
    preset: &'static str,
    fields: Vec<Field>,
    /// Settings of the preset.
    base: Flat,
    settings: Flat,
}

/// Equal settings of one command, however they are written.
impl PartialEq for Experiment {
    fn eq(&self, other: &Self) -> bool {
        (self.of.command(), &self.settings) == (other.of.command(), &other.settings)
    }
}

/// Preset that chooses a method to suit its input.
const AUTO: &str = "auto";

impl Experiment {
    /// The experiment of a preset.
    pub fn new(of: &'static dyn Subject, preset: &'static str, settings: Flat) -> Self {
        Self { of, preset, fields: of.fields(), base: settings.clone(), settings }
    }

    /// Gives a setting the value of a word. The setting that it is given instead of is left open.
    pub fn set(&mut self, name: &str, word: &str) -> Result<(), Refused> {
        let field = find(&self.fields, name)?;
        let value = field.value(word)?;
        let replaced = |other: &&Field| field.excludes(other);
        for other in self.fields.iter().filter(replaced).filter(|_| !value.is_null()) {
            self.settings.insert(other.name().to_owned(), Value::Null);
        }
        self.settings.insert(name.to_owned(), value);
        Ok(())
    }

    /// Takes the settings of a result in JSON.
    pub fn take(&mut self, settings: &Flat) -> Result<(), Refused> {
        settings.iter().try_for_each(|(name, value)| {
            let word = find(&self.fields, name)?.word(value);
            self.set(name, &word)
        })
    }

    /// Takes the options of a line.
    pub fn given(&mut self, line: &str) -> Result<(), Refused> {
        options(&self.fields, line)?.iter().try_for_each(|[name, word]| self.set(name, word))
    }

    /// The settings as their type.
    pub fn typed<S: Declared>(&self) -> Result<S, BoxedError> {
        Ok(typed(&self.settings)?)
    }

    /// Number of steps of a scene.
    pub fn steps(&self) -> u32 {
        self.settings.get("steps").and_then(Value::as_u64).map_or(1, |steps| steps as u32)
    }

    /// Checks that the settings go together, and that memory holds them.
    pub fn check(&self) -> Result<(), BoxedError> {
        self.of.check(self)
    }

    /// Runs it to its end.
    pub fn run(&self, place: Place<'_>) -> Result<Record, BoxedError> {
        self.check()?;
        let mut record = self.of.run(self, place)?;
        record.settings(&self.settings);
        Ok(record)
    }

    /// Makes it a work that is timed next to others.
    pub fn work(&self, place: Place<'_>) -> Result<Work<'static>, BoxedError> {
        self.check()?;
        self.of.work(self, place)
    }

    /// Tests whether it has a setting of this name.
    pub fn takes(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name() == name)
    }

    /// Its subject.
    pub fn subject(&self) -> &'static dyn Subject {
        self.of
    }

    /// All settings.
    pub fn settings(&self) -> &Flat {
        &self.settings
    }

    /// The words of all settings, by name.
    pub fn dictionary(&self) -> Flat {
        let word = |field: &Field| field.word(&self.settings[field.name()]).into();
        self.fields.iter().map(|field| (field.name().to_owned(), word(field))).collect()
    }

    /// The words of its command line, without `fragstream`.
    pub fn words(&self) -> Vec<String> {
        // A study has no command of its own.
        let is_study = self.of.command().contains('/');
        let run = is_study.then(|| "run".to_owned());
        let mut words = Vec::from_iter(run.into_iter().chain([self.of.command().to_owned()]));
        if self.preset != self.of.usual() {
            words.extend(["--preset".to_owned(), self.preset.to_owned()]);
        }
        words.extend(differences(&self.fields, &self.settings, &self.base));
        words
    }

    /// The part after `#` of a link to the page `figures/course/live.html`.
    pub fn link(&self) -> String {
        let mut link = format!("scene={}&preset={}", self.of.command(), self.preset);
        for field in &self.fields {
            let (name, value) = (field.name(), &self.settings[field.name()]);
            if self.base.get(name) != Some(value) {
                link += &format!("&{name}={}", escaped(&field.word(value)));
            }
        }
        link
    }

    /// Features of a machine without which its settings cannot run.
    pub fn needs(&self) -> impl Iterator<Item = Need> {
        self.fields.iter().filter_map(|field| field.need(&self.settings[field.name()]))
    }

    /// Checks that a machine, or without one a page in a browser, can run it.
    ///
    /// # Errors
    /// The reason, with the command that runs it elsewhere.
    pub fn check_on(&self, machine: Option<&Machine>) -> Result<(), String> {
        let place = if machine.is_some() { "another machine" } else { "a machine of your own" };
        match self.needs().find_map(|need| need.lacking(machine)) {
            Some(reason) => Err(format!("{reason}. On {place}: {self}")),
            None => Ok(()),
        }
    }

    /// One line: the command, the preset, and what of the method differs from the preset `paper`. The preset `auto` runs no
    /// paper's method.
    pub fn headline(&self) -> String {
        let (mut parts, usual) = (Vec::new(), self.of.usual());
        if !self.preset.is_empty() {
            parts.push(format!("preset {}", self.preset));
        }
        if self.preset == usual && !["", "paper", AUTO].contains(&usual) {
            parts.push("fragstream's variant".to_owned());
        }
        let paper = self.of.experiment("paper").ok().filter(|_| self.preset != AUTO);
        let differing = paper.iter().flat_map(|paper| {
            let value =
                |experiment: &Self, field: &Field| experiment.settings[field.name()].clone();
            let fields = self.fields.iter().filter(|field| !field.is_positional());
            fields.filter(move |field| value(self, field) != value(paper, field)).map(Field::option)
        });
        let (command, parts) = (self.of.command(), parts.join(", "));
        match differing.collect::<Vec<_>>().join(", ").as_str() {
            "" if parts.is_empty() => command.to_owned(),
            "" => format!("{command}: {parts}"),
            some => format!("{command}: {parts} (differs from --preset paper in {some})"),
        }
    }

    /// The experiment as part of a result in JSON.
    pub fn described(&self) -> Value {
        json!({
            "command": self.to_string(), "preset": self.preset, "settings": self.settings,
        })
    }

    /// The experiment as part of a report. That of a study has the command that prints the record which the check read;
    /// a check that gets the settings of a scene or a solve may run something else.
    pub fn stored(&self) -> Value {
        let subject = self.of.command();
        let mut stored =
            json!({ "subject": subject, "preset": self.preset, "settings": self.settings });
        if subject.contains('/') {
            stored["command"] = self.to_string().into();
        }
        stored
    }
}

/// The command line, for a shell.
impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fragstream")?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+".contains(c);
        for word in self.words() {
            match !word.is_empty() && word.chars().all(is_plain) {
                true => write!(f, " {word}")?,
                false => write!(f, " '{}'", word.replace('\'', r"'\''"))?,
            }
        }
        Ok(())
    }
}

/// A word as a part of a link.
fn escaped(word: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b',' | b':' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    word.bytes().map(byte).collect()
}

/// Names and words of a link, with the escapes undone.
pub fn parts_of_link(link: &str) -> Vec<[String; 2]> {
    let parts = link.trim_start_matches('#').split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .map(|(name, word)| [name, word].map(unescaped))
        .collect()
}

fn unescaped(text: &str) -> String {
    let hex = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, tail @ ..] = rest {
        let escape = tail.get(..2).filter(|_| *first == b'%').and_then(hex);
        bytes.push(escape.unwrap_or(*first));
        rest = if escape.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
