//! The blob of a film: all floats of a run, packed while it runs.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::error::FilmError;
use super::seen::fnv;

/// 32-bit words in the blob: the index of the first one, and their number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span(pub u32, pub u32);

impl Span {
    /// Returns the floats of this span, given all floats of its film.
    ///
    /// # Panics
    /// If the span does not belong to this film.
    pub fn of(self, floats: &[f32]) -> &[f32] {
        &floats[self.0 as usize..][..self.1 as usize]
    }
}

/// Words, packed by gzip as they arrive. Equal runs of words are stored once.
pub struct Blob {
    packed: GzEncoder<Vec<u8>>,
    /// Number of words.
    length: u32,
    /// Spans by the hashes of their words.
    known: HashMap<u64, Span>,
    page_bytes: usize,
}

impl Blob {
    /// Creates an empty blob for a page of this size in bytes.
    pub fn new(page_bytes: usize) -> Self {
        Self { packed: packer(), length: 0, known: HashMap::new(), page_bytes }
    }

    /// Stores the bits of floats.
    ///
    /// # Errors
    /// [`FilmError::Page`] if there is no room for them.
    pub fn put(&mut self, floats: &[f32]) -> Result<Span, FilmError> {
        self.put_words(bytemuck::cast_slice(floats))
    }

    /// Stores words.
    ///
    /// # Errors
    /// [`FilmError::Page`] if there is no room for them.
    pub fn put_words(&mut self, words: &[u32]) -> Result<Span, FilmError> {
        let hash = fnv(words.iter().copied());
        let known = self.known.get(&hash);
        if let Some(&span) = known.filter(|span| span.1 as usize == words.len()) {
            return Ok(span);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.check_room(&bytes)?;
        self.packed.write_all(&bytes)?;
        let span = Span(self.length, words.len() as u32);
        self.length += span.1;
        self.known.insert(hash, span);
        Ok(span)
    }

    /// Checks that the packed bytes fit into the page. As text they are four thirds as large. A sixth of the
    /// page is reserved for the player and for the trace, which takes about 20 bytes per pass.
    fn check_room(&self, bytes: &[u8]) -> Result<(), FilmError> {
        let room = (self.page_bytes / 8 * 5).saturating_sub(self.packed.get_ref().len());
        if bytes.len() > room {
            let mut alone = packer();
            alone.write_all(bytes)?;
            if alone.finish()?.len() > room {
                return Err(FilmError::Page(self.page_bytes));
            }
        }
        Ok(())
    }

    /// Returns all packed bytes.
    ///
    /// # Errors
    /// If packing fails.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        Ok(self.packed.finish()?)
    }
}

fn packer() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::default())
}
