//! Fingerprint of the texels that a pass has drawn: a hash, the peaks and a few samples.

use crate::gl::Format;
use crate::stream::{Extent, Rect, Size};

/// Maximum number of samples per pass.
const SAMPLES: u64 = 8;

/// The 64-bit FNV-1a hash over 32-bit words.
pub fn fnv(words: impl Iterator<Item = u32>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ u64::from(word)).wrapping_mul(0x100_0000_01b3)
    })
}

/// Returns the hash of records: of the bits of their floats, where all NaN count as equal, and so do both zeros.
/// Bytes count as integers up to 255.
pub fn hash(format: Format, data: &[f32]) -> u64 {
    let word = |value: &f32| match format {
        Format::Rgba8 => (value * 255.0).round() as u32,
        _ if *value == 0.0 => 0,
        _ if value.is_nan() => f32::NAN.to_bits(),
        _ => value.to_bits(),
    };
    fnv(data.iter().map(word))
}

/// The texels that passes of one extent draw.
pub struct Drawn {
    /// Smallest rectangle around them.
    pub part: Rect,
    /// Columns and rows of the samples.
    samples: Vec<[u32; 2]>,
}

impl Drawn {
    /// Finds the texels of an extent in a target of this size. The samples are spread evenly over the rectangles or
    /// points in their listed order; the player finds them in the same way.
    pub fn new(extent: &Extent, size: Size) -> Self {
        let rects = rectangles(extent, size);
        let total: u64 = rects.iter().map(|rect| rect.area()).sum();
        let count = total.min(SAMPLES);
        let mut wanted = (0..count).map(|k| (2 * k + 1) * total / (2 * count)).peekable();
        let (mut samples, mut passed) = (Vec::new(), 0);
        for rect in &rects {
            while let Some(number) = wanted.next_if(|number| number - passed < rect.area()) {
                let (row, column) = ((number - passed) / u64::from(rect.width), number - passed);
                let column = column % u64::from(rect.width);
                samples.push([rect.x + column as u32, rect.y + row as u32]);
            }
            passed += rect.area();
        }
        Self { part: around(&rects), samples }
    }

    /// Returns the fingerprint of the part's data as words: the hash, low word first; the largest finite magnitude
    /// of each channel; the samples.
    pub fn words(&self, format: Format, data: &[f32]) -> Vec<u32> {
        let (hash, channels) = (hash(format, data), format.channels());
        let mut peaks = vec![0.0_f32; channels];
        for texel in data.chunks(channels) {
            for (peak, value) in peaks.iter_mut().zip(texel) {
                if value.is_finite() {
                    *peak = peak.max(value.abs());
                }
            }
        }
        let samples = self.samples.iter().flat_map(|[x, y]| {
            let texel = (y - self.part.y) * self.part.width + x - self.part.x;
            &data[texel as usize * channels..][..channels]
        });
        let floats = peaks.iter().chain(samples).map(|value| value.to_bits());
        [hash as u32, (hash >> 32) as u32].into_iter().chain(floats).collect()
    }
}

/// Returns the rectangles that are drawn; a point is a rectangle of one texel.
fn rectangles(extent: &Extent, (width, _): Size) -> Vec<Rect> {
    match extent {
        Extent::Rects(rects) => rects.list().to_vec(),
        Extent::Points(points) => {
            let [right, up] = points.moved();
            let moved = points.list().iter().map(|point| {
                // Carries into the next row, as glsl/stream/program/points.vert does.
                let column = point.target[0] + right;
                let (rows, column) =
                    (column.div_euclid(width as i32), column.rem_euclid(width as i32));
                Rect::at([column as u32, (point.target[1] + up + rows) as u32], (1, 1))
            });
            moved.collect()
        }
    }
}

/// Returns the smallest rectangle around some rectangles, or an empty one if there are none.
fn around(rects: &[Rect]) -> Rect {
    let first = |of: fn(&Rect) -> u32| rects.iter().map(of).min().unwrap_or(0);
    let last = |of: fn(&Rect) -> u32| rects.iter().map(of).max().unwrap_or(0);
    let (x, y) = (first(|rect| rect.x), first(|rect| rect.y));
    let end = (last(|rect| rect.x + rect.width), last(|rect| rect.y + rect.height));
    Rect::at([x, y], (end.0 - x, end.1 - y))
}
