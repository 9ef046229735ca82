//! A film as bytes.
//!
//! ```text
//! 0      "fragfilm"
//! 8      version, a little-endian word of 32 bits, as all that follows
//! 12     L, the bytes of the header, a multiple of four
//! 16     the header: the trace as JSON, with blanks behind
//! 16 + L the blob, word by word
//! ```

use std::io::{self, Read};

use flate2::read::GzDecoder;

use super::blob::Blob;
use super::error::FilmError;
use super::packing::{Packed, Packing};
use super::trace::{Trace, VERSION};

const MAGIC: &[u8; 8] = b"fragfilm";

/// A run as data.
#[derive(Debug, Default)]
pub struct Film {
    /// What happened.
    pub trace: Trace,
    /// Its floats.
    pub blob: Blob,
}

impl Film {
    /// All before the blob.
    fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = [&MAGIC[..], &VERSION.to_le_bytes(), &[0; 4]].concat();
        let start = head.len();
        serde_json::to_writer(&mut head, &self.trace)?;
        head.resize(head.len().next_multiple_of(4), b' ');
        let length = (head.len() - start) as u32;
        head[start - 4..start].copy_from_slice(&length.to_le_bytes());
        Ok(head)
    }

    /// As bytes, packed by gzip, where there is room for so many.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] when it cannot be written.
    pub fn packed(&self, packing: Packing, room: usize) -> Result<Packed<'_>, FilmError> {
        let head = self.head();
        let head = head.map_err(|error| FilmError::Malformed(error.to_string()))?;
        Ok(Packed::new(&head, self.blob.words(), packing, room))
    }

    /// The film of packed bytes.
    ///
    /// # Errors
    /// [`FilmError::Malformed`] when they are not those of one.
    pub fn unpack(packed: &[u8]) -> Result<Self, FilmError> {
        let malformed = |what: &str| FilmError::Malformed(what.into());
        let mut bytes = Vec::new();
        let read = GzDecoder::new(packed).read_to_end(&mut bytes);
        read.map_err(|error| malformed(&error.to_string()))?;
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
