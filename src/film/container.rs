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

use flate2::read::GzDecoder;
use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

use crate::parallel::each;

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
        let mut bytes = Vec::with_capacity(5 * self.blob.words().len());
        let written = self.write(&mut bytes);
        let packed = written.and_then(|()| match effort {
            0 => Ok(bytes),
            effort => gzip(&bytes, Compression::new(effort)),
        });
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

/// Bytes that are packed by themselves, on any core.
const PART: usize = 1 << 20;

/// Bytes packed as one member, in which the packed parts stand one behind the other.
fn gzip(bytes: &[u8], effort: Compression) -> io::Result<Vec<u8>> {
    if bytes.len() <= PART {
        let mut encoder = GzEncoder::new(Vec::new(), effort);
        return encoder.write_all(bytes).and_then(|()| encoder.finish());
    }
    let mut parts: Vec<_> = bytes.chunks(PART).map(|part| (part, Ok(vec![]))).collect();
    let last = parts.len() - 1;
    each(&mut parts, &|number, (part, packed)| {
        let mut encoder = DeflateEncoder::new(Vec::new(), effort);
        *packed = encoder.write_all(part).and_then(|()| match number == last {
            true => encoder.finish(),
            // An empty block fills the last byte up; more blocks may follow.
            false => encoder.flush().map(|()| std::mem::take(encoder.get_mut())),
        });
    });
    let mut sum = Crc::new();
    sum.update(bytes);
    // RFC 1952: packed by deflate, no name, no time, no system.
    let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for (_, packed) in parts {
        member.extend(packed?);
    }
    member.extend(sum.sum().to_le_bytes());
    member.extend(sum.amount().to_le_bytes());
    Ok(member)
}
