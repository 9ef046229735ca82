//! A film as text: the trace as JSON and the floats, each packed by gzip and in base64, with a full stop
//! between them.

use std::io::{self, Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::error::FilmError;
use super::trace::{Trace, VERSION};

const BETWEEN: char = '.';

/// A run as data.
#[derive(Debug, Clone)]
pub struct Film {
    /// What happened.
    pub trace: Trace,
    /// Its floats, packed.
    pub(super) packed: Vec<u8>,
}

impl Film {
    /// The film as text that no markup changes.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] when it cannot be packed.
    pub fn text(&self) -> Result<String, FilmError> {
        let mut trace = GzEncoder::new(Vec::new(), Compression::default());
        serde_json::to_writer(&mut trace, &self.trace).map_err(io::Error::from)?;
        trace.flush()?;
        let mut text = STANDARD.encode(trace.finish()?);
        text.push(BETWEEN);
        STANDARD.encode_string(&self.packed, &mut text);
        Ok(text)
    }

    /// The film of a text.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] when the text is not that of a film.
    pub fn of_text(text: &str) -> Result<Self, FilmError> {
        let malformed = |what: &str| FilmError::Malformed(what.into());
        let halves = text.split_once(BETWEEN);
        let (trace, floats) = halves.ok_or_else(|| malformed("there are no two parts"))?;
        let [trace, packed] = [trace, floats].map(|part| STANDARD.decode(part));
        let trace = trace.map_err(|error| malformed(&error.to_string()))?;
        let trace: Trace = serde_json::from_slice(&unpacked(&trace)?).map_err(io::Error::from)?;
        if trace.version != VERSION {
            return Err(malformed("it is of another version"));
        }
        let packed = packed.map_err(|error| malformed(&error.to_string()))?;
        unpacked(&packed)?;
        Ok(Self { trace, packed })
    }

    /// All floats, unpacked.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] when they cannot be unpacked.
    pub fn floats(&self) -> Result<Vec<f32>, FilmError> {
        let bytes = unpacked(&self.packed)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|&word| f32::from_le_bytes(word)).collect())
    }
}

fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes)?;
    Ok(bytes)
}
