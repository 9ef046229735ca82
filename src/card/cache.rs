//! A set-associative texture cache, simulated over a list of fetches.
//!
//! No card's manual gives the size of its texture cache, the length of a line or the number of ways. A statement
//! about a card is therefore only as good as its range: [`Shape::range`] has all plausible caches of 2003.

use std::ops::Range;

/// Choice of a line's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sets {
    /// The lowest bits of the line's number.
    Plain,
    /// These bits mixed with higher ones, so that textures at round addresses do not share sets.
    Hashed,
}

/// A cache. Sizes are powers of two; the least recently used line of a set is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Size in bytes.
    pub bytes: u32,
    /// Bytes per line, which a miss moves.
    pub line: u32,
    /// Lines per set.
    pub ways: u32,
    /// Choice of the set.
    pub sets: Sets,
}

impl Shape {
    /// A cache with this number of KB, lines of 32 bytes, and hashed sets of four.
    pub const fn of_kb(kb: u32) -> Self {
        Self { bytes: kb << 10, line: 32, ways: 4, sets: Sets::Hashed }
    }

    /// All combinations of these sizes in KB with lines of 32 to 128 bytes, two to eight ways, and both kinds of
    /// sets.
    pub fn range(sizes: &[u32]) -> Vec<Self> {
        let mut shapes = Vec::new();
        for &kb in sizes {
            for line in [32, 64, 128] {
                for ways in [2, 4, 8] {
                    let of = |sets| Self { bytes: kb << 10, line, ways, sets };
                    shapes.extend([Sets::Plain, Sets::Hashed].map(of));
                }
            }
        }
        shapes
    }
}

/// A cache with its contents.
#[derive(Clone, Debug)]
pub struct Cache {
    shape: Shape,
    /// Numbers of the lines, set by set, in each set from the one used last.
    lines: Vec<u64>,
    ways: usize,
    sets: u64,
}

impl Cache {
    /// An empty cache. A cache that is smaller than a set of these ways is one set.
    pub fn new(shape: Shape) -> Self {
        let lines = (shape.bytes / shape.line).max(1);
        let sets = (lines / shape.ways.clamp(1, lines)).max(1);
        let ways = (lines / sets) as usize;
        Self { shape, lines: vec![u64::MAX; lines as usize], ways, sets: sets.into() }
    }

    /// Fetches the byte at this address. Returns true if its line was in the cache.
    #[inline]
    pub fn fetch(&mut self, address: u64) -> bool {
        let line = address / u64::from(self.shape.line);
        let set = match self.shape.sets {
            Sets::Plain => line,
            Sets::Hashed => line ^ (line >> 7) ^ (line >> 13),
        };
        let first = (set % self.sets) as usize * self.ways;
        let set = &mut self.lines[first..first + self.ways];
        let found = set.iter().position(|&one| one == line);
        set[..=found.unwrap_or(self.ways - 1)].rotate_right(1);
        set[0] = line;
        found.is_some()
    }
}

/// The way in which a card runs one thread per row: clusters of processors, each cluster with its cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warps {
    /// Clusters.
    pub clusters: usize,
    /// Blocks that are resident in a cluster at the same time.
    pub blocks: usize,
    /// Threads per block.
    pub threads: usize,
    /// Threads whose accesses are combined: an address is fetched once per line.
    pub half_warp: usize,
}

impl Warps {
    /// Bytes that accesses to one array move from memory through the cache of each cluster: as it is, and with a
    /// second level that all share. Thread `row` makes the accesses to `accesses[rows[row]]`, in order; resident
    /// blocks make them in step.
    pub fn bytes_moved(
        &self,
        accesses: &[u64],
        rows: &[Range<usize>],
        first: Shape,
        second: Shape,
    ) -> [u64; 2] {
        let mut caches = vec![Cache::new(first); self.clusters];
        let mut shared = Cache::new(second);
        let mut misses = [0; 2];
        let mut seen: Vec<u64> = Vec::with_capacity(self.half_warp);
        for resident in rows.chunks(self.clusters * self.blocks * self.threads) {
            let steps = resident.iter().map(ExactSizeIterator::len).max();
            for step in 0..steps.unwrap_or(0) {
                for (block, rows) in resident.chunks(self.threads).enumerate() {
                    let cache = &mut caches[block % self.clusters];
                    for rows in rows.chunks(self.half_warp) {
                        seen.clear();
                        for row in rows.iter().filter(|row| step < row.len()) {
                            let address = accesses[row.start + step];
                            let line = address / u64::from(first.line);
                            if !seen.contains(&line) {
                                seen.push(line);
                                let is_missed = !cache.fetch(address);
                                misses[0] += u64::from(is_missed);
                                misses[1] += u64::from(is_missed && !shared.fetch(address));
                            }
                        }
                    }
                }
            }
        }
        misses.map(|misses| misses * u64::from(first.line))
    }

    /// Bytes that streams of elements of `bytes` bytes move that are stored step by step, with one element per
    /// row and step, and read once: whole segments of `segment` bytes in which any row is active.
    pub fn bytes_streamed(rows: &[Range<usize>], bytes: usize, segment: usize) -> u64 {
        let longest = |rows: &[Range<usize>]| rows.iter().map(ExactSizeIterator::len).max();
        let segments = rows.chunks((segment / bytes).max(1));
        let steps: usize = segments.filter_map(longest).sum();
        (steps * segment) as u64
    }
}
