//! Kinds of errors, which determine the exit codes, and parts of messages.

use std::error::Error;
use std::fmt::{self, Display};

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Invalid input, input that does not fit, or a result that cannot be written.
    Input,
    /// A solver that did not converge, or a simulation that could not continue.
    Unconverged,
    /// OpenGL is missing or unsuitable.
    NoGl,
    /// This driver lacks a feature that some programs need.
    Lacking,
}

/// An error on one line, with its kind.
pub trait WithKind: Display {
    /// The kind; that of the cause if the error wraps another one.
    fn error_kind(&self) -> ErrorKind {
        ErrorKind::Input
    }
}

impl WithKind for std::io::Error {}
impl WithKind for std::convert::Infallible {}
impl WithKind for std::num::TryFromIntError {}
impl WithKind for image::ImageError {}

/// A count with its noun, such as `1 cycle`, `2 passes`, `3 frames`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{count} {noun}{plural}")
}

/// A message: the fault, and the remedy as a sentence of its own, which a question may precede.
pub(crate) fn with_remedy(fault: impl Display, remedy: &str) -> String {
    let fault = fault.to_string();
    let sentence = |text: &str| {
        let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        format!("{}{rest}", first.to_uppercase())
    };
    let sentences: Vec<String> = remedy.split_inclusive("? ").map(sentence).collect();
    format!("{}. {}.", fault.trim_end_matches('.'), sentences.concat())
}

/// Any error with its kind, of a check, a timing or a scene. Prints with its causes, each once, on one line.
#[derive(Debug)]
pub struct BoxedError {
    /// Its kind.
    pub kind: ErrorKind,
    error: Box<dyn Error + Send + Sync>,
}

impl BoxedError {
    /// The error itself, if it has this type.
    pub fn downcast<E: Error + 'static>(self) -> Result<E, Self> {
        let Self { kind, error } = self;
        error.downcast().map(|error| *error).map_err(|error| Self { kind, error })
    }
}

impl<E: WithKind + Error + Send + Sync + 'static> From<E> for BoxedError {
    fn from(error: E) -> Self {
        Self { kind: error.error_kind(), error: error.into() }
    }
}

impl From<Box<dyn Error + Send + Sync>> for BoxedError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        Self { kind: ErrorKind::Input, error }
    }
}

impl From<String> for BoxedError {
    fn from(text: String) -> Self {
        Box::<dyn Error + Send + Sync>::from(text).into()
    }
}

impl From<&str> for BoxedError {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Display for BoxedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = self.error.to_string();
        let mut cause = self.error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            // A sentence that ends with its remedy has its cause.
            if !line.ends_with('.') && !line.contains(&text) {
                line = format!("{line}: {text}");
            }
            cause = error.source();
        }
        f.write_str(&line)
    }
}

impl WithKind for BoxedError {
    fn error_kind(&self) -> ErrorKind {
        self.kind
    }
}
