//! What is kept of what a pass has drawn: a hash, the largest numbers, a few texels.

use crate::gl::Format;
use crate::stream::{Extent, Rect};

/// Texels of a target that are kept.
const SAMPLES: u64 = 8;

/// Chains of products side by side: in a single one each would wait for the one before.
const LANES: usize = 8;
/// Of FNV-1a with 64 bits.
const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

/// FNV-1a of 64 bits, a word of 32 at a time, in eight chains that take the words by turns; then of the
/// chains' halves, the low ones first. A byte at a time it would cost more than the pass.
pub fn fnv<T: Copy>(values: &[T], word: impl Fn(T) -> u32) -> u64 {
    let mix = |hash: u64, word: u32| (hash ^ u64::from(word)).wrapping_mul(PRIME);
    let mut lanes = [START; LANES];
    let (eights, rest) = values.as_chunks::<LANES>();
    for eight in eights {
        for (lane, value) in lanes.iter_mut().zip(eight) {
            *lane = mix(*lane, word(*value));
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = mix(*lane, word(*value));
    }
    let halves = lanes
        .iter()
        .flat_map(|&lane| [lane as u32, (lane >> 32) as u32]);
    halves.fold(START, mix)
}

/// The hash of records: of the bits of their floats, where all NaN are one and the zeros are one;
/// bytes count as whole numbers up to 255.
pub fn hash(format: Format, data: &[f32]) -> u64 {
    match format {
        Format::Rgba8 => fnv(data, |value| (value * 255.0).round() as u32),
        _ => fnv(data, |value| match value {
            _ if value.is_nan() => f32::NAN.to_bits(),
            _ if value == 0.0 => 0,
            _ => value.to_bits(),
        }),
    }
}

/// What a pass draws of its target.
pub struct Drawn {
    /// The smallest rectangle around it.
    pub part: Rect,
    /// Texels that lie side by side in a row: where the first is, and how many.
    runs: Vec<([u32; 2], u32)>,
}

impl Drawn {
    /// The texels of a target of this size, in order.
    pub fn new(extent: Extent<'_>, (width, height): (u32, u32)) -> Self {
        let runs: Vec<_> = match extent {
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
                    // As glsl/stream/points.vert carries into the next row.
                    (y + dy) * width + x + dx
                });
                let inside = texels.filter(|texel| (0..width * height).contains(texel));
                inside
                    .map(|texel| ([(texel % width) as u32, (texel / width) as u32], 1))
                    .collect()
            }
        };
        Self {
            part: around(&runs),
            runs,
        }
    }

    /// Where a texel's record begins in the data of the part.
    fn place(&self, [x, y]: [u32; 2], channels: usize) -> usize {
        let (column, row) = ((x - self.part.x) as usize, (y - self.part.y) as usize);
        (row * self.part.width as usize + column) * channels
    }

    /// The largest finite size in each channel. `data` is that of the part, as in what follows.
    pub fn peak(&self, data: &[f32], channels: usize) -> [f32; 4] {
        let mut peak = [0.0f32; 4];
        for &(first, count) in &self.runs {
            let texels = &data[self.place(first, channels)..][..count as usize * channels];
            match channels {
                1 => raise::<1>(&mut peak, texels),
                2 => raise::<2>(&mut peak, texels),
                3 => raise::<3>(&mut peak, texels),
                _ => raise::<4>(&mut peak, texels),
            }
        }
        peak
    }

    /// A few of the texels, evenly spread: column, row, and four channels each.
    pub fn samples(&self, data: &[f32], channels: usize) -> Vec<f32> {
        let total: u64 = self.runs.iter().map(|&(_, count)| u64::from(count)).sum();
        let mut wanted = (0..SAMPLES).map(|k| (2 * k + 1) * total / (2 * SAMPLES));
        let mut next = wanted.next().filter(|_| total > 0);
        let (mut passed, mut samples, mut last) = (0, Vec::new(), None);
        for &([first, y], count) in &self.runs {
            let count = u64::from(count);
            while let Some(number) = next.filter(|number| *number < passed + count) {
                next = wanted.next();
                if last.replace(number) == Some(number) {
                    continue;
                }
                let x = first + (number - passed) as u32;
                let mut record = [x as f32, y as f32, 0.0, 0.0, 0.0, 0.0];
                let texel = &data[self.place([x, y], channels)..][..channels];
                record[2..][..channels].copy_from_slice(texel);
                samples.extend(record);
            }
            passed += count;
        }
        samples
    }
}

/// The smallest rectangle around runs; none around none.
fn around(runs: &[([u32; 2], u32)]) -> Rect {
    let least = |of: fn(&([u32; 2], u32)) -> u32| runs.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&([u32; 2], u32)) -> u32| runs.iter().map(of).max().unwrap_or(0);
    let (x, y) = (least(|&([x, _], _)| x), least(|&([_, y], _)| y));
    Rect {
        x,
        y,
        width: most(|&([x, _], count)| x + count) - x,
        height: most(|&([_, y], _)| y + 1) - y,
    }
}

/// The larger of each channel's peak and its finite sizes.
fn raise<const CHANNELS: usize>(peak: &mut [f32; 4], texels: &[f32]) {
    let mut own = [0.0f32; CHANNELS];
    for texel in texels.as_chunks::<CHANNELS>().0 {
        for (own, value) in own.iter_mut().zip(texel) {
            let size = value.abs();
            *own = if size > *own && size < f32::INFINITY {
                size
            } else {
                *own
            };
        }
    }
    for (peak, own) in peak.iter_mut().zip(own) {
        *peak = peak.max(own);
    }
}
