//! The precision of surfaces, as a word: `#[serde(with = "precision")]`.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serializer};

use crate::stream::Format;

/// The words: 32 and 16 bits per float.
pub const NAMES: [&str; 2] = ["full", "half"];

/// The format of a word.
pub fn of_name(name: &str) -> Format {
    if name == NAMES[1] { Format::Rgba16F } else { Format::Rgba32F }
}

/// The word of a format.
pub fn name(precision: Format) -> &'static str {
    NAMES[usize::from(precision == Format::Rgba16F)]
}

/// Writes the word.
pub fn serialize<S: Serializer>(precision: &Format, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(name(*precision))
}

/// Reads the word.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Format, D::Error> {
    Ok(of_name(&Cow::<str>::deserialize(from)?))
}
