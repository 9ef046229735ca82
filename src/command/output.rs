//! Files and folders for results. Names are checked with the options, folders before the work starts; every
//! written file is reported on standard error.

use std::fmt::{Display, LowerExp};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::ArgMatches;
use clap::parser::ValueSource;
use console::measure_text_width;
use image::RgbImage;

use crate::io::error::REPLACED;
use crate::io::reading::protect_inputs;
use crate::io::{
    MeshFormat, behind_links, create_folder, extension, is_descriptor, write_atomically,
};
use crate::picture::png as encoded;

use super::failure::Failure;

/// A file that a result is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(PathBuf);

/// The name of a triangle mesh.
pub fn mesh(text: &str) -> Result<Target, String> {
    match MeshFormat::of(text.as_ref()) {
        Ok(_) => Ok(Target(text.into())),
        Err(error) => Err(error.to_string()),
    }
}

/// The parser of the name of a file with this extension, or of a device.
pub fn file(expected: &'static str) -> impl Fn(&str) -> Result<Target, String> + Clone {
    move |text| {
        let extension = extension(text);
        if extension == expected || text.starts_with("/dev/") {
            return Ok(Target(text.into()));
        }
        let is_picture = matches!(extension.as_str(), "png" | "jpg" | "jpeg" | "gif");
        let picture = match expected {
            "png" | "gif" => "",
            _ if is_picture => "; pictures are drawn by --png",
            _ => "",
        };
        Err(format!("give a name that ends in .{expected}{picture}"))
    }
}

impl Target {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes the file, and reports it.
    pub fn write<E>(&self, write: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), Failure>
    where
        Failure: From<E>,
    {
        write(&self.0)?;
        let path = self.0.display();
        match fs::metadata(&self.0) {
            Ok(there) if there.is_file() => {
                note(format_args!("wrote {path}, {} kB", there.len().div_ceil(1000)));
            }
            _ => note(format_args!("wrote {path}")),
        }
        Ok(())
    }

    /// Writes these bytes, and reports it.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write(|path| write_atomically(path, |out| out.write_all(bytes)))
    }

    /// Writes a picture as PNG, and reports it.
    pub fn picture(&self, picture: &RgbImage) -> Result<(), Failure> {
        self.encoded(encoded(picture))
    }

    /// Writes lines below their heading, and reports it.
    pub fn lines(
        &self,
        heading: &str,
        lines: impl IntoIterator<Item = impl Display>,
    ) -> Result<(), Failure> {
        self.write(|path| {
            write_atomically(path, |out| {
                writeln!(out, "{heading}")?;
                let mut lines = lines.into_iter();
                lines.try_for_each(|line| writeln!(out, "{line}"))
            })
        })
    }

    /// Writes residuals, each with its step, and reports the file.
    pub fn history(
        &self,
        heading: &str,
        history: impl IntoIterator<Item = (usize, impl LowerExp)>,
    ) -> Result<(), Failure> {
        self.lines(heading, history.into_iter().map(|(step, norm)| format!("{step},{norm:e}")))
    }

    /// Writes a picture that is already encoded, and reports it.
    pub fn encoded<E: Display>(&self, picture: Result<Vec<u8>, E>) -> Result<(), Failure> {
        self.bytes(&picture.map_err(|error| Failure::in_file(&self.0, error))?)
    }

    /// Reports that the file was not written.
    pub fn leave(&self) {
        note(format_args!("{} was not written: there is no usable result", self.0.display()));
    }

    /// Checks that the file can be written, and that no other result goes to the same file.
    fn check(&self, others: &mut Vec<PathBuf>) -> Result<(), Failure> {
        let file = &self.0;
        let target = behind_links(file).map_err(|error| {
            let folder = file.parent().unwrap_or(file);
            if folder.as_os_str().is_empty() || folder.is_dir() {
                let what = format!("cannot write there: {error}. Choose another file");
                return Failure::in_file(file, what);
            }
            let what = format!("there is no folder {}. Make it first", folder.display());
            Failure::in_file(file, what)
        })?;
        match fs::metadata(&target) {
            Ok(there) if there.is_dir() => {
                return Err(Failure::in_file(file, "is a folder. Name a file in it"));
            }
            // Devices and pipes are not replaced, and fail only when they are written to.
            Ok(there) if !there.is_file() => return Ok(()),
            _ if is_descriptor(&target) => return Ok(()),
            _ => {}
        }
        target.parent().map_or(Ok(()), check_writable)?;
        if others.contains(&target) {
            let what = "two results would be written to this file. Name two files";
            return Err(Failure::in_file(file, what));
        }
        others.push(target);
        Ok(())
    }
}

