//! Maps whose keys nobody outside chooses.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map that hashes by a product a word. The standard library's hasher withstands keys that somebody
/// chose to collide, and takes ten times as long: much of what counting a program's instructions did.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// As rustc hashes (FxHash): each word is mixed in by a rotation and a product.
#[derive(Debug, Clone, Default)]
pub(crate) struct Quick(u64);

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words
            .iter()
            .for_each(|&word| self.write_u64(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.write_u8(byte));
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    /// A product's high bits know of all of its factors; maps look at the lowest first.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
