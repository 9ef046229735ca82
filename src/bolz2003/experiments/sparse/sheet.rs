//! Pictures that are no charts: coloured boxes, lines, text, other pictures, on a white sheet.

use std::sync::OnceLock;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, Rgb, RgbImage, imageops};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::claim::BoxedError;

/// A colour.
pub type Colour = [u8; 3];

/// The colour of text and outlines.
pub const INK: Colour = [0x22, 0x24, 0x28];
/// The colour of what should not stand out.
pub const QUIET: Colour = [0x60, 0x65, 0x6e];

/// The name under which the drawing library knows the font.
const FONT: &str = "fragstream sheet";

/// Drawn so many times larger and then averaged: smooth edges.
const OVERSAMPLING: u32 = 2;

/// Where a text stands from its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Left,
    /// It is centred there.
    Centre,
    /// It ends there.
    Right,
}

/// A picture in the making. Positions are pixels from the upper left corner.
pub struct Sheet {
    image: RgbImage,
}

impl Sheet {
    /// A white sheet.
    pub fn new(width: u32, height: u32) -> Self {
        let size = [width, height].map(|side| side * OVERSAMPLING);
        Sheet {
            image: RgbImage::from_pixel(size[0], size[1], Rgb([255; 3])),
        }
    }

    /// Fills the box with these corners, the second not included.
    pub fn fill(&mut self, from: [f64; 2], to: [f64; 2], colour: Colour) {
        let [left, top] = self.place(from);
        let [right, bottom] = self.place(to);
        for y in top..bottom {
            for x in left..right {
                self.image.put_pixel(x, y, Rgb(colour));
            }
        }
    }

    /// The pixel of the enlarged picture at a position, inside it.
    fn place(&self, [x, y]: [f64; 2]) -> [u32; 2] {
        let enlarged = |v: f64| (v * f64::from(OVERSAMPLING)).round().max(0.0) as u32;
        [
            enlarged(x).min(self.image.width()),
            enlarged(y).min(self.image.height()),
        ]
    }

    /// A straight line.
    pub fn line(
        &mut self,
        from: [f64; 2],
        to: [f64; 2],
        width: f64,
        colour: Colour,
    ) -> Result<(), BoxedError> {
        let points = [from, to].map(enlarged);
        let style = rgb(colour).stroke_width((width * f64::from(OVERSAMPLING)).round() as u32);
        self.area()
            .draw(&PathElement::new(points, style))
            .map_err(drawing)
    }

    /// A filled disc.
    pub fn disc(
        &mut self,
        centre: [f64; 2],
        radius: f64,
        colour: Colour,
    ) -> Result<(), BoxedError> {
        let radius = (radius * f64::from(OVERSAMPLING)).round() as i32;
        let disc = Circle::new(enlarged(centre), radius, rgb(colour).filled());
        self.area().draw(&disc).map_err(drawing)
    }

    /// A line of text, vertically centred on its position.
    pub fn text(
        &mut self,
        text: &str,
        at: [f64; 2],
        align: Align,
        size: f64,
        colour: Colour,
    ) -> Result<(), BoxedError> {
        load_font()?;
        let horizontal = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let font = (FONT, size * f64::from(OVERSAMPLING));
        let colour = rgb(colour);
        let style = TextStyle::from(font.into_font())
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Center));
        // The library centres on a line's box, whose middle lies above that of a capital letter.
        let (x, y) = enlarged([at[0], at[1] + 0.2 * size]);
        // The font is a light one: twice, half a pixel apart, is legible from the last row.
        for x in [x, x + 1] {
            let text = Text::new(text.to_owned(), (x, y), style.clone());
            self.area().draw(&text).map_err(drawing)?;
        }
        Ok(())
    }

    /// A picture in its own pixels, its upper left corner at the position.
    pub fn paste(&mut self, picture: &RgbImage, at: [u32; 2]) {
        let size = [picture.width(), picture.height()].map(|side| side * OVERSAMPLING);
        let large = imageops::resize(picture, size[0], size[1], imageops::FilterType::Nearest);
        let [x, y] = at.map(|v| i64::from(v * OVERSAMPLING));
        imageops::replace(&mut self.image, &large, x, y);
    }

    /// The finished picture as PNG.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn png(self) -> Result<Vec<u8>, BoxedError> {
        let size = [self.image.width(), self.image.height()].map(|side| side / OVERSAMPLING);
        let filter = imageops::FilterType::Triangle;
        png(&imageops::resize(&self.image, size[0], size[1], filter))
    }

    /// What the drawing library draws on.
    fn area(&mut self) -> DrawingArea<BitMapBackend<'_>, Shift> {
        let size = self.image.dimensions();
        BitMapBackend::with_buffer(&mut self.image, size).into_drawing_area()
    }
}

/// A position in the enlarged picture.
fn enlarged(at: [f64; 2]) -> (i32, i32) {
    let [x, y] = at.map(|v| (v * f64::from(OVERSAMPLING)).round() as i32);
    (x, y)
}

fn rgb([r, g, b]: Colour) -> RGBColor {
    RGBColor(r, g, b)
}

fn drawing(error: impl std::fmt::Display) -> BoxedError {
    format!("the picture cannot be drawn: {error}").into()
}

/// Gives the font to the drawing library, once a process.
fn load_font() -> Result<(), BoxedError> {
    static LOADED: OnceLock<bool> = OnceLock::new();
    let load = || {
        let bytes = epaint_default_fonts::UBUNTU_LIGHT;
        register_font(FONT, FontStyle::Normal, bytes).is_ok()
    };
    LOADED
        .get_or_init(load)
        .then_some(())
        .ok_or_else(|| drawing("the font cannot be read"))
}

/// Pictures of one size side by side, each below its name.
pub fn side_by_side(pictures: &[(String, RgbImage)]) -> Result<Vec<u8>, BoxedError> {
    const HEAD: u32 = 56;
    let width = pictures.first().map_or(1, |(_, picture)| picture.width());
    let height = pictures.first().map_or(1, |(_, picture)| picture.height());
    let mut sheet = Sheet::new(width * pictures.len() as u32, HEAD + height);
    for (k, (name, picture)) in (0..).zip(pictures) {
        sheet.paste(picture, [k * width, HEAD]);
        let middle = f64::from(k * width) + f64::from(width) / 2.0;
        let at = [middle, f64::from(HEAD) / 2.0];
        sheet.text(name, at, Align::Centre, 28.0, INK)?;
    }
    sheet.png()
}

/// A picture as PNG, as small as it gets.
///
/// # Errors
/// When it cannot be encoded.
pub fn png(picture: &RgbImage) -> Result<Vec<u8>, BoxedError> {
    let encode = |filter| {
        let mut bytes = Vec::new();
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, filter).write_image(
            picture.as_raw(),
            picture.width(),
            picture.height(),
            ExtendedColorType::Rgb8,
        )?;
        Ok::<_, BoxedError>(bytes)
    };
    // Which filter is best depends on the picture: shades, or flat colours.
    let (shades, flat) = (encode(FilterType::Up)?, encode(FilterType::Adaptive)?);
    Ok(if shades.len() < flat.len() {
        shades
    } else {
        flat
    })
}

/// Between two colours: the first at 0, the second at 1.
pub fn blend(a: Colour, b: Colour, share: f64) -> Colour {
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(a[i]), f64::from(b[i]));
        (a + (b - a) * share.clamp(0.0, 1.0)).round() as u8
    })
}
