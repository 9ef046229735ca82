//! The result of tone mapping, and the difference between two results.

use image::{Rgb, RgbImage};

use super::attenuation::PyramidLevel;
use super::colour::DisplayRange;
use crate::goodnight2003::Solved;
use crate::io::hdr::HdrImage;

/// A tone-mapped picture, with data on its computation.
#[derive(Debug, Clone, PartialEq)]
pub struct ToneMapped {
    /// The picture, in sRGB.
    pub picture: RgbImage,
    /// I, the logarithm of the new luminance, of each pixel of the scene, up to a constant.
    pub logarithms: Vec<f64>,
    /// The values of H, the logarithm of the picture's luminance, that become black and white.
    pub original: [f64; 2],
    /// The mapping of I to black and white.
    pub range: DisplayRange,
    /// The levels of the pyramid, the finest first.
    pub levels: Vec<PyramidLevel>,
    /// Outcome of the solve of the Poisson equation.
    pub solve: Solved,
}

/// Difference between two results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The largest difference of two channels (0 to 255).
    pub channel: u8,
    /// The share of channels that differ at all.
    pub share: f64,
    /// The largest difference of I, each relative to its own mean.
    pub logarithm: f64,
}

impl ToneMapped {
    /// Compares this result with another one of the same picture.
    pub fn difference(&self, other: &Self) -> Difference {
        let channels = self.picture.iter().zip(other.picture.iter());
        let differences: Vec<u8> = channels.map(|(a, b)| a.abs_diff(*b)).collect();
        let differing = differences
            .iter()
            .filter(|difference| **difference > 0)
            .count();
        let (own, others) = (mean(&self.logarithms), mean(&other.logarithms));
        let pairs = self.logarithms.iter().zip(&other.logarithms);
        let logarithms = pairs.map(|(a, b)| ((a - own) - (b - others)).abs());
        Difference {
            channel: differences.iter().copied().max().unwrap_or(0),
            share: differing as f64 / differences.len() as f64,
            logarithm: logarithms.fold(0.0, f64::max),
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The picture of colours from 0 to 1, given the length of a row. The part of a scene beyond the
/// picture is left out.
pub(super) fn picture(
    image: &HdrImage,
    columns: u32,
    colour: impl Fn(usize) -> [f64; 3],
) -> RgbImage {
    RgbImage::from_fn(image.width() as u32, image.height() as u32, |x, y| {
        let channels = colour(y as usize * columns as usize + x as usize);
        Rgb(channels.map(|channel| (255.0 * channel).round() as u8))
    })
}
