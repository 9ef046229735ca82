//! Errors in files, on one line: the position, the fault and the remedy.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::names::system;
use crate::base::error::{WithKind, with_remedy};
use crate::base::nearest::suggestion;
use crate::mesh::MeshError;

/// Position of a fault in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of text, counted from 1.
    Line(usize),
    /// A byte of binary data, counted from 0.
    Byte(usize),
    /// A face of a mesh, counted from 0, and its line in a text.
    Face {
        /// Its number.
        face: usize,
        /// Its line, counted from 1.
        line: Option<usize>,
    },
    /// A pixel of a picture: column and row, counted from 0 at the upper left corner.
    Pixel(usize, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Byte(byte) => write!(f, "byte {byte}: "),
            Self::Face { face, line: None } => write!(f, "face {face}: "),
            Self::Face { face, line: Some(line) } => write!(f, "line {line}, face {face}: "),
            Self::Pixel(column, row) => write!(f, "pixel in column {column}, row {row}: "),
        }
    }
}

/// A fault in a file's contents, without the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}{}", with_remedy(what, remedy))]
pub struct Fault {
    /// Position.
    pub place: Place,
    /// Fault. Elements are counted from 0.
    pub what: String,
    /// Remedy.
    pub remedy: &'static str,
}

impl WithKind for Fault {}

impl Fault {
    pub(super) fn new(place: Place, what: impl Into<String>, remedy: &'static str) -> Self {
        let what: String = what.into();
        Self {
            place,
            // Contents of the file may be quoted, and a message is one line.
            what: what.replace(char::is_control, "?"),
            remedy,
        }
    }

    pub(super) fn in_line(line: usize, what: impl Into<String>, remedy: &'static str) -> Self {
        Self::new(Place::Line(line), what, remedy)
    }

    pub(super) fn in_file(what: impl Into<String>, remedy: &'static str) -> Self {
        Self::new(Place::File, what, remedy)
    }
}

/// Remedy for a truncated file.
pub(super) const RESTORE: &str = "the file is truncated, or its counts are wrong: fetch it again";
/// Remedy for a wrong value.
pub(super) const CORRECT: &str = "correct this line";
/// Remedy for wrong binary data.
pub(super) const EXPORT: &str = "correct it in the program that wrote the file";
/// Remedy for impossible binary data.
pub(super) const FETCH: &str = "the file is damaged: fetch it again";

/// Fault of a result that would replace a file which the command reads, with its remedy.
pub(crate) const REPLACED: &str =
    "the command reads this file. Name another one for the result, or replace it with --force.";

/// A file name whose extension is not that of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the extension is not that of a mesh format. Use .ply, .obj, .off or .stl.")]
pub struct UnknownExtension;

/// A file that cannot be read or used. One line: `path: line 3: fault. Remedy.`
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum InputError {
    /// The operating system cannot read the file.
    #[error("{}: {}", one_line(.path), unreadable(.path, .source))]
    Unreadable { path: PathBuf, source: io::Error },
    /// A result of the command would replace the file.
    #[error("{}: {REPLACED}", one_line(.path))]
    Replaced { path: PathBuf },
    /// The extension does not determine the format.
    #[error("{}: {source}", one_line(.path))]
    Format { path: PathBuf, source: UnknownExtension },
    /// The contents violate the format.
    #[error("{}: {fault}", one_line(.path))]
    Malformed { path: PathBuf, fault: Fault },
    /// The file is valid, but its mesh cannot be used for computations: its first fault.
    #[error("{}: {place}{source}", one_line(.path))]
    Unfit { path: PathBuf, place: Place, source: MeshError },
}

impl WithKind for InputError {}

/// A file that cannot be written. Former contents at the path are unchanged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum WriteError {
    /// The operating system cannot write the file.
    #[error("{}: cannot write: {source}. Choose an existing writable folder with free space.", one_line(.path))]
    Io { path: PathBuf, source: io::Error },
    /// The extension does not determine the format.
    #[error("{}: {source}", one_line(.path))]
    Format { path: PathBuf, source: UnknownExtension },
    /// The command reads the file.
    #[error("{}: {REPLACED}", one_line(.path))]
    Replaced { path: PathBuf },
    /// The file could not be read again.
    #[error("{}: not written: {source}", one_line(.path))]
    Unfit { path: PathBuf, source: MeshError },
}

impl WithKind for WriteError {}

#[cfg(feature = "cli")]
impl WriteError {
    /// Tests whether a smaller file might have been written.
    pub(crate) fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge))
    }
}

/// Returns the fault of an unreadable file, with a similar name in its folder.
fn unreadable(path: &Path, source: &io::Error) -> String {
    const REMEDY: &str = "give the path of a readable file";
    match source.kind() {
        io::ErrorKind::NotFound => {}
        io::ErrorKind::InvalidData => return with_remedy(source, "save it as UTF-8"),
        _ => return with_remedy(format_args!("cannot read: {source}"), REMEDY),
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = fs::read_dir(system(folder.unwrap_or(Path::new(".")))).into_iter().flatten();
    let names: Vec<String> = files
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .take(LISTED)
        .filter(|name| !name.contains(char::is_control))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    with_remedy("there is no such file", &format!("{}{REMEDY}", suggestion(&name, &names)))
}

/// Most names of a folder that are compared with a missing one.
const LISTED: usize = 1000;

/// The path on one line, because file names may contain line breaks.
fn one_line(path: &Path) -> String {
    path.to_string_lossy().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Quotes a token of the file for a message: escaped, in backquotes, and truncated to a readable length.
pub(super) fn quote(token: &[u8]) -> String {
    const LENGTH: usize = 32;
    let shown = token[..token.len().min(LENGTH)].escape_ascii();
    format!("`{shown}{}`", if token.len() > LENGTH { "…" } else { "" })
}
