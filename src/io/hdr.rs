//! Pictures of high dynamic range: Radiance HDR and OpenEXR.

use std::fmt::Display;
use std::io::Cursor;
use std::path::Path;

use image::error::ImageFormatHint;
use image::{DynamicImage, ImageError, ImageFormat, ImageReader, Rgb, Rgb32FImage};

use super::error::{FETCH, Fault, InputError, Place};
use super::radiance::Radiance;
use super::reading::{parse_file, remark};
use crate::base::memory;

/// The weights of red, green and blue in luminance (Rec. 709 primaries).
pub const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// Maximum number of pixels per byte of a file: deflate compresses at most by 1032. A file that claims more is
/// damaged, and would fill memory for nothing.
const MOST_PIXELS_A_BYTE: u64 = 1032;

/// A picture with more pixels than 8192² must have at least one byte per this number of pixels.
const LARGE: [u64; 2] = [1 << 26, 100];

/// Bytes of memory per pixel: decoded in single precision, as colours, and in the result.
const PIXEL: u64 = 48;

/// The luminance of a linear colour.
pub fn luminance(colour: [f32; 3]) -> f64 {
    let share = |(&channel, weight): (&f32, f64)| f64::from(channel) * weight;
    colour.iter().zip(LUMINANCE).map(share).sum()
}

/// A picture in linear light, whose luminance is finite and nowhere negative.
#[derive(Clone, Debug, PartialEq)]
pub struct HdrImage {
    width: usize,
    height: usize,
    pixels: Vec<[f32; 3]>,
    blackened: usize,
}

impl HdrImage {
    /// A picture with these pixels: red, green and blue in any unit, row by row from the top. Pixels with negative
    /// luminance, which filters leave, become black.
    ///
    /// # Errors
    /// [`Fault`] for a picture without pixels, for a number of pixels other than width times height, and for a
    /// luminance that is infinite or NaN.
    pub fn new(width: usize, height: usize, mut pixels: Vec<[f32; 3]>) -> Result<Self, Fault> {
        if width == 0 || height == 0 {
            let what = format!("the picture has {width}x{height} pixels");
            return Err(Fault::in_file(what, "give a picture with at least one pixel"));
        }
        if width.checked_mul(height) != Some(pixels.len()) {
            let what = format!("{} pixels for a {width}x{height} picture", pixels.len());
            return Err(Fault::in_file(what, "give one colour per pixel"));
        }
        if let Some(index) = pixels.iter().position(|&colour| !luminance(colour).is_finite()) {
            return Err(Fault::new(
                Place::Pixel(index % width, index / width),
                format!("the luminance is {}", luminance(pixels[index])),
                "make all values finite (columns and rows count from 0, from the upper left corner)",
            ));
        }
        let negative = pixels.iter_mut().filter(|colour| luminance(**colour) < 0.0);
        let blackened = negative.map(|colour| *colour = [0.0; 3]).count();
        Ok(Self { width, height, pixels, blackened })
    }

    /// Number of pixels that became black because their luminance was negative.
    pub fn blackened(&self) -> usize {
        self.blackened
    }