/// A folder for results. It is created if it does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl FromStr for Folder {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Folder(text.into()))
    }
}

impl Folder {
    /// A folder.
    pub fn new(path: &str) -> Self {
        Folder(path.into())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reports what was written into the folder.
    pub fn report(&self, what: impl Display) {
        note(format_args!("wrote {what} into {}", self.0.display()));
    }

    /// Checks that the folder exists or can be created.
    fn check(&self) -> Result<(), Failure> {
        match self.0.ancestors().find(|folder| folder.exists()) {
            Some(folder) if !folder.is_dir() => {
                let what = format!("{} is a file. Name a folder", folder.display());
                Err(Failure::in_file(&self.0, what))
            }
            Some(folder) => check_writable(folder),
            None => Ok(()),
        }
    }

    /// Creates the folder if it does not exist.
    pub fn make(&self) -> Result<(), Failure> {
        create_folder(&self.0).map_err(|error| {
            let what = format!("cannot make this folder: {error}. Choose another folder");
            Failure::in_file(&self.0, what)
        })
    }
}

/// Checks that a file can be made in this folder; it is removed again.
fn check_writable(folder: &Path) -> Result<(), Failure> {
    tempfile::tempfile_in(folder).map(drop).map_err(|error| {
        let what = format!("cannot write there: {error}. Choose another folder");
        Failure::in_file(folder, what)
    })
}

/// Checks every file and folder among the options before the work starts. Without `--force` no result may replace a
/// file that the command reads.
pub fn check(matches: &ArgMatches) -> Result<(), Failure> {
    let mut others = Vec::new();
    let mut inputs = Vec::new();
    let is_forced = matches.get_flag("force");
    let mut seen = Vec::new();
    let mut level = Some(matches);
    while let Some(matches) = level {
        for id in matches.ids() {
            // A global option is at every level.
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let files = matches.try_get_many::<Target>(id.as_str());
            if files.is_err() {
                let values = matches.try_get_raw(id.as_str()).ok().flatten().into_iter().flatten();
                inputs.extend(values.filter_map(|value| fs::canonicalize(value).ok()));
            }
            let mut files = files.ok().flatten().into_iter().flatten();
            files.try_for_each(|file| file.check(&mut others))?;
            let folders = matches.try_get_many::<Folder>(id.as_str());
            let mut folders = folders.ok().flatten().into_iter().flatten();
            folders.try_for_each(Folder::check)?;
        }
        level = matches.subcommand().map(|(_, matches)| matches);
    }
    match others.iter().find(|file| !is_forced && inputs.contains(file)) {
        Some(file) => Err(Failure::in_file(file, REPLACED)),
        None => {
            if !is_forced {
                protect_inputs(others);
            }
            Ok(())
        }
    }
}

/// Names the option that draws a picture, if the command has one and no picture was asked for.
pub fn offer_picture(grammar: &clap::Command, matches: &ArgMatches) {
    if matches.subcommand_name() == Some("view") {
        return;
    }
    let (mut command, mut given) = (grammar, matches);
    while let Some((name, matches)) = given.subcommand() {
        let Some(inner) = command.find_subcommand(name) else {
            return;
        };
        (command, given) = (inner, matches);
    }
    let arguments = || command.get_arguments();
    let is_given = |id: &str| {
        let has_it = arguments().any(|argument| argument.get_id() == id);
        has_it && given.value_source(id) == Some(ValueSource::CommandLine)
    };
    let picture = arguments().find(|argument| argument.get_id() == "png");
    if let Some(help) = picture.and_then(clap::Arg::get_help)
        && !["png", "gif", "frames", "window"].into_iter().any(is_given)
    {
        tip(format_args!("tip: --png FILE.png: {help}"));
    }
}

/// Notes that wait for the JSON object on standard error; `None` if they are written at once.
static WAITING: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn waiting() -> MutexGuard<'static, Option<Vec<String>>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the notes that follow for [`kept_notes`].
pub fn keep_notes() {
    waiting().get_or_insert_default();
}

/// The notes so far. Those that follow are written at once.
pub fn kept_notes() -> Vec<String> {
    waiting().take().unwrap_or_default()
}

/// Writes a line to standard error.
pub fn note(what: impl Display) {
    match &mut *waiting() {
        Some(notes) => notes.push(what.to_string()),
        // If standard error is closed, the line is dropped.
        None => {
            let columns = console::Term::stderr().size_checked().filter(|size| size.1 > 0);
            let columns = columns.map_or(usize::MAX, |(_, columns)| columns.into());
            drop(writeln!(io::stderr(), "{}", wrapped(&what.to_string(), columns.max(NARROW))));
        }
    }
}

/// Prints the message of a failure and gives the exit code.
pub fn report(Failure { status, message }: Failure) -> ExitCode {
    note(format_args!("error: {message}"));
    ExitCode::from(status as u8)
}

/// Smallest width of a text in columns.
const NARROW: usize = 20;

/// Columns of standard output, at least 20, and whether it has colours. Without a terminal it has 100 columns.
pub fn terminal() -> (usize, bool) {
    let term = console::Term::stdout();
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    // A terminal without a size has no columns.
    let size = term.size_checked().filter(|&(_, columns)| columns > 0);
    let width = size.map_or(100, |(_, columns)| given.unwrap_or(columns.into()));
    (width.max(NARROW), term.is_term() && console::colors_enabled())
}

/// Columns by which the rest of a line is indented.
const HANGING: usize = 4;

/// A text whose lines have at most this number of columns: the rest of a longer line is below it, indented. A longer
/// word keeps its line.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut all = String::new();
    for line in text.split_inclusive('\n') {
        let (mut rest, mut indent) = (line.trim_end_matches('\n'), 0);
        let start = rest.len() - rest.trim_start().len();
        while measure_text_width(rest) + indent > width {
            let fits = |at: &usize| measure_text_width(&rest[..*at]) + indent <= width;
            let ends = rest.match_indices(' ').map(|(at, _)| at);
            let ends = ends.filter(|&at| !rest[..at].trim().is_empty());
            let Some(end) = ends.clone().take_while(fits).last().or(ends.clone().next()) else {
                break;
            };
            all += &format!("{}\n", rest[..end].trim_end());
            rest = rest[end..].trim_start();
            indent = (start + HANGING).min(width / 2);
            all += &" ".repeat(indent);
        }
        all += rest;
        all += if line.ends_with('\n') { "\n" } else { "" };
    }
    all
}

/// Writes a line to standard error if that is a terminal.
pub fn tip(what: impl Display) {
    if io::stderr().is_terminal() {
        note(what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_long_line_is_below_it_with_all_words_in_their_order() {
        let text =
            "name      value of this and that\n  - a list with some words\nunbreakable_word\n\nend";
        for width in [20, 12, 40] {
            let narrow = wrapped(text, width);
            let words = |text: &str| -> Vec<String> {
                text.split_whitespace().map(str::to_owned).collect()
            };
            assert_eq!(words(&narrow), words(text));
            let is_wide = |line: &&str| measure_text_width(line) > width;
            assert!(narrow.lines().filter(is_wide).all(|line| line.trim() == "unbreakable_word"));
        }
        assert_eq!(wrapped(text, 40), text);
        assert_eq!(wrapped("- one two three\n", 12), "- one two\n    three\n");
    }
}
