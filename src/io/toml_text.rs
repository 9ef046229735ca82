//! TOML: parsing, and faults with the line and a suggestion.

use serde::de::DeserializeOwned;
use toml::de::Error;

use super::error::{CORRECT, Fault, Place};
use crate::base::nearest::suggestion;

/// Parses a text into a table.
pub fn parse_toml<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    toml::from_str(text).map_err(|error| fault(text, &error))
}

/// The line of a byte, from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&b| b == b'\n').count() + 1
}

/// A text for a message, truncated to `most` characters.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The parser's message with its line, its key and a suggestion.
fn fault(text: &str, error: &Error) -> Fault {
    let what = shortened(&error.message().trim().replace('\n', ", "), 400);
    let Some(span) = error.span() else {
        return Fault::new(Place::File, what, CORRECT);
    };
    let line = line_of(text, span.start);
    let mut quoted = what.split('`').skip(1).step_by(2);
    let what = match quoted.next() {
        Some(given) if what.starts_with("unknown field") => {
            let known: Vec<&str> = quoted.collect();
            let keys = known.join(", ");
            let meant = suggestion(given, &known);
            format!("unknown field `{given}`, {meant}there are {keys}")
        }
        _ => {
            let key = text.lines().nth(line - 1).unwrap_or_default();
            let key = key.split(['=', '#']).next().unwrap_or_default().trim();
            format!("{what} (in `{}`)", shortened(key, 40))
        }
    };
    Fault::new(Place::Line(line), what, CORRECT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_not_echoed() {
        let noise = "x".repeat(100_000);
        for text in [
            noise.clone(),
            format!("a = {noise}"),
            format!("\"{noise}\" = 1"),
            format!("a = \"{noise}\""),
        ] {
            let table = parse_toml::<std::collections::BTreeMap<String, i64>>(&text);
            if let Err(fault) = table {
                assert!(fault.to_string().len() < 600, "{fault}");
            }
        }
    }
}
