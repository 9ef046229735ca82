//! Files and folders for results. Names are checked with the options, folders before the work starts; every
//! written file is reported on standard error.

use std::borrow::Cow;
use std::fmt::{Display, LowerExp};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::ArgMatches;
use clap::parser::ValueSource;
use console::Term;
use image::RgbImage;

use crate::base::columns::wrapped;
use crate::io::error::REPLACED;
use crate::io::names::{shown, shown_in_colours, system};
use crate::io::reading::{are_protected, protect_inputs, read_stored};
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

/// The name of a vector's file.
pub fn vector(text: &str) -> Result<Target, String> {
    match &*extension(text) {
        "npy" => Ok(Target(text.into())),
        _ => file("mtx")(text).map_err(|why| why.replacen(".mtx", ".mtx or .npy", 1)),
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
        match fs::metadata(system(&self.0)) {
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
            let folder = &*system(file.parent().unwrap_or(file));
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
        match system(&self.0).ancestors().find(|folder| folder.exists()) {
            Some(folder) if !folder.is_dir() => {
                let what = format!("{} is a file. Name a folder", folder.display());
                Err(Failure::in_file(&self.0, what))
            }
            Some(folder) => check_writable(folder),
            None => Ok(()),
        }
    }

    /// Checks that this file is not there, or that fragstream wrote it, which this mark shows. With `--force` it may be any.
    pub fn check_own(&self, name: &str, mark: &str) -> Result<(), Failure> {
        let path = self.0.join(name);
        match read_stored(&path) {
            _ if !are_protected() => Ok(()),
            Ok(text) if text.contains(mark) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            _ => {
                let what = "fragstream did not write this file. Choose another folder (--out), or replace it with --force";
                Err(Failure::in_file(&path, what))
            }
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
                inputs.extend(
                    values.filter_map(|value| fs::canonicalize(system(value.as_ref())).ok()),
                );
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

/// Writes a line to standard error. What it quotes from files cannot command a terminal, or fill it.
pub fn note(what: impl Display) {
    let what = what.to_string();
    match &mut *waiting() {
        Some(notes) => notes.push(what),
        None => put(&shortened(&shown(&what))),
    }
}

/// Writes lines of fragstream's own to standard error: an object, or a text with colours.
pub fn put(text: &str) {
    // If standard error is closed, they are dropped.
    drop(writeln!(io::stderr(), "{}", wrapped(text, error_columns())));
}

/// Largest number of letters of a word on a terminal.
const LONGEST: usize = 400;

/// The text with long words cut.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.split(' ').all(|word| word.len() <= LONGEST) {
        return Cow::Borrowed(text);
    }
    let words = text.split(' ').map(|word| match word.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &word[..end])),
        None => Cow::Borrowed(word),
    });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// Prints a help, a version or the error of a command line, and gives the exit code.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    let (text, is_error) = (error.render(), error.use_stderr());
    let coloured = match is_error {
        true => Term::stderr().is_term() && console::colors_enabled_stderr(),
        false => is_coloured(),
    };
    let text = if coloured { text.ansi().to_string() } else { text.to_string() };
    let text = shown_in_colours(&text).into_owned();
    if is_error {
        put(text.trim_end());
    } else {
        let text = wrapped(&text, output_columns().unwrap_or(UNLIMITED));
        // If standard output is closed, the text is dropped.
        drop(io::stdout().write_all(text.as_bytes()));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Prints the message of a failure and gives the exit code.
pub fn report(Failure { status, message }: Failure) -> ExitCode {
    note(format_args!("error: {message}"));
    ExitCode::from(status as u8)
}

/// Smallest width of a text in columns.
const NARROW: usize = 20;

/// Width of a text that is not for a terminal.
pub const UNLIMITED: usize = u16::MAX as usize;

/// Columns of a terminal, or of any output if the variable COLUMNS has their number; at least 20.
fn columns(term: &Term) -> Option<usize> {
    let given: Option<usize> = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let columns = given.or_else(|| Some(term.size_checked()?.1.into()));
    // A terminal without a size has no columns.
    Some(columns.filter(|columns| *columns > 0)?.clamp(NARROW, UNLIMITED))
}

/// Columns of standard output, if it has a width.
pub fn output_columns() -> Option<usize> {
    columns(&Term::stdout())
}

/// Columns of standard error.
pub fn error_columns() -> usize {
    columns(&Term::stderr()).unwrap_or(UNLIMITED)
}

/// Tests whether standard output has colours.
pub fn is_coloured() -> bool {
    Term::stdout().is_term() && console::colors_enabled()
}

/// Writes a line to standard error if that is a terminal.
pub fn tip(what: impl Display) {
    if io::stderr().is_terminal() {
        note(what);
    }
}
