//! A film as bytes.
//!
//! ```text
//! 0      "fragfilm"
//! 8      version, a little-endian word of 32 bits, as all that follows
//! 12     L, the bytes of the header, a multiple of four
//! 16     the header: the trace as JSON, with blanks behind
//! 16 + L the blob, word by word
//! ```

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::blob::Blob;
use super::error::FilmError;
use super::trace::{Trace, VERSION};

const MAGIC: &[u8; 8] = b"fragfilm";

/// A run as data.
#[derive(Debug, Clone, Default)]
pub struct Film {
    /// What happened.
    pub trace: Trace,
    /// Its floats.
    pub blob: Blob,
}

impl Film {
    /// Writes its bytes, not packed.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut header = serde_json::to_vec(&self.trace)?;
        header.resize(header.len().next_multiple_of(4), b' ');
        out.write_all(MAGIC)?;
        out.write_all(
            [VERSION, header.len() as u32]
                .map(u32::to_le_bytes)
                .as_flattened(),
        )?;
        out.write_all(&header)?;
        self.blob.words().chunks(4096).try_for_each(|words| {
            let words: Vec<u32> = words.iter().map(|word| word.to_le()).collect();
            out.write_all(bytemuck::cast_slice(&words))
        })
    }

    /// As bytes, packed by gzip, with an effort from 1 to 9, or not at all.
    pub fn packed(&self, effort: u32) -> Result<Vec<u8>, FilmError> {
        let packed = match effort {
            0 => {
                let mut bytes = Vec::with_capacity(5 * self.blob.words().len());
                self.write(&mut bytes).map(|()| bytes)
            }
            effort => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::new(effort));
                self.write(&mut encoder).and_then(|()| encoder.finish())
            }
        };
        packed.map_err(|error| FilmError::Malformed(error.to_string()))
    }

    /// The film of bytes, packed or not.
    pub fn unpack(packed: &[u8]) -> Result<Self, FilmError> {
        let malformed = |what: &str| FilmError::Malformed(what.into());
        let mut unpacked = Vec::new();
        let bytes = match packed.starts_with(MAGIC) {
            true => packed,
            false => {
                let read = GzDecoder::new(packed).read_to_end(&mut unpacked);
                read.map_err(|error| malformed(&error.to_string()))?;
                &unpacked
            }
        };
        let words = |bytes: &[u8]| -> Vec<u32> {
            let words = bytes.as_chunks::<4>().0.iter();
            words.map(|&word| u32::from_le_bytes(word)).collect()
        };
        let start = bytes.split_first_chunk::<16>();
        let Some((start, rest)) = start.filter(|(start, _)| start.starts_with(MAGIC)) else {
            return Err(malformed("it begins otherwise"));
        };
        let &[version, length] = &words(&start[8..])[..] else {
            return Err(malformed("it is too short"));
        };
        if version != VERSION {
            return Err(malformed("it is of another version"));
        }
        let Some((header, blob)) = rest.split_at_checked(length as usize) else {
            return Err(malformed("it is too short"));
        };
        let trace = serde_json::from_slice(header);
        Ok(Self {
            trace: trace.map_err(|error| malformed(&error.to_string()))?,
            blob: Blob::of_words(words(blob)),
        })
    }
}