    /// Every `step`-th column and row, at least one of each.
    pub fn thinned(self, step: usize) -> Self {
        let [width, height] = [self.width, self.height].map(|n| (n / step).max(1));
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixel = |(x, y)| self.pixels[y * step * self.width + x * step];
        Self { width, height, pixels: places.map(pixel).collect(), ..self }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Linear red, green and blue, row by row from the top.
    pub fn pixels(&self) -> &[[f32; 3]] {
        &self.pixels
    }

    /// The largest luminance.
    pub fn brightest(&self) -> f64 {
        let luminances = self.pixels.iter().map(|&colour| luminance(colour));
        luminances.fold(0.0, f64::max)
    }
}

/// Reads a Radiance HDR or an OpenEXR file; the contents determine the format. Alpha is ignored.
pub fn read_hdr(path: &Path) -> Result<HdrImage, InputError> {
    parse_file(path, parse_hdr)
}

/// Reads a layer of an OpenEXR file; without a name as [`read_hdr`].
pub fn read_layer(path: &Path, layer: Option<&str>) -> Result<HdrImage, InputError> {
    parse_file(path, |bytes| parse_layer(bytes, layer))
}

/// Checks that a picture's size is plausible for its file, and that it fits in memory with `pixel` bytes per pixel.
fn check_size([width, height]: [u32; 2], length: usize, pixel: u64) -> Result<(), Fault> {
    let (pixels, length) = (u64::from(width) * u64::from(height), length as u64);
    if pixels == 0 {
        let what = format!("the picture has {width}x{height} pixels");
        return Err(Fault::in_file(what, "give a picture with at least one pixel"));
    }
    let [large, most] = LARGE;
    let what = format!("{width}x{height} pixels in {length} bytes");
    if pixels > MOST_PIXELS_A_BYTE * length {
        return Err(Fault::in_file(what, FETCH));
    }
    if pixels > large && pixels > most * length {
        return Err(Fault::in_file(what, "give a smaller picture"));
    }
    memory::check(format_args!("{width}x{height} pixels"), pixels, pixel, 2)
        .map_err(|error| Fault::in_file(error.to_string(), "give a smaller picture"))
}

/// Decodes a picture, or a layer of it, with a plausible size, for which memory suffices with `pixel` bytes per pixel.
pub(super) fn decoded(
    bytes: &[u8],
    layer: Option<&str>,
    pixel: u64,
    unreadable: &dyn Fn(&dyn Display) -> Fault,
) -> Result<DynamicImage, Fault> {
    let is_exr =
        cfg!(feature = "exr") && image::guess_format(bytes).ok() == Some(ImageFormat::OpenExr);
    if layer.is_some() && !is_exr {
        return Err(Fault::in_file("only OpenEXR files have layers", "leave out --layer"));
    }
    #[cfg(feature = "exr")]
    if is_exr {
        return super::exr::decoded(bytes, layer, |size, stored| {
            check_size(size, bytes.len(), pixel + stored)
        });
    }
    let radiance = Radiance::of(bytes)?;
    let plain = radiance.as_ref().map_or(bytes, |radiance| &radiance.plain);
    let fault = |error: ImageError| match error {
        ImageError::Unsupported(ref what) if what.format_hint() != ImageFormatHint::Unknown => {
            Fault::in_file(error.to_string(), SAVE)
        }
        ImageError::Unsupported(_) => unreadable(&error),
        error => undecodable(&error),
    };
    let reader = || {
        let reader = ImageReader::new(Cursor::new(plain)).with_guessed_format();
        reader.map_err(|error| unreadable(&error))
    };
    let size = reader()?.into_dimensions().map_err(fault)?;
    check_size(size.into(), plain.len(), pixel)?;
    let picture = reader()?.decode().map_err(fault)?;
    Ok(match radiance {
        Some(radiance) => radiance.restored(picture),
        None => picture,
    })
}

/// Largest ratio of the sides of a pixel that are made equal.
const LONGEST: f32 = 4.0;

/// The picture with square pixels, whose width had this ratio to their height: with more columns, or more rows, by linear
/// interpolation.
pub(super) fn squared(picture: DynamicImage, ratio: f32) -> DynamicImage {
    if (ratio - 1.0).abs() < 1e-3 {
        return picture;
    }
    if !(1.0 / LONGEST..=LONGEST).contains(&ratio) {
        remark(format!("not used: the pixel aspect ratio {ratio}"));
        return picture;
    }
    remark(format!("its pixels become square (pixel aspect ratio {ratio})"));
    let before = picture.into_rgb32f();
    let (width, height) = before.dimensions();
    let stretched = |n: u32, by: f32| (f64::from(n) * f64::from(by.max(1.0))).round() as u32;
    let (columns, rows) = (stretched(width, ratio), stretched(height, 1.0 / ratio));
    // The pixels around the middle of a new one, and the share of the second.
    let around = |at: u32, new: u32, old: u32| {
        let middle = (f64::from(at) + 0.5) * f64::from(old) / f64::from(new) - 0.5;
        let middle = middle.clamp(0.0, f64::from(old - 1));
        (middle as u32, middle.ceil() as u32, middle.fract() as f32)
    };
    let pixel = |x: u32, y: u32| {
        let (left, right, of_right) = around(x, columns, width);
        let (upper, lower, of_lower) = around(y, rows, height);
        // One of the shares is zero.
        let (first, second) = (before.get_pixel(left, upper), before.get_pixel(right, lower));
        let share = of_right.max(of_lower);
        let mixed = |k: usize| first.0[k] + share * (second.0[k] - first.0[k]);
        if share == 0.0 { *first } else { Rgb([0, 1, 2].map(mixed)) }
    };
    Rgb32FImage::from_fn(columns, rows, pixel).into()
}

/// Remedy for valid files that the decoder does not know.
pub(super) const SAVE: &str = "save it as RGB, OpenEXR with the compression ZIP";

/// The fault of a file that cannot be decoded. Whether it is damaged or of a rare form is not known.
pub(super) fn undecodable(error: &dyn Display) -> Fault {
    let remedy = "fetch it again if it is damaged, or save it again with another program";
    Fault::in_file(format!("cannot be decoded: {error}"), remedy)
}

/// Parses the contents of such a file.
pub fn parse_hdr(bytes: &[u8]) -> Result<HdrImage, Fault> {
    parse_layer(bytes, None)
}

/// Parses a layer of an OpenEXR file; without a name the only one, plain colours, or Blender's `Combined`.
///
/// # Errors
/// [`Fault`] for another format, for layers of which none is meant, and for a luminance that is not finite.
pub fn parse_layer(bytes: &[u8], layer: Option<&str>) -> Result<HdrImage, Fault> {
    const GIVE: &str = if cfg!(feature = "exr") {
        "give Radiance HDR or OpenEXR"
    } else {
        "give Radiance HDR (OpenEXR is read if built with the feature `exr`)"
    };
    match image::guess_format(bytes) {
        _ if bytes.starts_with(b"#?") => {}
        Ok(ImageFormat::OpenExr) if cfg!(feature = "exr") => {}
        Ok(format) => {
            let what = format!("a picture of type {}", format.to_mime_type());
            return Err(Fault::in_file(what, GIVE));
        }
        Err(_) => return Err(Fault::in_file("not a picture in a known format", GIVE)),
    }
    let picture = decoded(bytes, layer, PIXEL, &undecodable)?;
    let colours = picture.into_rgb32f();
    let (width, height) = colours.dimensions();
    let pixels = colours.pixels().map(|pixel| pixel.0).collect();
    HdrImage::new(width as usize, height as usize, pixels)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::io::pictures::{damaged, encoded};

    /// A small picture as a file. Its colours have a common exponent in Radiance's format.
    fn file(format: ImageFormat) -> Vec<u8> {
        let colour = |x: u32, y: u32| Rgb([1.0 + x as f32, 1.5, 0.5 * y as f32]);
        encoded(&Rgb32FImage::from_fn(3, 2, colour).into(), format)
    }

    #[test]
    fn both_formats_give_the_colours_row_by_row_from_the_top() {
        for format in [ImageFormat::Hdr, ImageFormat::OpenExr] {
            let picture = parse_hdr(&file(format)).unwrap();
            assert_eq!((picture.width(), picture.height()), (3, 2));
            let expected = [0, 1, 2, 0, 1, 2].map(|x| 1.0 + x as f32);
            let red: Vec<f32> = picture.pixels().iter().map(|c| c[0]).collect();
            assert_eq!(red, expected);
            assert_eq!(picture.pixels()[5], [3.0, 1.5, 0.5]);
            assert_eq!(picture.brightest(), luminance([3.0, 1.5, 0.5]));
        }
    }

    #[test]
    fn pixels_become_square_by_columns_or_rows_in_between() {
        let of = |width: u32, height: u32| {
            let picture =
                Rgb32FImage::from_fn(width, height, |x, y| Rgb([4.0 * (x + y) as f32; 3]));
            move |ratio: f32| {
                let squared = squared(picture.clone().into(), ratio).into_rgb32f();
                let values: Vec<f32> = squared.pixels().map(|pixel| pixel.0[0]).collect();
                (squared.dimensions(), values)
            }
        };
        let between = vec![0.0, 1.0, 3.0, 4.0];
        assert_eq!(of(2, 1)(2.0), ((4, 1), between.clone()));
        assert_eq!(of(1, 2)(0.5), ((1, 4), between));
        for kept in [1.0, 0.0, f32::NAN, 100.0] {
            assert_eq!(of(2, 1)(kept), ((2, 1), vec![0.0, 4.0]));
        }
    }

    #[test]
    fn what_is_no_picture_of_the_kind_is_named() {
        let fault = |bytes: &[u8]| parse_hdr(bytes).unwrap_err().to_string();
        let png = fault(&encoded(&DynamicImage::new_rgb8(2, 2), ImageFormat::Png));
        assert_eq!(png, "a picture of type image/png. Give Radiance HDR or OpenEXR.");
        for bytes in [b"".as_slice(), b"not a picture"] {
            assert!(fault(bytes).starts_with("not a picture in a known format. "));
        }
        let cut = file(ImageFormat::Hdr);
        assert!(fault(&cut[..cut.len() - 4]).starts_with("cannot be decoded: "));
        let cut = file(ImageFormat::OpenExr);
        assert!(fault(&cut[..cut.len() / 2]).starts_with("cannot be decoded: "));
        let empty = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 0 +X 7\n";
        assert!(fault(empty).starts_with("the picture has 7x0 pixels. "));
        let rgbe = file(ImageFormat::Hdr).split_off(b"#?RADIANCE".len());
        let rgbe = parse_hdr(&[b"#?RGBE", rgbe.as_slice()].concat());
        assert_eq!(rgbe, parse_hdr(&file(ImageFormat::Hdr)));
        let hollow = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 3000 +X 3000\n";
        assert!(fault(hollow).starts_with("3000x3000 pixels in 51 bytes. The file is damaged"));
    }

    #[test]
    fn unfit_luminance_is_refused_with_its_place() {
        for (bad, shown) in [([f32::NAN, 0.0, 0.0], "NaN"), ([f32::INFINITY, 0.0, 0.0], "inf")] {
            let mut pixels = vec![[0.5; 3]; 6];
            pixels[5] = bad;
            let fault = HdrImage::new(3, 2, pixels).unwrap_err();
            assert_eq!(fault.place, Place::Pixel(2, 1));
            assert_eq!(fault.what, format!("the luminance is {shown}"));
        }
        // Out of gamut, but its luminance is positive.
        let dim = HdrImage::new(2, 1, vec![[-0.1, 1.0, 0.0], [0.0, -1.0, 0.0]]).unwrap();
        assert_eq!((dim.pixels(), dim.blackened()), (&[[-0.1, 1.0, 0.0], [0.0; 3]][..], 1));
        assert!(HdrImage::new(2, 2, vec![[0.0; 3]; 3]).is_err());
    }

    proptest! {
        #[test]
        fn a_damaged_file_is_read_or_refused(
            radiance in any::<bool>(),
            keep in 0.0..1.5f64,
            damage in prop::collection::vec((0.0..1.0f64, any::<u8>()), 0..4),
        ) {
            let format = if radiance { ImageFormat::Hdr } else { ImageFormat::OpenExr };
            let bytes = damaged(file(format), keep, damage);
            if let Ok(picture) = parse_hdr(&bytes) {
                prop_assert!(picture.brightest().is_finite());
            }
        }
    }
}
