//! Errors of recording and reading films, and the limits of a film, so that its page opens at once and can be followed.

use std::io;

use thiserror::Error;

use crate::base::error::{ErrorKind, WithKind};
use crate::gl::GlError;
use crate::stream::StreamError;

/// Maximum number of passes.
pub const PASSES: usize = 20_000;
/// Maximum size of a page, in bytes.
pub const PAGE_BYTES: usize = 8_000_000;

/// Errors of recording and reading films. The first two can also end a film before its run ends.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FilmError {
    /// Too many passes.
    #[error("a film holds at most {PASSES} passes. Ask for fewer steps.")]
    Passes,
    /// Too large a file.
    #[error("a page holds at most {} MB. Ask for fewer steps or choose a smaller grid.", *.0 as f64 / 1e6)]
    Page(usize),
    /// No pass at all.
    #[error("{0} drew nothing that can be recorded. Choose another command.")]
    Empty(String),
    /// There is no such scene.
    #[error("unknown scene '{name}'; {near}the scenes are {all}")]
    Unknown {
        /// The requested name.
        name: String,
        /// A question with the nearest name, or an empty string.
        near: String,
        /// All names.
        all: String,
    },
    /// Bytes that are not those of a film.
    #[error("not a valid film: {0}. Record it again.")]
    Malformed(String),
    /// A file that does not describe a course.
    #[error("not a valid course: {0}. See figures/course/README.md for the form of the file.")]
    Course(String),
    /// The run failed.
    #[error("{0}")]
    Run(String),
    /// The machine refused.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The OpenGL layer failed.
    #[error(transparent)]
    Gl(#[from] GlError),
}

impl From<io::Error> for FilmError {
    fn from(error: io::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

impl WithKind for FilmError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Gl(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}
