//! What is kept of a target that is not kept whole: a hash, the largest numbers, a few texels.

use crate::gl::Format;
use crate::stream::Extent;

/// Texels of a target that are kept.
const SAMPLES: u64 = 8;

/// FNV-1a of 64 bits, a word of 32 at a time: a byte at a time it would cost more than the pass.
pub fn fnv(words: impl Iterator<Item = u32>) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    words.fold(START, |hash, word| {
        (hash ^ u64::from(word)).wrapping_mul(PRIME)
    })
}

/// The hash of a stream's records: of the bits of their floats, where all NaN are one and the zeros
/// are one; bytes count as whole numbers up to 255.
pub fn hash(format: Format, data: &[f32]) -> u64 {
    fnv(data.iter().map(|&value| match format {
        Format::Rgba8 => (value * 255.0).round() as u32,
        _ if value.is_nan() => f32::NAN.to_bits(),
        _ if value == 0.0 => 0,
        _ => value.to_bits(),
    }))
}

/// Texels that lie side by side in a row: the first one's number, and how many.
type Run = (u64, u64);

/// The texels of a target of this size that are drawn, in order.
pub fn drawn(extent: Extent<'_>, (width, height): (u32, u32)) -> Vec<Run> {
    let (width, height) = (i64::from(width), i64::from(height));
    match extent {
        Extent::Rects(rects) => rects
            .list()
            .iter()
            .flat_map(|rect| {
                let start = move |row: u32| u64::from(row) * width as u64 + u64::from(rect.x);
                let rows = rect.y..rect.y + rect.height;
                rows.map(move |row| (start(row), u64::from(rect.width)))
            })
            .collect(),
        Extent::Points(points) => {
            let [dx, dy] = points.moved().map(i64::from);
            let texels = points.list().iter().map(|point| {
                let [x, y] = point.target.map(i64::from);
                // As glsl/stream/points.vert carries into the next row.
                (y + dy) * width + x + dx
            });
            let inside = texels.filter(|texel| (0..width * height).contains(texel));
            inside.map(|texel| (texel as u64, 1)).collect()
        }
    }
}

/// The largest finite size in each channel of these texels.
pub fn peak(data: &[f32], channels: usize, drawn: &[Run]) -> [f32; 4] {
    let mut peak = [0.0f32; 4];
    for &(first, count) in drawn {
        let texels = &data[first as usize * channels..][..count as usize * channels];
        for texel in texels.chunks_exact(channels) {
            for (peak, value) in peak.iter_mut().zip(texel) {
                let size = value.abs();
                if size > *peak && size.is_finite() {
                    *peak = size;
                }
            }
        }
    }
    peak
}

/// A few of these texels, evenly spread: column, row, and four channels each.
pub fn samples(data: &[f32], channels: usize, width: u32, drawn: &[Run]) -> Vec<f32> {
    let total: u64 = drawn.iter().map(|(_, count)| count).sum();
    let mut wanted = (0..SAMPLES).map(|k| (2 * k + 1) * total / (2 * SAMPLES));
    let mut next = wanted.next().filter(|_| total > 0);
    let (mut passed, mut samples, mut last) = (0, Vec::new(), None);
    for &(first, count) in drawn {
        while let Some(number) = next.filter(|number| *number < passed + count) {
            next = wanted.next();
            if last.replace(number) == Some(number) {
                continue;
            }
            let texel = first + number - passed;
            let (x, y) = (texel % u64::from(width), texel / u64::from(width));
            let mut record = [x as f32, y as f32, 0.0, 0.0, 0.0, 0.0];
            let channels = &data[texel as usize * channels..][..channels];
            record[2..][..channels.len()].copy_from_slice(channels);
            samples.extend(record);
        }
        passed += count;
    }
    samples
}
