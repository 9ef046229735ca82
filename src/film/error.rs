//! Errors of recording and reading films, and the limits of a film.

use std::io;

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::gl::GlError;
use crate::stream::StreamError;

/// Limits of a film, so that its page opens at once and can be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of passes.
    pub passes: usize,
    /// Maximum size, in bytes, of the textures that exist at the same time.
    pub texture_bytes: u64,
    /// Maximum size of the page, in bytes.
    pub page_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            passes: 20_000,
            texture_bytes: 256_000_000,
            page_bytes: 8_000_000,
        }
    }
}

/// Errors of recording and reading films. The first three can also end a film before its run ends.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FilmError {
    /// Too many passes.
    #[error("a film holds at most {0} passes. Ask for fewer steps.")]
    Passes(usize),
    /// Too much graphics memory.
    #[error("a film holds at most {} MB of textures at a time. Choose a smaller grid.", .0 / 1_000_000)]
    Textures(u64),
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
