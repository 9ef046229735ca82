//! What is wrong with a file, said in one line: where, what, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::WithKind;
use crate::mesh::MeshError;

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    File,
    /// A line of text, counted from 1.
    Line(usize),
    /// A byte of binary data, counted from 0 at the beginning of the file.
    Byte(usize),
    /// A pixel of a picture: column and row, counted from 0 at the upper left.
    Pixel(usize, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Byte(byte) => write!(f, "byte {byte}: "),
            Self::Pixel(column, row) => write!(f, "pixel in column {column}, row {row}: "),
        }
    }
}

/// What is wrong with a file's contents, whichever file it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}{what}; {remedy}")]
pub struct Fault {
    /// Where it is wrong.
    pub place: Place,
    /// What is wrong. Elements are counted from 0.
    pub what: String,
    /// What the user can do about it.
    pub remedy: &'static str,
}

impl WithKind for Fault {}

impl Fault {
    pub(super) fn new(place: Place, what: impl Into<String>, remedy: &'static str) -> Self {
        let what: String = what.into();
        Self {
            place,
            // What a file holds may be quoted, and a message is one line.
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

/// Remedy for a file that has lost its end.
pub(super) const RESTORE: &str = "the file is cut off or its counts are wrong: fetch it again";
/// Remedy for a value that is not what it should be.
pub(super) const CORRECT: &str = "correct this line";
/// Remedy for binary data that cannot be right.
pub(super) const FETCH: &str = "the file is damaged: fetch it again";

/// A file name whose extension belongs to no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the extension tells no mesh format; use .ply, .obj or .off")]
pub struct UnknownExtension;

/// A file that cannot be read, or not be used. One line: `path: line 3: what; remedy`.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The operating system does not give the file.
    #[error("{}: cannot read: {source}; give the path of a readable file", one_line(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The extension does not tell the format.
    #[error("{}: {source}", one_line(.path))]
    Format {
        /// The file.
        path: PathBuf,
        /// Which extensions would.
        source: UnknownExtension,
    },
    /// The contents are not what the format prescribes.
    #[error("{}: {fault}", one_line(.path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The file is well formed, but the mesh in it cannot be computed with.
    #[error("{}: {source}", one_line(.path))]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        source: MeshError,
    },
}

impl WithKind for InputError {}

/// A file that cannot be written. What was at the path before is still there.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system refused.
    #[error("{}: cannot write: {source}; choose a folder that exists, may be written and has room", one_line(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The extension does not tell the format.
    #[error("{}: {source}", one_line(.path))]
    Format {
        /// The file.
        path: PathBuf,
        /// Which extensions would.
        source: UnknownExtension,
    },
    /// The mesh would make a file that cannot be read.
    #[error("{}: not written: {source}", one_line(.path))]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        source: MeshError,
    },
}

impl WithKind for WriteError {}

/// The path for a message of one line: file names may hold line breaks.
fn one_line(path: &Path) -> String {
    path.to_string_lossy()
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// A token of the file for a message: escaped, in backquotes, and cut to a readable length.
pub(super) fn quote(token: &[u8]) -> String {
    const LENGTH: usize = 32;
    let shown = token[..token.len().min(LENGTH)].escape_ascii();
    format!("`{shown}{}`", if token.len() > LENGTH { "…" } else { "" })
}
