//! Why there is no film.

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::gl::GlError;
use crate::stream::StreamError;

use super::packing::Packing;

/// How much a film may hold, so that its page opens at once and can be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Passes.
    pub passes: usize,
    /// Whether a film of more passes ends there, instead of being refused: nobody knows beforehand how
    /// long a window will be open.
    pub cut: bool,
    /// Bytes of the textures that are there at one time.
    pub texture_bytes: u64,
    /// Texels of a pass that are compared, or a row: of larger ones a band, the next one at the next pass.
    pub compared: u32,
    /// Texels of a pass that are kept, to tell how far off another driver is.
    pub kept: u32,
    /// Bytes of a page.
    pub page_bytes: usize,
    /// How they are made fewer.
    pub packing: Packing,
    /// What makes a run shorter, for messages.
    pub shorter: String,
    /// What makes its streams smaller.
    pub smaller: String,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            passes: 20_000,
            cut: false,
            texture_bytes: 256_000_000,
            compared: 2048,
            kept: 8,
            page_bytes: 8_000_000,
            packing: Packing::Well,
            shorter: "let it take fewer steps".into(),
            smaller: "give it a smaller problem".into(),
        }
    }
}

/// Why there is no film.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FilmError {
    /// Too many passes.
    #[error("a film holds at most {} passes: {}", .0.passes, .0.shorter)]
    Passes(Limits),
    /// Too much graphics memory.
    #[error(
        "a film holds at most {} MB of textures at a time: {}",
        .0.texture_bytes / 1_000_000, .0.smaller
    )]
    Textures(Limits),
    /// Too large a file.
    #[error(
        "a page holds at most {} MB: {}, or {}",
        .0.page_bytes as f64 / 1e6, .0.smaller, .0.shorter
    )]
    Page(Limits),
    /// No pass at all.
    #[error("{0} has drawn nothing, and makes no film; choose another command")]
    Empty(String),
    /// There is no such scene.
    #[error("no scene is named '{name}'; {near}there are {all}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// A question with the nearest, or nothing.
        near: String,
        /// All names.
        all: String,
    },
    /// These are no bytes of a film.
    #[error("no film: {0}; record it anew")]
    Malformed(String),
    /// The texels for tests cannot be written.
    #[error("cannot write the texels: {0}; name another file")]
    Texels(String),
    /// What was to be filmed failed.
    #[error("{0}")]
    Run(String),
    /// The machine refused.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The OpenGL layer failed.
    #[error(transparent)]
    Gl(#[from] GlError),
}

impl FilmError {
    /// Whether a film ends here that may be shorter than its run.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self, Self::Passes(limits) if limits.cut)
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
