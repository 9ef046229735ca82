//! Packing by gzip, in parts, on all cores.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, Write};

use flate2::{Compress, Compression, Crc, FlushCompress};

use crate::parallel::each;

/// Bytes of a part, half a megabyte.
const PART: usize = 1 << 19;
/// The first bytes of each so many are packed to see what would be left of a part.
const PIECE: usize = PART / 2;
const SAMPLE: usize = 1 << 14;

/// Efforts of deflate that take little time, and much.
const QUICK: u32 = 1;
const WELL: u32 = 6;

/// How much time may be spent on packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// As much as makes bytes few, longer than many a run.
    Well,
    /// Only what becomes less than a quarter is packed, which is what takes least, and of the rest as much
    /// as there is no room for.
    Quick,
}

/// What a member of gzip begins with (RFC 1952): packed by deflate, no name, no time, no system.
const BEGIN: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/// And ends with: the last block of deflate, an empty one, and words for the sum of its bytes and their number.
const LAST: [u8; 2] = [3, 0];
const SUMS: usize = 8;

/// Bytes as one member of gzip.
pub struct Packed<'a> {
    parts: Vec<Part<'a>>,
}

/// Some of them, packed by themselves or not at all.
struct Part<'a> {
    bytes: Cow<'a, [u8]>,
    packed: Option<Vec<u8>>,
}

impl<'a> Packed<'a> {
    /// Of some bytes, and words behind them. Where there is room for so many bytes they may be more.
    pub(super) fn new(head: &[u8], words: &'a [u32], packing: Packing, room: usize) -> Self {
        let head = head.chunks(PART).map(|bytes| bytes.to_vec().into());
        let words = words.chunks(PART / 4).map(little_endian);
        let parts = head.chain(words).map(|bytes| Part {
            bytes,
            packed: None,
        });
        let mut packed = Self {
            parts: parts.collect(),
        };
        if packing == Packing::Quick {
            packed.pack_into(room);
        }
        if packing == Packing::Well || packed.bytes() > room {
            packed.pack(&vec![true; packed.parts.len()], WELL);
        }
        packed
    }

    /// How many it takes.
    pub fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(Part::written);
        BEGIN.len() + parts.sum::<usize>() + LAST.len() + SUMS
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&BEGIN)?;
        let mut sum = Crc::new();
        for part in &self.parts {
            sum.update(&part.bytes);
            match &part.packed {
                Some(packed) => out.write_all(packed)?,
                None => store(&part.bytes, out)?,
            }
        }
        out.write_all(&LAST)?;
        out.write_all(&sum.sum().to_le_bytes())?;
        out.write_all(&sum.amount().to_le_bytes())
    }

    /// Packs these parts, on all cores.
    fn pack(&mut self, which: &[bool], effort: u32) {
        each(&mut self.parts, &|number, part| {
            if which[number] {
                part.packed = deflated(&part.bytes, effort);
            }
        });
    }

    /// Packs quickly what becomes less than a quarter, as samples have it, and more until there is room.
    fn pack_into(&mut self, room: usize) {
        let mut saved = vec![0; self.parts.len()];
        each(&mut saved, &|number, saved| {
            *saved = self.parts[number].saves()
        });
        let mut order: Vec<_> = (0..saved.len()).collect();
        order.sort_by_key(|&number| Reverse(saved[number]));
        let mut which = vec![false; saved.len()];
        let mut bytes = self.bytes();
        for number in order {
            let all = self.parts[number].bytes.len();
            which[number] = saved[number] > all / 4 * 3 || bytes > room;
            bytes -= if which[number] { saved[number] } else { 0 };
        }
        self.pack(&which, QUICK);
        if self.bytes() > room {
            // Samples promise too much.
            let others: Vec<_> = which.into_iter().map(|which| !which).collect();
            self.pack(&others, QUICK);
        }
    }
}

impl Part<'_> {
    /// How many bytes quick packing would save, about.
    fn saves(&self) -> usize {
        let pieces = self.bytes.chunks(PIECE);
        let pieces = pieces.map(|piece| &piece[..SAMPLE.min(piece.len())]);
        let sample = pieces.collect::<Vec<_>>().concat();
        let left = deflated(&sample, QUICK).map_or(sample.len(), |packed| packed.len());
        (sample.len() - left) * self.bytes.len() / sample.len()
    }

    /// How many it takes.
    fn written(&self) -> usize {
        let blocks = self.bytes.len().div_ceil(BLOCK);
        let stored = self.bytes.len() + blocks * BEFORE_BLOCK;
        self.packed.as_ref().map_or(stored, Vec::len)
    }
}

/// Bytes packed by deflate, if they are fewer; an empty block fills the last byte up, and more blocks may
/// follow. In two calls with room for all: a writer that flushes into a small buffer loses what is left over
/// when the buffer is just full.
fn deflated(bytes: &[u8], effort: u32) -> Option<Vec<u8>> {
    let mut deflate = Compress::new(Compression::new(effort), false);
    let mut packed = Vec::with_capacity(bytes.len());
    deflate
        .compress_vec(bytes, &mut packed, FlushCompress::None)
        .ok()?;
    let taken = deflate.total_in() as usize;
    deflate
        .compress_vec(&bytes[taken..], &mut packed, FlushCompress::Sync)
        .ok()?;
    let is_all = deflate.total_in() == bytes.len() as u64 && packed.len() < packed.capacity();
    is_all.then_some(packed)
}

/// Bytes of a block that is not packed, and of its head (RFC 1951, section 3.2.4).
const BLOCK: usize = u16::MAX as usize;
const BEFORE_BLOCK: usize = 5;

/// Writes bytes in blocks that are not packed, of which more may follow: the length, its complement, and
/// themselves.
fn store(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    for bytes in bytes.chunks(BLOCK) {
        let [low, high] = (bytes.len() as u16).to_le_bytes();
        out.write_all(&[0, low, high, !low, !high])?;
        out.write_all(bytes)?;
    }
    Ok(())
}

/// Words as they lie in a film.
fn little_endian(words: &[u32]) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(words).into(),
        false => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;

    use super::*;

    #[test]
    fn parts_of_any_entropy_unpack_to_what_they_were() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as u32
        };
        // So many low bits of each word are noise: of some parts what is left ends just where a buffer does.
        for part in 0..160 {
            let noise = (1_u32 << (part % 32)) - 1;
            let words: Vec<u32> = (0..PART as u32 / 4)
                .map(|word| 0x3f80_0000 ^ (word << 4) ^ (random() & noise))
                .collect();
            let bytes = little_endian(&words);
            let Some(mut packed) = deflated(&bytes, QUICK) else {
                assert!(part % 32 > 20, "part {part} has little noise");
                continue;
            };
            packed.extend(LAST);
            let mut back = Vec::new();
            DeflateDecoder::new(&packed[..])
                .read_to_end(&mut back)
                .unwrap();
            assert!(back == *bytes, "part {part}");
        }
    }
}
