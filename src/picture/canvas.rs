//! A canvas: a picture drawn by passes into a stream.

use image::{Rgb, RgbImage};

use super::colour::srgb;
use crate::stream::{Format, Machine, Pass, Rects, Size, Stream, StreamError};

/// Samples of a pixel along each side.
const SAMPLES: u32 = 2;

/// Pictures of one size: samples in linear light, rows from the bottom up.
pub struct Canvas {
    stream: Stream,
    extent: Rects,
    size: Size,
    samples: u32,
}

impl Canvas {
    /// A canvas of `width` x `height` pixels, with 2 x 2 samples each.
    pub fn new(machine: &Machine, width: u32, height: u32) -> Result<Self, StreamError> {
        Self::with_samples(machine, (width, height), SAMPLES)
    }

    /// A canvas of this size in pixels, with `samples` samples along each side of a pixel.
    pub fn with_samples(machine: &Machine, size: Size, samples: u32) -> Result<Self, StreamError> {
        let all = (size.0 * samples, size.1 * samples);
        let stream = Stream::zeros(machine, "picture", all, Format::Rgba32F)?;
        Ok(Self { extent: machine.rect(stream.full())?, stream, size, samples })
    }

    /// Columns and rows of pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Samples of a pixel along each side.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// The samples, as a window shows them.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Cells between neighbouring samples, for a grid of `columns` columns that fills the width.
    pub fn spacing(&self, columns: u32) -> f32 {
        columns as f32 / self.stream.width() as f32
    }

    /// Runs a program for every sample.
    pub fn draw(&self, pass: Pass<'_>) -> Result<(), StreamError> {
        pass.draw(&self.stream, &self.extent)
    }

    /// The last picture, the upper row first.
    pub fn image(&self) -> Result<RgbImage, StreamError> {
        read_back(&self.stream, self.samples, srgb)
    }
}

/// Reads a stream back as a picture: each pixel is the mean of its samples, encoded as sRGB. Samples are
/// clipped before averaging, so that highlights do not blur their edges.
pub fn read_back(
    stream: &Stream,
    samples: u32,
    encode: impl Fn(f32) -> u8,
) -> Result<RgbImage, StreamError> {
    let light = stream.read()?;
    let (row, side) = (stream.width() as usize, samples as usize);
    let (width, height) = (stream.width() / samples, stream.height() / samples);
    let share = 1.0 / (side * side) as f32;
    Ok(RgbImage::from_fn(width, height, |x, y| {
        let (left, low) = (x as usize * side, (height - 1 - y) as usize * side);
        let mut sum = [0.0; 3];
        for sample in 0..side * side {
            let first = 4 * ((low + sample / side) * row + left + sample % side);
            for (sum, value) in sum.iter_mut().zip(&light[first..first + 3]) {
                *sum += share * value.clamp(0.0, 1.0);
            }
        }
        Rgb(sum.map(&encode))
    }))
}
