//! The blob of a film: every float of a run, as its 32 bits.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::fingerprint;

/// Words of a blob: the first, and how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span(pub u32, pub u32);

/// Words, those that were written twice only once.
#[derive(Debug, Default)]
pub struct Blob {
    words: Vec<u32>,
    /// By their hash, the last that were written with it.
    known: FxHashMap<u64, Span>,
}

impl Blob {
    /// A blob that was read.
    pub fn of_words(words: Vec<u32>) -> Self {
        Self {
            words,
            ..Self::default()
        }
    }

    /// Writes floats, unless they stand there already.
    pub fn put(&mut self, floats: &[f32]) -> Span {
        let bits: &[u32] = bytemuck::cast_slice(floats);
        let key = fingerprint::fnv(bits);
        if let Some(&span) = self.known.get(&key)
            && words(&self.words, span) == bits
        {
            return span;
        }
        let span = self.end(floats.len());
        self.words.extend_from_slice(bits);
        self.known.insert(key, span);
        span
    }

    /// Makes room for so many words that are not known yet, and hardly ever come again: zeros.
    pub(super) fn reserve(&mut self, words: usize) -> Span {
        let span = self.end(words);
        self.words.resize(self.words.len() + words, 0);
        span
    }

    /// The room for words.
    ///
    /// # Panics
    /// When it is none of this blob.
    pub(super) fn room(&mut self, Span(first, count): Span) -> &mut [u32] {
        &mut self.words[first as usize..][..count as usize]
    }

    /// Where so many words would be written.
    fn end(&self, count: usize) -> Span {
        Span(self.words.len() as u32, count as u32)
    }

    /// The floats of a span.
    ///
    /// # Panics
    /// When it is none of this blob.
    pub fn floats(&self, span: Span) -> Vec<f32> {
        let words = words(&self.words, span).iter();
        words.map(|&word| f32::from_bits(word)).collect()
    }

    /// All words.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

fn words(words: &[u32], Span(first, count): Span) -> &[u32] {
    &words[first as usize..][..count as usize]
}
