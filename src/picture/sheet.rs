//! A white sheet to draw on: lines, boxes, discs, text, other pictures. Positions are in pixels of the finished
//! picture from its upper left corner.

use std::sync::OnceLock;

use image::imageops;
use image::{Rgb, RgbImage};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use thiserror::Error;

use crate::base::error::WithKind;

use super::file;

/// A colour.
pub type Colour = [u8; 3];

/// The colour of text and outlines.
pub const INK: Colour = [0x22, 0x24, 0x28];
/// The colour of less prominent parts.
pub const QUIET: Colour = [0x60, 0x65, 0x6e];

/// Factor by which everything is drawn larger and then averaged, for smooth edges.
const OVERSAMPLING: u32 = 2;

/// Names of the two fonts in the drawing library.
const TEXT_FONT: &str = "fragstream text";
const SIGN_FONT: &str = "fragstream signs";

/// Mathematical signs that the text font lacks and the other one has.
const SIGNS: &str = "‖⁻∇→⌈⌉⌊⌋";

/// Distance from the middle of a capital letter to the library's vertical centre of text, in units of its size.
const DROP: f64 = 0.2;

/// A drawing that could not be made.
#[derive(Debug, Error)]
pub enum SheetError {
    /// The drawing library failed.
    #[error("the picture cannot be drawn: {0}")]
    Drawing(String),
    /// The picture could not be encoded.
    #[error("the picture cannot be written as PNG: {0}")]
    Encoding(#[from] image::ImageError),
}

impl WithKind for SheetError {}

/// Alignment of a text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The text begins there.
    Left,
    /// The text is centred there.
    Centre,
    /// The text ends there.
    Right,
}

/// A drawing in progress: pixels, or elements of an SVG.
pub struct Sheet {
    image: RgbImage,
    svg: Option<String>,
}

impl Sheet {
    /// A white sheet.
    pub fn new(width: u32, height: u32) -> Self {
        let white = Rgb([255; 3]);
        let image = RgbImage::from_pixel(width * OVERSAMPLING, height * OVERSAMPLING, white);
        Self { image, svg: None }
    }

    /// A white sheet whose lines, boxes, discs and texts become elements of an SVG; shades and pictures are
    /// dropped.
    pub fn vector(width: u32, height: u32) -> Self {
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Ubuntu, 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        Self { image: RgbImage::default(), svg: Some(head) }
    }

    /// The finished SVG; empty for a sheet of pixels.
    pub fn svg(self) -> String {
        self.svg.map_or_else(String::new, |text| text + "</svg>\n")
    }

