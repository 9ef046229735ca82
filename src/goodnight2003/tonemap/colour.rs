//! Conversion of I, the logarithm of the new luminance, to colours on a screen (Fattal et al. 2002,
//! section 5), and pictures for comparison.

use image::{Rgb, RgbImage};

use super::ToneMapSettings;
use crate::io::hdr::{HdrImage, LUMINANCE, luminance};
use crate::picture;
use crate::stream::{Format, Pass, Stream, StreamError, source};

/// Mapping of I to light: the logarithm of light is `gain` (I − `high`), where white is 0.
///
/// I is known up to a constant, and attenuation changes the contrast: both have to be
/// chosen for the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisplayRange {
    /// I of black: the lowest percent of the pixels is at or below it.
    pub low: f64,
    /// I of white: the highest percent of the pixels is at or above it.
    pub high: f64,
    /// Factor of I.
    pub gain: f64,
    /// The light of the screen's black, where its white is 1.
    pub black: f64,
}

impl DisplayRange {
    /// The range for the values of I of a picture whose H has these `extremes`.
    ///
    /// # Panics
    /// If there is no pixel.
    pub fn of(logarithms: &[f64], original: [f64; 2], settings: &ToneMapSettings) -> Self {
        let [low, high] = extremes(logarithms, settings);
        let shown = settings.contrast.ln().min(original[1] - original[0]);
        let gain = if low < high { shown / (high - low) } else { 1.0 };
        Self { low, high, gain, black: settings.contrast.recip() }
    }

    /// Ratio of the light of white to that of the darkest percent.
    pub fn contrast(&self) -> f64 {
        (self.gain * (self.high - self.low)).exp()
    }
}

/// The logarithms below and above which the percentages of black and white pixels are. They are
/// found on the CPU, since ranks are not suited to fragment programs.
///
/// # Panics
/// If there is no pixel.
pub fn extremes(logarithms: &[f64], settings: &ToneMapSettings) -> [f64; 2] {
    let mut sorted = logarithms.to_vec();
    [settings.black, 100.0 - settings.white].map(|percent| {
        let rank = (percent / 100.0 * (sorted.len() - 1) as f64).round() as usize;
        *sorted.select_nth_unstable_by(rank, f64::total_cmp).1
    })
}

/// The picture in sRGB, red, green and blue from 0 to 1. `solution` holds I in its first channel,
/// at the same positions as `colours`.
pub fn colours_shown(
    colours: &Stream,
    solution: &Stream,
    range: DisplayRange,
    saturation: f64,
) -> Result<Stream, StreamError> {
    let machine = colours.machine();
    let kernel = machine.kernel(&source!(goodnight2003, "tonemap/colour"), &[])?;
    let shown = Stream::zeros(machine, "shown", colours.size(), Format::Rgba32F)?;
    // §5.2 (Fattal et al., section 5): C ← (C / L)^s L_new
    Pass::new(&kernel)
        .read("colours", colours)
        .read("solution", solution)
        .set("weights", weights())
        .set("white", range.high as f32)
        .set("gain", range.gain as f32)
        .set("black", range.black as f32)
        .set("saturation", saturation as f32)
        .draw(&shown, shown.full())?;
    Ok(shown)
}

/// The luminance to which the geometric mean of a picture is exposed: middle grey.
const MIDDLE_GREY: f64 = 0.18;
/// Pixels between two pictures.
const GAP: u32 = 8;

/// The picture without tone mapping: exposed so that the geometric mean of its luminance is
/// middle grey, and clamped to what a screen can show.
pub fn clamped(image: &HdrImage) -> RgbImage {
    let lit = image.pixels().iter().map(|&colour| luminance(colour));
    let logarithms: Vec<f64> = lit.filter(|light| *light > 0.0).map(f64::ln).collect();
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp();
    RgbImage::from_fn(image.width() as u32, image.height() as u32, |x, y| {
        let colour = image.pixels()[y as usize * image.width() + x as usize];
        Rgb(colour.map(|channel| {
            let light = (MIDDLE_GREY * f64::from(channel) / mean).clamp(0.0, 1.0);
            picture::colour::srgb(light as f32)
        }))
    })
}

/// A picture clamped, and two tone-mapped versions of it, next to each other, or one below the other
/// if they are wider than high.
pub fn panels(image: &HdrImage, mapped: [&RgbImage; 2]) -> RgbImage {
    let [first, second] = mapped;
    picture::panels(&[&clamped(image), first, second], GAP, [255; 3])
}

/// The shares of red, green and blue in luminance, for a program.
pub(super) fn weights() -> [f32; 3] {
    LUMINANCE.map(|weight| weight as f32)
}
