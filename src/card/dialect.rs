//! The era's rules ([`crate::program::dialect`]), and users' programs that keep them.

pub use crate::program::dialect::*;

use crate::stream::{Source, StreamError};

/// A user's program, if it keeps the rules. `name` is what messages call it: the path of its file.
/// It needs no header.
pub fn user_source(
    name: impl Into<String>,
    text: impl Into<String>,
) -> Result<Source, StreamError> {
    let (name, text) = (name.into(), text.into());
    match check_user(&name, &text).as_slice() {
        [] => Ok(Source::checked(name, text)),
        [only] => Err(StreamError::Rules(only.to_string())),
        [first, others @ ..] => {
            let more = others.len();
            Err(StreamError::Rules(format!("{first} (and {more} more)")))
        }
    }
}