    /// Fills the box with these corners, the second excluded.
    pub fn fill(&mut self, from: impl Into<[f64; 2]>, to: impl Into<[f64; 2]>, colour: Colour) {
        let (from, to) = (from.into(), to.into());
        let Some(svg) = &mut self.svg else {
            return self.shade(from, to, |_, _| colour);
        };
        let ([x, y], [width, height]) = (from, [to[0] - from[0], to[1] - from[1]]);
        *svg += &format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"/>\n",
            hex(colour)
        );
    }

    /// Fills a box whose colour is a function of the position in it, from 0 to 1 across and down.
    pub fn shade(
        &mut self,
        from: impl Into<[f64; 2]>,
        to: impl Into<[f64; 2]>,
        colour: impl Fn(f64, f64) -> Colour,
    ) {
        let ((left, top), (right, bottom)) = (enlarged(from), enlarged(to));
        let (width, height) = self.image.dimensions();
        let middle =
            |at: i32, from: i32, to: i32| (f64::from(at - from) + 0.5) / f64::from(to - from);
        for y in top.max(0)..bottom.min(height as i32) {
            for x in left.max(0)..right.min(width as i32) {
                let colour = colour(middle(x, left, right), middle(y, top, bottom));
                self.image.put_pixel(x as u32, y as u32, Rgb(colour));
            }
        }
    }

    /// Fills a triangle whose colour is a function of the barycentric coordinates.
    pub fn shade_triangle(&mut self, corners: [[f64; 2]; 3], colour: impl Fn([f64; 3]) -> Colour) {
        let [a, b, c] = corners.map(|corner| corner.map(|v| v * f64::from(OVERSAMPLING)));
        let area = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        };
        let whole = area(a, b, c);
        if whole == 0.0 || !whole.is_finite() {
            return;
        }
        let sides = [self.image.width(), self.image.height()];
        // Pixels whose centres are between the outermost corners.
        let [columns, rows] = [0, 1].map(|k| {
            let low = a[k].min(b[k]).min(c[k]) - 0.5;
            let high = a[k].max(b[k]).max(c[k]) + 0.5;
            (low.max(0.0) as u32)..(high.max(0.0) as u32).min(sides[k])
        });
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let p = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let shares = [area(p, b, c), area(a, p, c), area(a, b, p)].map(|part| part / whole);
            // A centre on an edge belongs to both sides, so there are no gaps.
            if shares.iter().all(|&share| share >= -1e-9) {
                self.image.put_pixel(x, y, Rgb(colour(shares)));
            }
        }
    }

    /// The outline of a box.
    pub fn outline(
        &mut self,
        [left, top]: [f64; 2],
        [right, bottom]: [f64; 2],
        width: f64,
        colour: Colour,
    ) -> Result<(), SheetError> {
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
        self.line(&corners, width, colour)
    }

    /// A line from point to point.
    pub fn line<P: Into<[f64; 2]> + Copy>(
        &mut self,
        points: &[P],
        width: f64,
        colour: Colour,
    ) -> Result<(), SheetError> {
        if let Some(svg) = &mut self.svg {
            let points = points.iter().map(|&point| {
                let [x, y] = point.into();
                format!("{x:.1},{y:.1}")
            });
            let points: Vec<String> = points.collect();
            *svg += &format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>\n",
                points.join(" "),
                hex(colour)
            );
            return Ok(());
        }
        let width = (width * f64::from(OVERSAMPLING)).round() as u32;
        let points: Vec<_> = points.iter().copied().map(enlarged).collect();
        let path = PathElement::new(points, rgb(colour).stroke_width(width));
        self.area().draw(&path).map_err(drawing)
    }

    /// A filled disc.
    pub fn disc(
        &mut self,
        centre: impl Into<[f64; 2]>,
        radius: f64,
        colour: Colour,
    ) -> Result<(), SheetError> {
        if let Some(svg) = &mut self.svg {
            let [x, y] = centre.into();
            *svg += &format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{}\"/>\n",
                hex(colour)
            );
            return Ok(());
        }
        let radius = (radius * f64::from(OVERSAMPLING)).round() as i32;
        let disc = Circle::new(enlarged(centre), radius, rgb(colour).filled());
        self.area().draw(&disc).map_err(drawing)
    }

    /// A line of text, vertically centred on its position.
    pub fn text(
        &mut self,
        text: &str,
        at: impl Into<[f64; 2]>,
        align: Align,
        size: f64,
        colour: Colour,
    ) -> Result<(), SheetError> {
        let ([x, y], width) = (at.into(), width_of(text, size)?);
        if let Some(svg) = &mut self.svg {
            let anchor = match align {
                Align::Left => "start",
                Align::Centre => "middle",
                Align::Right => "end",
            };
            let (size, y) = (0.9 * size, y + 0.32 * size);
            *svg += &format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" text-anchor=\"{anchor}\" \
                 textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\">{}</text>\n",
                hex(colour),
                escaped(text)
            );
            return Ok(());
        }
        let colour = rgb(colour);
        let mut x = match align {
            Align::Left => x,
            Align::Centre => x - width / 2.0,
            Align::Right => x - width,
        };
        for (font, run) in runs(text) {
            let place = Pos::new(HPos::Left, VPos::Center);
            let style = style(font, size).color(&colour).pos(place);
            let (column, row) = enlarged([x, y + DROP * size]);
            // The font is light: drawn twice, half a pixel apart from itself, it is legible from the last row.
            for column in [column, column + 1] {
                let text = Text::new(run.clone(), (column, row), style.clone());
                self.area().draw(&text).map_err(drawing)?;
            }
            x += width_of(&run, size)?;
        }
        Ok(())
    }

    /// Draws a picture in its own pixels, with its upper left corner at the position.
    pub fn paste(&mut self, picture: &RgbImage, at: [u32; 2]) {
        let [width, height] = [picture.width(), picture.height()].map(|side| side * OVERSAMPLING);
        let large = RgbImage::from_fn(width, height, |x, y| {
            *picture.get_pixel(x / OVERSAMPLING, y / OVERSAMPLING)
        });
        let [x, y] = at.map(|v| i64::from(v * OVERSAMPLING));
        imageops::replace(&mut self.image, &large, x, y);
    }

    /// The finished picture as PNG.
    pub fn png(self) -> Result<Vec<u8>, SheetError> {
        Ok(file::png(&self.picture())?)
    }

    /// The finished picture.
    pub fn picture(self) -> RgbImage {
        averaged(&self.image)
    }

    /// The drawing library's target.
    fn area(&mut self) -> DrawingArea<BitMapBackend<'_>, Shift> {
        let size = self.image.dimensions();
        BitMapBackend::with_buffer(&mut self.image, size).into_drawing_area()
    }
}

/// Averages groups of four pixels of the enlarged picture. Plain loops are fast even in unoptimised tests.
fn averaged(large: &RgbImage) -> RgbImage {
    const { assert!(OVERSAMPLING == 2) };
    let [width, height] = [large.width(), large.height()].map(|side| side / 2);
    let line = 3 * large.width() as usize;
    let mut mean = vec![0; (3 * width * height) as usize];
    let means = mean.chunks_exact_mut((line / 2).max(1));
    for (mean, lines) in means.zip(large.as_raw().chunks_exact((2 * line).max(1))) {
        let mut at = 0;
        while at < mean.len() {
            // The same channel of two neighbouring pixels, in both lines.
            let first = 2 * at - at % 3;
            let sum = |k: usize| u32::from(lines[k]) + u32::from(lines[k + 3]);
            mean[at] = ((sum(first) + sum(first + line) + 2) / 4) as u8;
            at += 1;
        }
    }
    RgbImage::from_raw(width, height, mean).unwrap_or_default()
}

