//! Pictures of the vorticity, drawn from the solver's own textures (goodnight2003, colorplate 1).

use std::rc::Rc;

use image::{Rgb, RgbImage};

use super::kernels;
use super::motion::Frame;
use super::settings::WingError;
use super::simulation::{Wing, double_turn};
use crate::stream::{Format, Kernel, Pass, Rects, Stream, StreamError};

/// Samples of a pixel along each side.
const SAMPLES: u32 = 2;

/// What of the plane is shown: seen at rest, lengths in chords.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The left end.
    pub left: f64,
    /// The right end.
    pub right: f64,
    /// The height of the middle.
    pub middle: f64,
    /// The vorticity of the brightest colour.
    pub most: f64,
}

impl Default for View {
    fn default() -> Self {
        Self {
            left: -1.2,
            right: 6.0,
            middle: 0.0,
            most: 8.0,
        }
    }
}

/// Draws the vorticity of one flow.
pub struct WingPainter {
    kernel: Rc<Kernel>,
    stream: Stream,
    extent: Rects,
    size: (u32, u32),
    view: View,
}

impl WingPainter {
    /// For pictures of so many pixels.
    ///
    /// # Errors
    /// When they are too large for the driver, or it refuses the coordinates.
    pub fn new(wing: &Wing, size: (u32, u32), view: View) -> Result<Self, StreamError> {
        let machine = wing.machine();
        let samples = (size.0 * SAMPLES, size.1 * SAMPLES);
        let stream = Stream::zeros(machine, "picture", samples, Format::Rgba32F)?;
        Ok(Self {
            kernel: kernels::picture(machine, wing.coordinates())?,
            extent: machine.rect(stream.full())?,
            stream,
            size,
            view,
        })
    }

    /// The picture of the flow as it is now, the upper row first.
    pub fn image(&self, wing: &Wing) -> Result<RgbImage, WingError> {
        self.draw(wing, &wing.frame())?;
        let samples = self.stream.read()?;
        let (width, height) = self.size;
        let row = (width * SAMPLES) as usize;
        Ok(RgbImage::from_fn(width, height, |x, y| {
            let (left, low) = (
                (x * SAMPLES) as usize,
                ((height - 1 - y) * SAMPLES) as usize,
            );
            let mut sum = [0.0; 3];
            for sample in 0..(SAMPLES * SAMPLES) as usize {
                let (dx, dy) = (sample % SAMPLES as usize, sample / SAMPLES as usize);
                let first = 4 * ((low + dy) * row + left + dx);
                for (sum, value) in sum.iter_mut().zip(&samples[first..first + 3]) {
                    *sum += value.clamp(0.0, 1.0) / (SAMPLES * SAMPLES) as f32;
                }
            }
            Rgb(sum.map(srgb))
        }))
    }

    fn draw(&self, wing: &Wing, frame: &Frame) -> Result<(), StreamError> {
        let (columns, rows) = wing.vorticity().size();
        let (width, height) = self.stream.size();
        let step = (self.view.right - self.view.left) / f64::from(width);
        let low = self.view.middle - 0.5 * step * f64::from(height);
        let (sine, cosine) = frame.angle.sin_cos();
        let single = |pair: [f64; 2]| pair.map(|value| value as f32);
        Pass::new(&self.kernel)
            .read("vorticity", wing.vorticity())
            .set("size", [columns as f32, rows as f32])
            .set("spacing", single(wing.spacing()))
            .set("corner", single([self.view.left, low]))
            .set("sample_step", step as f32)
            .set("pivot", single(frame.pivot))
            .set("axis", single([cosine, sine]))
            .set("double_turn", double_turn(frame))
            .set("most", self.view.most as f32)
            .draw(&self.stream, &self.extent)
    }
}

/// A linear value as an sRGB byte.
fn srgb(linear: f32) -> u8 {
    let encoded = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (encoded * 255.0).round() as u8
}
