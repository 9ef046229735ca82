//! What is kept of what a pass has drawn: a hash, the largest numbers, a few texels.

use std::ops::Range;
use std::rc::Rc;

use crate::gl::Format;
use crate::stream::{Extent, Rect, Size};

/// Of FNV-1a with 64 bits.
const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

/// FNV-1a of 64 bits over words of 32, which costs less than the pass: by pairs, the second word in the
/// high half, and in four chains that take the pairs by turns, for in a single one each product would
/// wait for the one before. Then of the chains.
pub fn fnv(words: &[u32]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME);
    // Each by its name, and so in a register of its own.
    let [mut a, mut b, mut c, mut d] = [START; 4];
    let (eights, rest) = words.as_chunks::<8>();
    for eight in eights {
        let pair = |low: usize| u64::from(eight[low]) | u64::from(eight[low + 1]) << 32;
        a = mix(a, pair(0));
        b = mix(b, pair(2));
        c = mix(c, pair(4));
        d = mix(d, pair(6));
    }
    let mut chains = [a, b, c, d];
    for (chain, pair) in chains.iter_mut().zip(rest.chunks(2)) {
        let words = pair.iter().rev().map(|&word| u64::from(word));
        *chain = mix(*chain, words.fold(0, |pair, word| pair << 32 | word));
    }
    chains.into_iter().fold(START, mix)
}

/// The hash of records: of the bits of their floats, where all NaN are one and the zeros are one;
/// bytes count as whole numbers up to 255.
pub fn hash(format: Format, data: &[f32]) -> u64 {
    let byte = |value: &f32| (value * 255.0).round() as u32;
    // Signed, for a size is: so all of this is done to several numbers at once.
    let number = |value: &f32| match (value.abs().to_bits() as i32, value.to_bits()) {
        (0, _) => 0,
        (0x7f80_0001.., _) => f32::NAN.to_bits(),
        (_, bits) => bits,
    };
    let words: Vec<u32> = match format {
        Format::Rgba8 => data.iter().map(byte).collect(),
        _ => data.iter().map(number).collect(),
    };
    fnv(&words)
}

/// Words of a hash, floats of the largest sizes, and floats of a sample.
const HASH: usize = 2;
const PEAK: usize = 4;
const SAMPLE: usize = 6;

/// Texels that lie side by side in a row: where the first is, and how many.
type Run = ([u32; 2], u32);

/// What passes with one extent draw of a target.
pub struct Drawn {
    /// The smallest rectangle around it.
    around: Rect,
    /// From the lowest row up.
    runs: Vec<Run>,
}

/// What of it is looked at in one pass.
pub struct Band {
    /// A rectangle of whole rows.
    pub part: Rect,
    drawn: Rc<Drawn>,
    /// The numbers of its runs.
    runs: Range<usize>,
}

impl Drawn {
    /// The texels of a target of this size.
    pub fn new(extent: Extent<'_>, (width, height): Size) -> Self {
        let mut runs: Vec<_> = match extent {
            Extent::Rects(rects) => rects
                .list()
                .iter()
                .flat_map(|rect| {
                    let rows = rect.y..rect.y + rect.height;
                    rows.map(move |row| ([rect.x, row], rect.width))
                })
                .collect(),
            Extent::Points(points) => {
                let [dx, dy] = points.moved().map(i64::from);
                let (width, height) = (i64::from(width), i64::from(height));
                let texels = points.list().iter().map(|point| {
                    let [x, y] = point.target.map(i64::from);
                    // As glsl/stream/program/points.vert carries into the next row.
                    (y + dy) * width + x + dx
                });
                let inside = texels.filter(|texel| (0..width * height).contains(texel));
                inside
                    .map(|texel| ([(texel % width) as u32, (texel / width) as u32], 1))
                    .collect()
            }
        };
        runs.sort_unstable_by_key(|&([x, y], _)| (y, x));
        let around = around(&runs);
        Self { around, runs }
    }

    /// The smallest rectangle around them.
    pub fn around(&self) -> Rect {
        self.around
    }

    /// So many texels, or a row, other ones at every pass.
    pub fn band(self: &Rc<Self>, texels: u32, pass: usize) -> Band {
        let all = self.around;
        let rows = (texels / all.width.max(1)).max(1);
        let bands = all.height.div_ceil(rows).max(1);
        let first = (pass % bands as usize) as u32 * rows;
        let part = Rect {
            y: all.y + first,
            height: rows.min(all.height - first),
            ..all
        };
        let below = |y| self.runs.partition_point(|&([_, row], _)| row < y);
        Band {
            part,
            runs: below(part.y)..below(part.y + part.height),
            drawn: Rc::clone(self),
        }
    }
}

