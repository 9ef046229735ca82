//! From I, the logarithm of the new luminance, to colours on a screen (Fattal et al. 2002,
//! section 5).

use crate::stream::{Format, Pass, Stream, StreamError};

use super::luminance::weights;
use super::{ToneMapSettings, program};

/// What of I is black and what is white. I is known up to a constant, so it has to be found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisplayRange {
    /// I of the pixels that are black, the lowest percent of all, at most.
    pub low: f64,
    /// I of the pixels that are white, the highest percent of all, at least.
    pub high: f64,
}

impl DisplayRange {
    /// The range of these I. It is found on the CPU: ranks are no work for a stream processor.
    ///
    /// # Panics
    /// If there is no pixel.
    pub fn of(logarithms: &[f64], settings: &ToneMapSettings) -> Self {
        let mut sorted = logarithms.to_vec();
        let mut ranked = |percent: f64| {
            let rank = (percent / 100.0 * (sorted.len() - 1) as f64).round() as usize;
            *sorted.select_nth_unstable_by(rank, f64::total_cmp).1
        };
        Self {
            low: ranked(settings.black),
            high: ranked(100.0 - settings.white),
        }
    }

    /// exp(low − high): black, where white is 1. Without any contrast nothing is black.
    pub fn black(&self) -> f64 {
        match self.low < self.high {
            true => (self.low - self.high).exp(),
            false => 0.0,
        }
    }
}

/// The picture in sRGB, red, green and blue from 0 to 1. `solution` holds I in its first channel,
/// at the same places as `colours`.
///
/// # Errors
/// Those of a pass.
pub fn colours_shown(
    colours: &Stream,
    solution: &Stream,
    range: DisplayRange,
    saturation: f64,
) -> Result<Stream, StreamError> {
    let machine = colours.machine();
    let kernel = machine.kernel(&program!("tonemap_colour"), &[])?;
    let shown = Stream::zeros(machine, "shown", colours.size(), Format::Rgba32F)?;
    Pass::new(&kernel)
        .read("colours", colours)
        .read("solution", solution)
        .set("weights", weights())
        .set("white", range.high as f32)
        .set("black", range.black() as f32)
        .set("saturation", saturation as f32)
        .draw(&shown, &machine.rect(shown.full())?)?;
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_percent_are_black_and_white() {
        let logarithms: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        let settings = ToneMapSettings {
            black: 10.0,
            white: 1.0,
            ..ToneMapSettings::default()
        };
        let range = DisplayRange::of(&logarithms, &settings);
        assert_eq!((range.low, range.high), (10.0, 99.0));
        assert_eq!(range.black(), (-89.0_f64).exp());
        let range = DisplayRange::of(&[2.0], &settings);
        assert_eq!((range.low, range.high, range.black()), (2.0, 2.0, 0.0));
    }
}
