//! A film as text: the trace as JSON and the floats, each packed by gzip and in base64, with a full stop
//! between them.

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::error::FilmError;
use super::trace::{Trace, VERSION};
use crate::io::reading;

const BETWEEN: char = '.';

/// A recorded run.
#[derive(Debug, Clone)]
pub struct Film {
    /// The events of the run.
    pub trace: Trace,
    /// The floats of the run, packed.
    pub(super) packed: Vec<u8>,
}

impl Film {
    /// Returns the film as text without markup characters.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] if it cannot be packed.
    pub fn text(&self) -> Result<String, FilmError> {
        let mut trace = GzEncoder::new(Vec::new(), Compression::default());
        serde_json::to_writer(&mut trace, &self.trace).map_err(io::Error::from)?;
        trace.flush()?;
        let mut text = STANDARD.encode(trace.finish()?);
        text.push(BETWEEN);
        STANDARD.encode_string(&self.packed, &mut text);
        Ok(text)
    }

    /// Reads a film from its text.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] if the text is not a film.
    pub fn of_text(text: &str) -> Result<Self, FilmError> {
        let malformed = |what: &str| FilmError::Malformed(what.into());
        let halves = text.split_once(BETWEEN);
        let (trace, floats) = halves.ok_or_else(|| malformed("it does not have two parts"))?;
        let [trace, packed] = [trace, floats].map(|part| STANDARD.decode(part));
        let trace = trace.map_err(|error| malformed(&error.to_string()))?;
        let trace: Trace = serde_json::from_slice(&unpacked(&trace)?).map_err(io::Error::from)?;
        if trace.version != VERSION {
            return Err(malformed("it has another version"));
        }
        let packed = packed.map_err(|error| malformed(&error.to_string()))?;
        let floats = unpacked(&packed)?.len() / 4;
        trace.check(floats).map_err(|what| malformed(&format!("it has {what}")))?;
        Ok(Self { trace, packed })
    }

    /// Returns all floats, unpacked.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] if they cannot be unpacked.
    pub fn floats(&self) -> Result<Vec<f32>, FilmError> {
        let bytes = unpacked(&self.packed)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|&word| f32::from_le_bytes(word)).collect())
    }
}

fn unpacked(packed: &[u8]) -> Result<Cow<'_, [u8]>, FilmError> {
    match reading::unpacked(packed) {
        Ok(Cow::Borrowed(_)) => Err(FilmError::Malformed("a part of it is not packed".into())),
        bytes => bytes.map_err(|fault| FilmError::Malformed(fault.what)),
    }
}