impl Band {
    fn runs(&self) -> &[Run] {
        &self.drawn.runs[self.runs.clone()]
    }

    /// Where a texel's record begins in the data of the part.
    fn place(&self, [x, y]: [u32; 2], channels: usize) -> usize {
        let (column, row) = ((x - self.part.x) as usize, (y - self.part.y) as usize);
        (row * self.part.width as usize + column) * channels
    }

    /// How many words are kept of it, with so many samples at most.
    pub fn words(&self, most: u32) -> usize {
        HASH + PEAK + SAMPLE * self.texels().min(most.into()) as usize
    }

    /// Fills so many words with the hash of its data, the low word first, the largest sizes, and samples.
    ///
    /// # Panics
    /// When there is less room than for the first two.
    pub fn fill(&self, words: &mut [u32], format: Format, data: &[f32]) {
        let (hashed, words) = words.split_at_mut(HASH);
        let hash = hash(format, data);
        hashed.copy_from_slice(&[hash as u32, (hash >> 32) as u32]);
        let (peak, samples) = words.split_at_mut(PEAK);
        peak.copy_from_slice(&self.peak(data, format.channels()).map(f32::to_bits));
        self.sample(bytemuck::cast_slice_mut(samples), data, format.channels());
    }

    /// The largest finite size in each channel. `data` is that of the part, as in what follows.
    fn peak(&self, data: &[f32], channels: usize) -> [f32; PEAK] {
        // A multiple of all numbers of channels: each lane keeps to its channel.
        let mut lanes = [0.0f32; 12];
        for &(first, count) in self.runs() {
            let texels = &data[self.place(first, channels)..][..count as usize * channels];
            let (twelves, rest) = texels.as_chunks::<12>();
            for twelve in twelves {
                // By number, which does all at once: five times as fast.
                for lane in 0..12 {
                    lanes[lane] = larger(lanes[lane], twelve[lane]);
                }
            }
            for (lane, &value) in lanes.iter_mut().zip(rest) {
                *lane = larger(*lane, value);
            }
        }
        let mut peak = [0.0f32; PEAK];
        for (lane, size) in lanes.into_iter().enumerate() {
            let peak = &mut peak[lane % channels];
            *peak = peak.max(size);
        }
        peak
    }

    /// Its texels.
    fn texels(&self) -> u64 {
        self.runs().iter().map(|&(_, count)| u64::from(count)).sum()
    }

    /// As many of the texels as there is room for, evenly spread: column, row, and four channels each.
    fn sample(&self, samples: &mut [f32], data: &[f32], channels: usize) {
        let (samples, _) = samples.as_chunks_mut::<SAMPLE>();
        let (count, total) = (samples.len() as u64, self.texels());
        let mut wanted = (0..count).map(|k| (2 * k + 1) * total / (2 * count));
        let mut next = wanted.next();
        let (mut samples, mut passed) = (samples.iter_mut(), 0);
        for &([first, y], count) in self.runs() {
            let count = u64::from(count);
            while let Some(number) = next.filter(|number| *number < passed + count)
                && let Some(sample) = samples.next()
            {
                next = wanted.next();
                let x = first + (number - passed) as u32;
                let texel = &data[self.place([x, y], channels)..][..channels];
                sample[..2].copy_from_slice(&[x as f32, y as f32]);
                sample[2..][..channels].copy_from_slice(texel);
            }
            passed += count;
        }
    }
}

/// The smallest rectangle around runs; none around none.
fn around(runs: &[Run]) -> Rect {
    let least = |of: fn(&Run) -> u32| runs.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&Run) -> u32| runs.iter().map(of).max().unwrap_or(0);
    let (x, y) = (least(|&([x, _], _)| x), least(|&([_, y], _)| y));
    Rect {
        x,
        y,
        width: most(|&([x, _], count)| x + count) - x,
        height: most(|&([_, y], _)| y + 1) - y,
    }
}

/// The larger one of a size and that of a value, if this is finite.
fn larger(most: f32, value: f32) -> f32 {
    let size = value.abs();
    let size = if size < f32::INFINITY { size } else { 0.0 };
    if size > most { size } else { most }
}
