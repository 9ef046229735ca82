//! A white sheet to draw on with few operations, in pixels of the finished picture.

use std::sync::OnceLock;

use image::imageops::FilterType;
use image::{ImageFormat, RgbImage, imageops};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::PlotError;

/// Width of every chart in pixels.
pub const WIDTH: u32 = 1280;
/// Height of every chart in pixels.
pub const HEIGHT: u32 = 800;

/// Everything is drawn so many times larger and then averaged: smooth edges.
const OVERSAMPLING: u32 = 2;

/// The names under which the drawing library knows the two fonts.
const TEXT_FONT: &str = "fragstream text";
const SIGN_FONT: &str = "fragstream signs";

/// The signs of mathematics that the text font lacks and the other one has.
const SIGNS: &str = "‖⁻∇→⌈⌉⌊⌋";

/// From the middle of a capital letter to where the library centres text, in units of its size.
const DROP: f64 = 0.2;

pub(super) const INK: RGBColor = RGBColor(0x22, 0x24, 0x28);
pub(super) const QUIET: RGBColor = RGBColor(0x60, 0x65, 0x6e);
pub(super) const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe0);

/// Okabe and Ito's palette (2008), without its yellow, which white swallows; strongest first.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x22, 0x24, 0x28),
];

/// The colour of series number `index`.
pub(super) fn colour(index: usize) -> RGBColor {
    PALETTE[index % PALETTE.len()]
}

/// Sizes of type, in pixels.
pub(super) mod size {
    pub const TITLE: f64 = 38.0;
    pub const LABEL: f64 = 27.0;
    pub const TICK: f64 = 25.0;
    pub const NOTE: f64 = 23.0;
}

/// Which point of a text is put at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Centre,
    Right,
}

/// The sheet.
pub(super) struct Canvas<'a> {
    area: DrawingArea<BitMapBackend<'a>, Shift>,
}

/// Draws a picture and encodes it as PNG.
pub(super) fn paint(
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), PlotError>,
) -> Result<Vec<u8>, PlotError> {
    load_fonts()?;
    let (width, height) = (WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING);
    let mut large = RgbImage::new(width, height);
    {
        let backend = BitMapBackend::with_buffer(&mut large, (width, height));
        let canvas = Canvas {
            area: backend.into_drawing_area(),
        };
        canvas.area.fill(&WHITE).map_err(drawing)?;
        draw(&canvas)?;
        canvas.area.present().map_err(drawing)?;
    }
    let picture = imageops::resize(&large, WIDTH, HEIGHT, FilterType::Triangle);
    let mut png = Vec::new();
    picture.write_to(&mut std::io::Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(png)
}

/// Gives the fonts to the drawing library, once a process.
fn load_fonts() -> Result<(), PlotError> {
    static LOADED: OnceLock<bool> = OnceLock::new();
    let load = || {
        let fonts = [
            (TEXT_FONT, epaint_default_fonts::UBUNTU_LIGHT),
            (SIGN_FONT, epaint_default_fonts::HACK_REGULAR),
        ];
        fonts
            .into_iter()
            .all(|(name, bytes)| register_font(name, FontStyle::Normal, bytes).is_ok())
    };
    LOADED
        .get_or_init(load)
        .then_some(())
        .ok_or_else(|| PlotError::Drawing("the fonts cannot be read".to_owned()))
}

/// The text cut where its font changes, each part with the name of its font.
fn runs(text: &str) -> Vec<(&'static str, String)> {
    let mut runs: Vec<(&'static str, String)> = Vec::new();
    for character in text.chars() {
        let font = if SIGNS.contains(character) {
            SIGN_FONT
        } else {
            TEXT_FONT
        };
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

fn drawing(error: impl std::fmt::Display) -> PlotError {
    PlotError::Drawing(error.to_string())
}

/// A position in the enlarged picture.
fn enlarged((x, y): (f64, f64)) -> (i32, i32) {
    let factor = f64::from(OVERSAMPLING);
    ((x * factor).round() as i32, (y * factor).round() as i32)
}

impl Canvas<'_> {
    /// A polygon's or line's stroke through the points.
    pub fn line(
        &self,
        points: &[(f64, f64)],
        width: f64,
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        let width = (width * f64::from(OVERSAMPLING)).round() as u32;
        let points: Vec<_> = points.iter().copied().map(enlarged).collect();
        let path = PathElement::new(points, colour.stroke_width(width));
        self.area.draw(&path).map_err(drawing)
    }

    /// A filled disc.
    pub fn disc(&self, centre: (f64, f64), radius: f64, colour: RGBColor) -> Result<(), PlotError> {
        let radius = (radius * f64::from(OVERSAMPLING)).round() as i32;
        let disc = Circle::new(enlarged(centre), radius, colour.filled());
        self.area.draw(&disc).map_err(drawing)
    }

    /// A filled rectangle.
    pub fn rectangle(
        &self,
        corner: (f64, f64),
        opposite: (f64, f64),
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        let corners = [enlarged(corner), enlarged(opposite)];
        let rectangle = Rectangle::new(corners, colour.filled());
        self.area.draw(&rectangle).map_err(drawing)
    }

    /// A rectangle whose colour is a function of the place in it, from 0 to 1 across and down.
    pub fn shade(
        &self,
        corner: (f64, f64),
        opposite: (f64, f64),
        colour: impl Fn(f64, f64) -> RGBColor,
    ) -> Result<(), PlotError> {
        let ((left, top), (right, bottom)) = (enlarged(corner), enlarged(opposite));
        let middle = |pixel: i32, size: i32| (f64::from(pixel) + 0.5) / f64::from(size);
        for y in 0..bottom - top {
            for x in 0..right - left {
                let colour = colour(middle(x, right - left), middle(y, bottom - top));
                let pixel = (left + x, top + y);
                self.area.draw_pixel(pixel, &colour).map_err(drawing)?;
            }
        }
        Ok(())
    }

    /// A line of text, vertically centred on its position.
    pub fn text(
        &self,
        text: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        let width = self.width_of(text, size)?;
        let mut x = match anchor {
            Anchor::Left => x,
            Anchor::Centre => x - width / 2.0,
            Anchor::Right => x - width,
        };
        for (font, run) in runs(text) {
            let style = style(font, size)
                .color(&colour)
                .pos(Pos::new(HPos::Left, VPos::Center));
            let (column, row) = enlarged((x, y + DROP * size));
            // The font is a light one: twice, half a pixel apart, is legible from the last row.
            for column in [column, column + 1] {
                let text = Text::new(run.clone(), (column, row), style.clone());
                self.area.draw(&text).map_err(drawing)?;
            }
            x += self.width_of(&run, size)?;
        }
        Ok(())
    }

    /// How wide a text comes out, in pixels.
    pub fn width_of(&self, text: &str, size: f64) -> Result<f64, PlotError> {
        let mut width = 0;
        for (font, run) in runs(text) {
            let size = self.area.estimate_text_size(&run, &style(font, size));
            width += size.map_err(drawing)?.0;
        }
        Ok(f64::from(width) / f64::from(OVERSAMPLING))
    }

    /// The width of the widest of some texts; 0 for none.
    pub fn widest<T: AsRef<str>>(
        &self,
        texts: impl IntoIterator<Item = T>,
        size: f64,
    ) -> Result<f64, PlotError> {
        texts.into_iter().try_fold(0f64, |widest, text| {
            Ok(widest.max(self.width_of(text.as_ref(), size)?))
        })
    }
}
