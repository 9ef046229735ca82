//! Errors of checks.

use std::error::Error;
use std::fmt;

use crate::error::{ErrorKind, WithKind};

/// Any error of a check, with its kind. Prints with its causes, on one line.
#[derive(Debug)]
pub struct BoxedError {
    /// Its kind.
    pub kind: ErrorKind,
    error: Box<dyn Error + Send + Sync>,
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
        write!(f, "{}", self.error)?;
        let mut cause = self.error.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
