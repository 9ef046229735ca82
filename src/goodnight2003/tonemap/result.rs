//! What comes out of tone mapping, and how far two results are apart.

use image::{Rgb, RgbImage};

use super::attenuation::PyramidLevel;
use super::colour::DisplayRange;
use crate::goodnight2003::Solved;
use crate::io::hdr::HdrImage;

/// A tone-mapped picture, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct ToneMapped {
    /// The picture, in sRGB.
    pub picture: RgbImage,
    /// I, the logarithm of the new luminance, of each pixel of the scene, up to a constant.
    pub logarithms: Vec<f64>,
    /// What of H, the logarithm of the picture's luminance, becomes black and white.
    pub original: [f64; 2],
    /// What of I is black and what is white.
    pub range: DisplayRange,
    /// The levels of the pyramid, the finest first.
    pub levels: Vec<PyramidLevel>,
    /// How the Poisson equation was solved.
    pub solve: Solved,
}

/// How far two results are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The largest difference of two channels, of 255.
    pub channel: u8,
    /// The share of channels that differ at all.
    pub share: f64,
    /// The largest difference of I, each taken from its own mean.
    pub logarithm: f64,
}

impl ToneMapped {
    /// How far this result is from another of the same picture.
    pub fn difference(&self, other: &Self) -> Difference {
        let channels = self.picture.iter().zip(other.picture.iter());
        let apart: Vec<u8> = channels.map(|(a, b)| a.abs_diff(*b)).collect();
        let differing = apart.iter().filter(|difference| **difference > 0).count();
        let (own, others) = (mean(&self.logarithms), mean(&other.logarithms));
        let pairs = self.logarithms.iter().zip(&other.logarithms);
        let logarithms = pairs.map(|(a, b)| ((a - own) - (b - others)).abs());
        Difference {
            channel: apart.iter().copied().max().unwrap_or(0),
            share: differing as f64 / apart.len() as f64,
            logarithm: logarithms.fold(0.0, f64::max),
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The picture of colours from 0 to 1, of which a row has so many. What a scene has beyond the
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
