//! Pictures as numbers: luminance, read and resampled.

use std::path::Path;

use image::imageops::{FilterType, resize};
use image::{DynamicImage, ImageBuffer, Luma};

use super::error::{Fault, InputError};
use super::hdr::{decoded, luminance};
use super::reading::{parse_file, remark};

/// Luminance, row by row from the top; black is 0, the white of an integer format 1.
pub type Grey = ImageBuffer<Luma<f32>, Vec<f32>>;

/// Bytes of memory per pixel: decoded, as luminance, and in the result.
const PIXEL: u64 = 24;

/// Reads a PNG, GIF, HDR or EXR file; the contents determine the format.
pub fn read_grey(path: &Path) -> Result<Grey, InputError> {
    parse_file(path, parse_grey)
}

/// Computes the luminance of a picture from the bytes of its file, as [`read_grey`] does.
pub fn parse_grey(bytes: &[u8]) -> Result<Grey, Fault> {
    const FORMATS: &str = if cfg!(feature = "exr") {
        "give a picture as PNG, GIF, HDR or EXR"
    } else {
        "give a picture as PNG, GIF or HDR (EXR is read if built with the feature `exr`)"
    };
    let unreadable =
        |error: &dyn std::fmt::Display| Fault::in_file(format!("cannot read: {error}"), FORMATS);
    let picture = decoded(bytes, None, PIXEL, &unreadable)?;
    let picture = luminance_of(picture);
    let mut pixels = picture.enumerate_pixels();
    match pixels.find(|(_, _, pixel)| !pixel.0[0].is_finite()) {
        None => Ok(picture),
        Some((x, y, pixel)) => {
            let value = pixel.0[0];
            let what =
                format!("the luminance is {value} at column {x}, row {y} (from 0, from the top)");
            Err(Fault::in_file(what, "make all values finite"))
        }
    }
}

/// The luminance in single precision; of integer colours, too, which the decoder's own conversion would round to
/// their integers.
fn luminance_of(picture: DynamicImage) -> Grey {
    let opacity = opacity_of(&picture);
    let mut grey = if picture.color().has_color() {
        let colours = picture.into_rgb32f();
        Grey::from_fn(colours.width(), colours.height(), |x, y| {
            Luma([luminance(colours.get_pixel(x, y).0) as f32])
        })
    } else {
        picture.to_luma32f()
    };
    if let Some(opacity) = opacity {
        remark("its transparent pixels are shown on black");
        grey.iter_mut().zip(opacity).for_each(|(value, opacity)| *value *= opacity);
    }
    grey
}

/// Opacity of each pixel, if not all are opaque. The colours of floats are multiplied with it already.
fn opacity_of(picture: &DynamicImage) -> Option<Vec<f32>> {
    let opacity: Vec<f32> = match picture {
        DynamicImage::ImageLumaA8(_) | DynamicImage::ImageRgba8(_) => {
            picture.to_rgba8().pixels().map(|pixel| f32::from(pixel.0[3]) / 255.0).collect()
        }
        DynamicImage::ImageLumaA16(_) | DynamicImage::ImageRgba16(_) => {
            picture.to_rgba16().pixels().map(|pixel| f32::from(pixel.0[3]) / 65535.0).collect()
        }
        _ => return None,
    };
    opacity.iter().any(|&opacity| opacity < 1.0).then_some(opacity)
}

/// The values at the nodes of a grid with `columns` and `rows`, row by row from the bottom. A picture of
/// another size is resampled without new extrema.
pub fn nodes_of(picture: Grey, columns: u32, rows: u32) -> Vec<f32> {
    let picture = if picture.dimensions() == (columns, rows) {
        picture
    } else {
        resampled(picture, columns, rows)
    };
    let rows = picture.rows().rev();
    rows.flat_map(|row| row.map(|pixel| pixel.0[0])).collect()
}

/// Resamples to another size. `resize` clips to [0, 1], so values are scaled first.
fn resampled(mut picture: Grey, columns: u32, rows: u32) -> Grey {
    let values = picture.iter().map(|&value| f64::from(value));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let scale = if high > low { high - low } else { 1.0 };
    picture.iter_mut().for_each(|value| *value = ((f64::from(*value) - low) / scale) as f32);
    let mut picture = resize(&picture, columns, rows, FilterType::Triangle);
    picture.iter_mut().for_each(|value| *value = (f64::from(*value) * scale + low) as f32);
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::pictures::{damaged, encoded};

    #[test]
    fn a_bomb_is_refused_by_its_header() {
        // 20000 x 20000 grey pixels, and the length to which deflate can compress them.
        let mut bomb =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x4e\x20\0\0\x4e\x20\x08\0\0\0\0".to_vec();
        let mut checksum = flate2::Crc::new();
        checksum.update(&bomb[12..]);
        bomb.extend(checksum.sum().to_be_bytes());
        bomb.extend(b"\0\x05\xf0\0IDAT");
        bomb.resize(389_000, 0);
        let fault = parse_grey(&bomb).unwrap_err().to_string();
        assert_eq!(fault, "20000x20000 pixels in 389000 bytes. Give a smaller picture.");
    }

    #[test]
    fn resampling_keeps_the_range_and_constants() {
        let bright = |x: u32, _: u32| Luma([if x < 4 { -2.0 } else { 5.0 }]);
        let large = resampled(Grey::from_fn(8, 8, bright), 33, 33);
        let (low, high) =
            large.iter().fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        assert_eq!((low, high), (-2.0, 5.0));
        let flat = resampled(Grey::from_pixel(5, 3, Luma([0.25])), 9, 9);
        assert!(flat.iter().all(|&value| value == 0.25));
    }

    /// A small picture in each format that is read.
    fn files() -> Vec<Vec<u8>> {
        use image::ImageFormat::{Gif, Hdr, OpenExr, Png};
        let colour = |x, y| image::Rgb([x as f32 / 5.0, y as f32 / 4.0, 0.5]);
        let picture = DynamicImage::from(image::Rgb32FImage::from_fn(5, 4, colour));
        let pictures = [
            (Gif, DynamicImage::from(picture.to_rgba8())),
            (Png, DynamicImage::from(picture.to_rgb8())),
            (Hdr, picture.clone()),
            (OpenExr, picture),
        ];
        let files = pictures.iter().map(|(format, picture)| encoded(picture, *format));
        files.collect()
    }

    #[test]
    fn all_four_formats_give_the_same_luminance() {
        for bytes in files() {
            let picture = parse_grey(&bytes).unwrap_or_else(|fault| panic!("{fault:?}"));
            assert_eq!(picture.dimensions(), (5, 4));
            // Rec. 709, and GIF has a palette of 256 colours.
            let expected = 0.2126 * 0.8 + 0.7152 * 0.75 + 0.0722 * 0.5;
            let found = picture.get_pixel(4, 3).0[0];
            assert!((found - expected).abs() < 0.02, "{found} for {expected}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_damaged_picture_is_read_or_refused(
            format in 0..4usize,
            keep in 0.0..1.5f64,
            damage in proptest::collection::vec((0.0..1.0f64, 0..=255u8), 0..4),
        ) {
            let bytes = damaged(files().swap_remove(format), keep, damage);
            if let Err(fault) = parse_grey(&bytes) {
                let fault = fault.to_string();
                proptest::prop_assert!(
                    ["finite", "Give", "etch it again", "Save it"].iter().any(|says| fault.contains(says)), "{fault}"
                );
            }
        }
    }
}
