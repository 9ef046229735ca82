//! From I, the logarithm of the new luminance, to colours on a screen (Fattal et al. 2002,
//! section 5).

use crate::stream::{Format, Pass, Stream, StreamError, source};

use super::ToneMapSettings;
use super::luminance::weights;

/// How I becomes light: the logarithm of light is `gain` (I − `high`), white being 0.
///
/// I is known up to a constant, and attenuation leaves of contrast what it leaves: both have to be
/// chosen for the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisplayRange {
    /// I of the pixels that are black, the lowest percent of all, at most.
    pub low: f64,
    /// I of the pixels that are white, the highest percent of all, at least.
    pub high: f64,
    /// By what I is stretched.
    pub gain: f64,
    /// The light of the screen's black, where its white is 1.
    pub black: f64,
}

impl DisplayRange {
    /// The range of these I for a picture whose H has these `extremes`.
    ///
    /// # Panics
    /// If there is no pixel.
    pub fn of(logarithms: &[f64], original: [f64; 2], settings: &ToneMapSettings) -> Self {
        let [low, high] = extremes(logarithms, settings);
        let shown = settings.contrast.ln().min(original[1] - original[0]);
        let gain = match low < high {
            true => shown / (high - low),
            false => 1.0,
        };
        Self {
            low,
            high,
            gain,
            black: settings.contrast.recip(),
        }
    }

    /// How much more light white gives than the darkest percent.
    pub fn contrast(&self) -> f64 {
        (self.gain * (self.high - self.low)).exp()
    }
}

/// The logarithms below and above which the percentages lie that become black and white. They are
/// found on the CPU: ranks are no work for a stream processor.
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
/// at the same places as `colours`.
pub fn colours_shown(
    colours: &Stream,
    solution: &Stream,
    range: DisplayRange,
    saturation: f64,
) -> Result<Stream, StreamError> {
    let machine = colours.machine();
    let kernel = machine.kernel(&source!("goodnight2003/tonemap/colour"), &[])?;
    let shown = Stream::zeros(machine, "shown", colours.size(), Format::Rgba32F)?;
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
