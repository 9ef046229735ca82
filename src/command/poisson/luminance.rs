//! Pictures as right sides: read, checked, and resampled to a grid.

use std::fmt;
use std::path::Path;

use fragstream::bolz2003::grid::{Grid, GridError};
use image::imageops::{FilterType, resize};
use image::{DynamicImage, ImageBuffer, ImageReader, Luma};

use super::super::failure::Failure;
use super::domain::Size;
use super::picture::range;

/// Luminance, row by row from the top.
pub type Picture = ImageBuffer<Luma<f32>, Vec<f32>>;

/// A picture's luminance, which is finite.
pub fn luminance(path: &Path) -> Result<Picture, Failure> {
    let unreadable = |error: &dyn fmt::Display| {
        let what = format!("cannot read: {error}; give a picture as PNG, GIF, HDR or EXR");
        Failure::in_file(path, what)
    };
    let reader = ImageReader::open(path)
        .and_then(ImageReader::with_guessed_format)
        .map_err(|error| unreadable(&error))?;
    let picture: DynamicImage = reader.decode().map_err(|error| unreadable(&error))?;
    let picture = picture.to_luma32f();
    match picture
        .enumerate_pixels()
        .find(|(_, _, p)| !p.0[0].is_finite())
    {
        None => Ok(picture),
        Some((x, y, pixel)) => {
            let what = format!(
                "the luminance is {} at column {x}, row {y} (from 0, from the top); all must be \
                 finite",
                pixel.0[0]
            );
            Err(Failure::in_file(path, what))
        }
    }
}

/// The grid for a picture: of this size, or without one of its own; with `fit`, if its own cannot be
/// coarsened, of the next that can.
pub fn grid_of_picture(
    path: &Path,
    picture: &Picture,
    size: Option<Size>,
    fit: bool,
    grid_of: impl Fn(Size) -> Result<Grid, GridError>,
) -> Result<Grid, Failure> {
    let own = Size([picture.width() as usize, picture.height() as usize]);
    let size = match size {
        Some(size) if size != own && !fit => {
            let what = format!(
                "the picture is {own}, but --size is {size}; leave out --size, or resample it by \
                 --fit"
            );
            return Err(Failure::in_file(path, what));
        }
        size => size.unwrap_or(own),
    };
    match grid_of(size) {
        Err(GridError::Size {
            suggested_columns,
            suggested_rows,
            ..
        }) if fit && size == own => {
            grid_of(Size([suggested_columns, suggested_rows])).map_err(Failure::input)
        }
        Err(error) if !fit => {
            let what = format!("{error}, and --fit resamples it to that");
            Err(Failure::in_file(path, what))
        }
        other => other.map_err(Failure::input),
    }
}

/// The picture's values at the nodes, its last row at the bottom.
pub fn nodes_of(picture: Picture, grid: &Grid) -> Vec<f32> {
    let size = [grid.columns() as u32, grid.rows() as u32];
    let picture = if picture.dimensions() == (size[0], size[1]) {
        picture
    } else {
        resampled(picture, size)
    };
    let rows = picture.rows().rev();
    rows.flat_map(|row| row.map(|pixel| pixel.0[0])).collect()
}

/// Another size, without new extrema. `resize` clips what is not between 0 and 1.
fn resampled(mut picture: Picture, [width, height]: [u32; 2]) -> Picture {
    let values = || picture.iter().map(|&value| f64::from(value));
    let (low, high) = range(values());
    let scale = if high > low { high - low } else { 1.0 };
    picture
        .iter_mut()
        .for_each(|value| *value = ((f64::from(*value) - low) / scale) as f32);
    let mut picture = resize(&picture, width, height, FilterType::Triangle);
    picture
        .iter_mut()
        .for_each(|value| *value = (f64::from(*value) * scale + low) as f32);
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resampling_keeps_the_range_and_constants() {
        let bright = |x: u32, _: u32| Luma([if x < 4 { -2.0 } else { 5.0 }]);
        let large = resampled(Picture::from_fn(8, 8, bright), [33, 33]);
        let (low, high) = range(large.iter().map(|&v| f64::from(v)));
        assert_eq!((low, high), (-2.0, 5.0));
        let flat = resampled(Picture::from_pixel(5, 3, Luma([0.25])), [9, 9]);
        assert!(flat.iter().all(|&value| value == 0.25));
    }

    /// A small picture in each format that is read.
    fn files() -> Vec<Vec<u8>> {
        use image::ImageFormat::{Gif, Hdr, OpenExr, Png};
        let colour = |x, y| image::Rgb([x as f32 / 5.0, y as f32 / 4.0, 0.5]);
        let picture = DynamicImage::from(image::Rgb32FImage::from_fn(5, 4, colour));
        let encoded = [
            (Gif, DynamicImage::from(picture.to_rgba8())),
            (Png, DynamicImage::from(picture.to_rgb8())),
            (Hdr, picture.clone()),
            (OpenExr, picture),
        ];
        let encoded = encoded.into_iter().map(|(format, picture)| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).unwrap();
            bytes.into_inner()
        });
        encoded.collect()
    }

    #[test]
    fn all_four_formats_give_the_same_luminance() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        for bytes in files() {
            std::fs::write(&path, bytes).unwrap();
            let picture = luminance(&path).unwrap_or_else(|failure| panic!("{failure:?}"));
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
            let mut bytes = files().swap_remove(format);
            bytes.truncate((keep * bytes.len() as f64) as usize);
            for (place, byte) in damage {
                let place = (place * bytes.len() as f64) as usize;
                if let Some(there) = bytes.get_mut(place) {
                    *there = byte;
                }
            }
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("g");
            std::fs::write(&path, bytes).unwrap();
            if let Err(failure) = luminance(&path) {
                proptest::prop_assert!(failure.message.contains("finite") || failure.message.contains("give a picture"));
            }
        }
    }
}
