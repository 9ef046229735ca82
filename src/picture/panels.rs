//! Several pictures in one.

use image::{Rgb, RgbImage, imageops};

/// Pictures of one size next to each other, or below each other if they are wider than high, with `gap` pixels
/// of a colour between them.
pub fn panels(pictures: &[&RgbImage], gap: u32, between: [u8; 3]) -> RgbImage {
    let Some(first) = pictures.first() else {
        return RgbImage::new(0, 0);
    };
    let (width, height) = first.dimensions();
    let step = if width > height { (0, height + gap) } else { (width + gap, 0) };
    let further = pictures.len() as u32 - 1;
    let size = (width + further * step.0, height + further * step.1);
    let mut all = RgbImage::from_pixel(size.0, size.1, Rgb(between));
    for (place, picture) in (0_i64..).zip(pictures) {
        let (x, y) = (place * i64::from(step.0), place * i64::from(step.1));
        imageops::replace(&mut all, *picture, x, y);
    }
    all
}
