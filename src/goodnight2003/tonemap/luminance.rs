//! The input of the tone mapper, and H, the logarithm of its luminance (Fattal et al.
//! 2002, section 3).

use crate::io::hdr::{HdrImage, LUMINANCE};
use crate::stream::{Format, Kernel, Machine, Pass, Size, Stream, StreamError, source};

/// ε: added to luminance, of which the largest is 1, before its logarithm is taken. It is
/// well below the resolution of a camera, and keeps the logarithm of black finite.
pub const EPSILON: f64 = 1e-6;

/// Colours in units of the largest luminance. A grid has at least two nodes per side, so a single column
/// or row of pixels is stored twice, which changes nothing because nothing flows through the
/// border.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Columns and rows, at least two.
    pub size: Size,
    /// Linear red, green and blue, row by row from the top.
    pub colours: Vec<[f32; 3]>,
}

impl Scene {
    /// The colours of a picture.
    pub fn of(image: &HdrImage) -> Self {
        let (width, height) = (image.width(), image.height());
        let unit = match image.brightest() {
            brightest if brightest > 0.0 => brightest,
            _ => 1.0,
        };
        let (columns, rows) = (width.max(2), height.max(2));
        let colour = |row: usize, column: usize| {
            let place = row.min(height - 1) * width + column.min(width - 1);
            image.pixels()[place].map(|channel| (f64::from(channel) / unit) as f32)
        };
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self {
            size: (columns as u32, rows as u32),
            colours: all.map(|(row, column)| colour(row, column)).collect(),
        }
    }

    /// The colours as a stream: red, green, blue and 0, the upper row first.
    pub fn upload(&self, machine: &Machine) -> Result<Stream, StreamError> {
        let records = self.colours.iter().flat_map(|&[r, g, b]| [r, g, b, 0.0]);
        let records: Vec<f32> = records.collect();
        Stream::from_data(machine, "colours", self.size, Format::Rgba32F, &records)
    }
}

/// The shares of red, green and blue in luminance, for a program.
pub(super) fn weights() -> [f32; 3] {
    LUMINANCE.map(|weight| weight as f32)
}

/// H of these colours, one record per pixel.
pub fn log_luminance(colours: &Stream) -> Result<Stream, StreamError> {
    let machine = colours.machine();
    let kernel: &Kernel = &*machine.kernel(&source!("goodnight2003/tonemap/luminance"), &[])?;
    let logarithm = Stream::zeros(machine, "log luminance", colours.size(), Format::R32F)?;
    Pass::new(kernel)
        .read("colours", colours)
        .set("weights", weights())
        .set("epsilon", EPSILON as f32)
        .draw(&logarithm, logarithm.full())?;
    Ok(logarithm)
}
