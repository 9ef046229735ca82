//! Packing by gzip, in parts: the first ones while a run goes on, for it often leaves a core idle, the
//! others on all cores.

use std::borrow::Cow;
use std::io;
use std::iter;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use flate2::{Compress, Compression, Crc, FlushCompress};

use crate::parallel::each;

/// Bytes of a part, a megabyte, and its words.
const BYTES: usize = 1 << 20;
const WORDS: usize = BYTES / 4;

/// Some bytes, packed by themselves.
#[derive(Debug, Default)]
struct Part {
    packed: Vec<u8>,
    sum: Crc,
}

impl Part {
    fn new(bytes: &[u8], effort: u32) -> io::Result<Self> {
        let mut sum = Crc::new();
        sum.update(bytes);
        let packed = match effort {
            0 => stored(bytes),
            effort => deflated(bytes, effort)?,
        };
        Ok(Self { packed, sum })
    }
}

/// Bytes packed by deflate; an empty block fills the last byte up, and more blocks may follow. In two calls with room
/// for all: a writer that flushes into a small buffer loses what is left over when the buffer is just full.
fn deflated(bytes: &[u8], effort: u32) -> io::Result<Vec<u8>> {
    let mut deflate = Compress::new(Compression::new(effort), false);
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 100 + 4096);
    deflate.compress_vec(bytes, &mut packed, FlushCompress::None)?;
    let taken = deflate.total_in() as usize;
    deflate.compress_vec(&bytes[taken..], &mut packed, FlushCompress::Sync)?;
    let is_all = deflate.total_in() == bytes.len() as u64 && packed.len() < packed.capacity();
    Ok(if is_all { packed } else { stored(bytes) })
}

/// Bytes in blocks that are not packed (RFC 1951, section 3.2.4), of which more may follow: the length, its
/// complement, and themselves.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut blocks = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 5);
    for bytes in bytes.chunks(u16::MAX.into()) {
        let length = bytes.len() as u16;
        blocks.push(0);
        blocks.extend(length.to_le_bytes());
        blocks.extend((!length).to_le_bytes());
        blocks.extend(bytes);
    }
    blocks
}

/// Words as they lie in a film.
fn little_endian(words: &[u32]) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(words).into(),
        false => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
    }
}

/// Each of these packed, on all cores.
fn pack<'a>(parts: impl Iterator<Item = Cow<'a, [u8]>>, effort: u32) -> io::Result<Vec<Part>> {
    let mut parts: Vec<_> = parts.map(|bytes| (bytes, Ok(Part::default()))).collect();
    each(&mut parts, &|_, (bytes, part)| {
        *part = Part::new(bytes, effort);
    });
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The first parts of words that are packed.
#[derive(Debug, Default)]
pub struct Packed {
    parts: Vec<Part>,
    effort: u32,
}

impl Packed {
    /// Bytes, then all words, as one member of gzip (RFC 1952). The first parts of the words stay as they
    /// are, unless more effort is asked for.
    pub fn member(&self, bytes: &[u8], words: &[u32], effort: u32) -> io::Result<Vec<u8>> {
        let first = match effort <= self.effort {
            true => &self.parts[..],
            false => &[],
        };
        let begin = bytes.chunks(BYTES).map(Cow::from);
        let end = words[first.len() * WORDS..].chunks(WORDS);
        let mut begin = pack(begin.chain(end.map(little_endian)), effort)?;
        let end = begin.split_off(bytes.len().div_ceil(BYTES));
        // Packed by deflate, no name, no time, no system.
        let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        let mut sum = Crc::new();
        let parts = begin.iter().chain(first).chain(&end);
        member.reserve(parts.clone().map(|part| part.packed.len()).sum::<usize>() + 10);
        for part in parts {
            member.extend(&part.packed);
            sum.combine(&part.sum);
        }
        // The last block, an empty one.
        member.extend([3, 0]);
        member.extend(sum.sum().to_le_bytes());
        member.extend(sum.amount().to_le_bytes());
        Ok(member)
    }
}

/// Packs words on a thread while more are written.
#[derive(Default)]
pub struct Packing {
    effort: u32,
    /// How many words the thread was given.
    given: usize,
    thread: Option<Thread>,
}

/// Who packs what waits.
struct Thread {
    sender: Sender<Vec<u8>>,
    waiting: Arc<Mutex<Receiver<Vec<u8>>>>,
    packed: JoinHandle<io::Result<Vec<Part>>>,
}

impl Packing {
    /// With an effort from 1 to 9, or 0, not at all.
    pub fn new(effort: u32) -> Self {
        Self {
            effort,
            ..Self::default()
        }
    }

    /// These are all words so far, and stay as they are.
    pub fn are_known(&mut self, words: &[u32]) {
        for part in words[self.given..].chunks_exact(WORDS) {
            if self.thread.is_none() {
                self.thread = Thread::start(self.effort).ok();
            }
            // Without a thread all wait for the end.
            let Some(thread) = &self.thread else {
                return;
            };
            // Who receives is there as long as the thread is known.
            let _ = thread.sender.send(little_endian(part).into_owned());
            self.given += WORDS;
        }
    }

    /// The parts that the thread was given; what waits still is packed on all cores.
    pub fn finish(self) -> io::Result<Packed> {
        let parts = self
            .thread
            .map_or_else(|| Ok(Vec::new()), |thread| thread.finish(self.effort));
        Ok(Packed {
            parts: parts?,
            effort: self.effort,
        })
    }
}

impl Thread {
    fn start(effort: u32) -> io::Result<Self> {
        let (sender, waiting) = channel::<Vec<u8>>();
        let waiting = Arc::new(Mutex::new(waiting));
        let queue = Arc::clone(&waiting);
        let pack = move || {
            let next = || lock(&queue).recv().ok();
            let parts = iter::from_fn(next);
            parts.map(|bytes| Part::new(&bytes, effort)).collect()
        };
        Ok(Self {
            sender,
            waiting,
            packed: thread::Builder::new().spawn(pack)?,
        })
    }

    fn finish(self, effort: u32) -> io::Result<Vec<Part>> {
        drop(self.sender);
        // At one go, so that nothing that the thread takes stands behind.
        let waiting: Vec<_> = lock(&self.waiting).iter().collect();
        let waiting = pack(waiting.into_iter().map(Cow::from), effort)?;
        let packed = self.packed.join();
        let mut parts = packed.unwrap_or_else(|panic| resume_unwind(panic))?;
        parts.extend(waiting);
        Ok(parts)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
            let words: Vec<u32> = (0..WORDS as u32)
                .map(|word| 0x3f80_0000 ^ (word << 4) ^ (random() & noise))
                .collect();
            let bytes = little_endian(&words);
            let mut packed = Part::new(&bytes, 1).unwrap().packed;
            packed.extend([3, 0]);
            let mut back = Vec::new();
            DeflateDecoder::new(&packed[..])
                .read_to_end(&mut back)
                .unwrap();
            assert!(back == *bytes, "part {part}");
        }
    }
}
