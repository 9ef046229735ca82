//! The film of a command (`--film`).

use std::cell::{Cell, OnceCell};
use std::fmt::Display;
use std::path::Path;
use std::rc::Rc;

use crate::film::{About, PAGE_BYTES, PASSES, Recorder, page, titles};
use crate::stream::Machine;

use crate::command::failure::Failure;
use crate::command::output::{Target, note};

/// A film in the making.
pub struct Filming {
    about: About,
    recorder: OnceCell<Recorder>,
    warning: Rc<Warning>,
}

/// The warning that the film ends before the run.
struct Warning {
    file: Target,
    is_given: Cell<bool>,
}

impl Filming {
    /// Starts a film of this command, as it was typed.
    pub fn new(file: Target, arguments: impl Iterator<Item = String>) -> Self {
        Self {
            about: about(arguments),
            recorder: OnceCell::new(),
            warning: Rc::new(Warning { file, is_given: Cell::new(false) }),
        }
    }

    /// Starts recording this machine.
    pub fn start(&self, machine: &Machine) -> Result<(), Failure> {
        let warning = Rc::clone(&self.warning);
        let on_end = move |end: &_| warning.give(format_args!("the film ends here: {end}"));
        let recorder = Recorder::start(machine, self.about.clone(), PAGE_BYTES, on_end)?;
        self.recorder.get_or_init(|| recorder);
        Ok(())
    }

    /// Passes recorded so far.
    pub fn passes(&self) -> usize {
        self.recorder.get().map_or(0, Recorder::passes)
    }

    /// Warns if a run with that many passes is longer than a film.
    pub fn expect(&self, passes: usize) {
        let most = PASSES;
        if passes > most {
            self.warning.give(format_args!(
                "the run takes about {passes} passes, but the film ends after {most}. \
                 Choose fewer steps to see all of them."
            ));
        }
    }

    /// Ends recording, and writes the page.
    pub fn write(self) -> Result<(), Failure> {
        let file = &self.warning.file;
        let Some(recorder) = self.recorder.into_inner() else {
            let name = self.about.name;
            let what = format!("{name} draws nothing that can be recorded. Leave out --film");
            return Err(Failure::in_file(file.path(), what));
        };
        let films = [recorder.finish()?];
        let page = page(&titles(&films), &films, "", PAGE_BYTES)?;
        file.bytes(page.as_bytes())
    }
}

impl Warning {
    /// Writes the warning to standard error, once.
    fn give(&self, what: impl Display) {
        if !self.is_given.replace(true) {
            note(format_args!("{}: {what}", self.file.path().display()));
        }
    }
}

/// The subject of a command's film: its arguments, files without their folders.
fn about(arguments: impl Iterator<Item = String>) -> About {
    let words: Vec<String> = arguments.skip(1).map(|word| without_folders(&word)).collect();
    let command = format!("fragstream {}", words.join(" "));
    let name = words.iter().find(|word| !word.starts_with('-'));
    About {
        name: name.map_or("reproduce", String::as_str).to_owned(),
        title: command.clone(),
        command,
        ..About::default()
    }
}

fn without_folders(word: &str) -> String {
    let (option, value) = match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => (format!("{option}="), value),
        _ => (String::new(), word),
    };
    let name = Path::new(value).file_name().filter(|_| value.contains(['/', '\\']));
    option + &name.map_or(value.into(), |name| name.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_names_files_but_no_folders() {
        let words =
            ["/usr/bin/fragstream", "solve", "/home/me/a.mtx", "--out=/tmp/x", "--rtol", "1e-5"];
        let about = about(words.iter().map(ToString::to_string));
        assert_eq!(about.command, "fragstream solve a.mtx --out=x --rtol 1e-5");
        assert_eq!(about.name, "solve");
    }
}
