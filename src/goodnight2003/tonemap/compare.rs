//! Pictures for comparison: plain clamping, and several pictures next to each other.

use image::{Rgb, RgbImage};

use crate::io::hdr::{HdrImage, luminance};
use crate::picture;

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