/// Pictures side by side, each below its name, as PNG.
pub fn side_by_side(pictures: &[(String, RgbImage)]) -> Result<Vec<u8>, SheetError> {
    const HEAD: u32 = 56;
    /// Least width of the widest picture.
    const SMALLEST: u32 = 384;
    const GAP: u32 = 32;
    const SIZE: f64 = 28.0;
    let width = |(name, picture): &(String, RgbImage)| {
        Ok::<_, SheetError>(picture.width().max(width_of(name, SIZE)?.ceil() as u32) + GAP)
    };
    // A small picture is enlarged, so that its pixels can be seen.
    let widest = pictures.iter().map(|(_, picture)| picture.width()).max().unwrap_or(1).max(1);
    let enlarged = |picture: &RgbImage| match SMALLEST.div_ceil(widest) {
        1 => picture.clone(),
        n => {
            let [width, height] = [picture.width(), picture.height()].map(|side| n * side);
            imageops::resize(picture, width, height, imageops::FilterType::Nearest)
        }
    };
    let pictures = pictures.iter().map(|(name, picture)| (name.clone(), enlarged(picture)));
    let pictures: Vec<(String, RgbImage)> = pictures.collect();
    let widths = pictures.iter().map(width).collect::<Result<Vec<_>, _>>()?;
    let height = pictures.iter().map(|(_, picture)| picture.height()).max().unwrap_or(1);
    let mut sheet = Sheet::new(widths.iter().sum::<u32>().max(1), HEAD + height);
    let mut left = 0;
    for ((name, picture), width) in pictures.iter().zip(widths) {
        sheet.paste(picture, [left + (width - picture.width()) / 2, HEAD]);
        let middle = f64::from(left) + f64::from(width) / 2.0;
        sheet.text(name, [middle, f64::from(HEAD) / 2.0], Align::Centre, SIZE, INK)?;
        left += width;
    }
    sheet.png()
}

/// Width of a text in pixels.
pub fn width_of(text: &str, size: f64) -> Result<f64, SheetError> {
    load_fonts()?;
    let mut width = 0;
    for (font, run) in runs(text) {
        let ((left, _), (right, _)) = style(font, size).font.layout_box(&run).map_err(drawing)?;
        width += right - left;
    }
    Ok(f64::from(width) / f64::from(OVERSAMPLING))
}

/// Width of the widest text; 0 if there is none.
pub fn widest<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
    size: f64,
) -> Result<f64, SheetError> {
    texts.into_iter().try_fold(0f64, |widest, text| Ok(widest.max(width_of(text.as_ref(), size)?)))
}

/// Passes the fonts to the drawing library, once per process.
fn load_fonts() -> Result<(), SheetError> {
    static LOADED: OnceLock<bool> = OnceLock::new();
    let load = || {
        let fonts = [
            (TEXT_FONT, epaint_default_fonts::UBUNTU_LIGHT),
            (SIGN_FONT, epaint_default_fonts::HACK_REGULAR),
        ];
        fonts.into_iter().all(|(name, bytes)| register_font(name, FontStyle::Normal, bytes).is_ok())
    };
    LOADED.get_or_init(load).then_some(()).ok_or_else(|| drawing("the fonts cannot be read"))
}

/// Splits a text where its font changes; each part has the name of its font.
fn runs(text: &str) -> Vec<(&'static str, String)> {
    let mut runs: Vec<(&'static str, String)> = Vec::new();
    for character in text.chars() {
        let font = if SIGNS.contains(character) { SIGN_FONT } else { TEXT_FONT };
        match runs.last_mut() {
            Some((last, run)) if *last == font => run.push(character),
            _ => runs.push((font, character.to_string())),
        }
    }
    runs
}

/// A font at a size, in the enlarged picture.
fn style(font: &'static str, size: f64) -> TextStyle<'static> {
    TextStyle::from((font, size * f64::from(OVERSAMPLING)).into_font())
}

/// A position in the enlarged picture.
fn enlarged(at: impl Into<[f64; 2]>) -> (i32, i32) {
    let [x, y] = at.into().map(|v| (v * f64::from(OVERSAMPLING)).round() as i32);
    (x, y)
}

/// A colour as `#0072b2`.
fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A text as the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn rgb([red, green, blue]: Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

fn drawing(error: impl std::fmt::Display) -> SheetError {
    SheetError::Drawing(error.to_string())
}

/// A mixture of two colours: the first for 0, the second for 1.
pub fn blend(a: Colour, b: Colour, share: f64) -> Colour {
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(a[i]), f64::from(b[i]));
        (a + (b - a) * share.clamp(0.0, 1.0)).round() as u8
    })
}
