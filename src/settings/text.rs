//! A value as its word: `#[serde(with = "text")] #[schemars(with = "String")]`.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes the word.
pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Reads the word.
pub fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
{
    Cow::<str>::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// A value that may be left open: `#[serde(with = "text::optional")] #[schemars(with = "Option<String>")]`.
pub mod optional {
    use super::{Cow, Deserialize, Deserializer, Display, Error, FromStr, Serializer};

    /// Writes the word, or null.
    pub fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    /// Reads the word, or null.
    pub fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
    {
        let word = Option::<Cow<str>>::deserialize(from)?;
        word.map(|word| word.parse().map_err(D::Error::custom)).transpose()
    }
}
