//! The blob of a film: every float of a run, as its 32 bits.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::fingerprint;

/// Words of a blob: the first, and how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span(pub u32, pub u32);

/// Words, those that were written twice only once.
#[derive(Debug, Clone, Default)]
pub struct Blob {
    words: Vec<u32>,
    known: HashMap<u64, Vec<Span>>,
}

impl Blob {
    /// A blob that was read.
    pub fn of_words(words: Vec<u32>) -> Self {
        Self {
            words,
            known: HashMap::new(),
        }
    }

    /// Writes floats, unless they stand there already.
    pub fn put(&mut self, floats: &[f32]) -> Span {
        let bits = floats.iter().map(|float| float.to_bits());
        let key = fingerprint::fnv(floats, f32::to_bits);
        let known = self.known.entry(key).or_default();
        let is_same = |span: &&Span| words(&self.words, **span).iter().copied().eq(bits.clone());
        if let Some(span) = known.iter().find(is_same) {
            return *span;
        }
        let span = Span(self.words.len() as u32, floats.len() as u32);
        self.words.extend(bits);
        known.push(span);
        span
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
