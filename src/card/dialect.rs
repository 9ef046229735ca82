//! The era's rules ([`crate::program::dialect`]), applied to users' programs.

pub use crate::program::dialect::*;

use crate::program::dialect::report;
use crate::program::plain;
use crate::stream::{Limits, Source, StreamError};

/// Checks a user's program against the rules. `name` identifies it in messages: the path of its file. It needs
/// no header, and is held against these limits: those of the program that it replaces.
///
/// # Errors
/// [`StreamError::Rules`] with each violation, its line and its remedy.
pub fn user_source(
    name: impl Into<String>,
    text: impl Into<String>,
    limits: Limits,
) -> Result<Source, StreamError> {
    let (name, text) = (name.into(), plain(&text.into()));
    match check_user(&name, &text) {
        none if none.is_empty() => Ok(Source::checked(name, text, limits)),
        some => Err(StreamError::Rules(report(&some))),
    }
}
