//! A picture of the layering ([`super::layering`]; Bolz et al. 2003, section 4.2, texture layout).

use std::error::Error;

use image::imageops::{FilterType, resize};
use image::{ImageFormat, RgbImage};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::geometry::{Boundary, Grid, GridError, Sides};
use super::layering::{Layering, Layout};

const WIDTH: u32 = 1600;
const HEIGHT: u32 = 860;
/// Everything is drawn twice as large and then averaged: smooth edges.
const OVERSAMPLING: i32 = 2;
const FONT: &str = "fragstream-layout";

const INK: RGBColor = RGBColor(0x22, 0x24, 0x28);
const FRAME: RGBColor = RGBColor(0x60, 0x65, 0x6e);
/// One colour a quadrant, told apart by everybody (Okabe and Ito, 2008), light enough for text.
const QUADRANTS: [RGBColor; 4] = [
    RGBColor(0x8c, 0xc6, 0xee),
    RGBColor(0xf2, 0xa6, 0x6a),
    RGBColor(0x7f, 0xd0, 0xb0),
    RGBColor(0xe3, 0xb3, 0xd0),
];

/// A rectangle to draw in, in pixels of the finished picture; rows go up.
struct Panel<'a, 'b> {
    sheet: &'a DrawingArea<BitMapBackend<'b>, Shift>,
    left: f64,
    bottom: f64,
    /// Side of one cell.
    cell: f64,
}

type Drawn = Result<(), Box<dyn Error>>;

impl Panel<'_, '_> {
    fn pixel(&self, x: f64, y: f64) -> (i32, i32) {
        let factor = f64::from(OVERSAMPLING);
        let (x, y) = (self.left + self.cell * x, self.bottom - self.cell * y);
        ((x * factor) as i32, (y * factor) as i32)
    }

    fn fill(&self, (x, y): (f64, f64), (width, height): (f64, f64), colour: RGBColor) -> Drawn {
        let corners = [self.pixel(x, y), self.pixel(x + width, y + height)];
        self.sheet.draw(&Rectangle::new(corners, colour.filled()))?;
        Ok(())
    }

    fn frame(&self, (x, y): (f64, f64), side: f64, colour: RGBColor, width: i32) -> Drawn {
        let corners = [self.pixel(x, y), self.pixel(x + side, y + side)];
        let stroke = colour.stroke_width((width * OVERSAMPLING) as u32);
        self.sheet.draw(&Rectangle::new(corners, stroke))?;
        Ok(())
    }

    fn text(&self, text: &str, (x, y): (f64, f64), size: f64, at: HPos) -> Drawn {
        let style = TextStyle::from((FONT, size * f64::from(OVERSAMPLING)).into_font())
            .color(&INK)
            .pos(Pos::new(at, VPos::Center));
        let text = Text::new(text.to_owned(), self.pixel(x, y), style);
        self.sheet.draw(&text)?;
        Ok(())
    }
}

/// Halfway to white.
fn pale(RGBColor(r, g, b): RGBColor) -> RGBColor {
    let halfway = |v: u8| 128 + v / 2;
    RGBColor(halfway(r), halfway(g), halfway(b))
}

/// The layering of a grid of 9 x 9 nodes, as PNG: the grid, its nodes coloured by quadrant, and the
/// texture, each texel with its four channels.
pub fn layout_picture() -> Result<Vec<u8>, Box<dyn Error>> {
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| "the font cannot be read")?;
    let size = (WIDTH * OVERSAMPLING as u32, HEIGHT * OVERSAMPLING as u32);
    let mut large = RgbImage::new(size.0, size.1);
    {
        let sheet = BitMapBackend::with_buffer(&mut large, size).into_drawing_area();
        sheet.fill(&WHITE)?;
        draw(&sheet, &example()?)?;
        sheet.present()?;
    }
    let picture = resize(&large, WIDTH, HEIGHT, FilterType::Triangle);
    let mut png = Vec::new();
    picture.write_to(&mut std::io::Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(png)
}

fn example() -> Result<Layering, GridError> {
    Ok(Layering {
        grid: Grid::new(9, 9, Sides::all(Boundary::Neumann))?,
        layout: Layout::Layered,
    })
}

fn draw(sheet: &DrawingArea<BitMapBackend<'_>, Shift>, layering: &Layering) -> Drawn {
    let grid = Panel {
        sheet,
        left: 60.0,
        bottom: 790.0,
        cell: 68.0,
    };
    draw_grid(&grid, layering)?;
    let texture = Panel {
        left: 800.0,
        cell: 100.0,
        ..grid
    };
    draw_texture(&texture, layering)
}

/// Every node in the colour of its quadrants; nodes of the coarser grid have a strong frame.
fn draw_grid(panel: &Panel<'_, '_>, layering: &Layering) -> Drawn {
    let [half_columns, half_rows] = layering.quadrant();
    for j in 0..layering.grid.rows() {
        for i in 0..layering.grid.columns() {
            let (x, y) = (i as f64, j as f64);
            // A node in the middle belongs to two quadrants, or four: each has its part of the cell.
            for (channel, colour) in QUADRANTS.into_iter().enumerate() {
                let part = |second: bool, at: usize, half: usize| match at.cmp(&half) {
                    std::cmp::Ordering::Equal => Some((if second { 0.5 } else { 0.0 }, 0.5)),
                    order => (second == order.is_gt()).then_some((0.0, 1.0)),
                };
                let across = part(channel % 2 == 1, i, half_columns);
                let up = part(channel / 2 == 1, j, half_rows);
                if let (Some((left, width)), Some((bottom, height))) = (across, up) {
                    panel.fill((x + left, y + bottom), (width, height), colour)?;
                }
            }
            panel.frame((x, y), 1.0, WHITE, 1)?;
            if i % 2 == 0 && j % 2 == 0 {
                panel.frame((x + 0.08, y + 0.08), 0.84, INK, 2)?;
            }
            panel.text(&format!("{i},{j}"), (x + 0.5, y + 0.5), 21.0, HPos::Center)?;
        }
    }
    let top = layering.grid.rows() as f64 + 0.5;
    let title = "9 x 9 nodes; framed: those of the coarser grid";
    panel.text(title, (0.0, top), 28.0, HPos::Left)?;
    let note = "Colours: quadrants. The middle column and row belong to both halves.";
    panel.text(note, (0.0, -0.4), 22.0, HPos::Left)
}

/// Every texel with the nodes of its channels; the ring is pale.
fn draw_texture(panel: &Panel<'_, '_>, layering: &Layering) -> Drawn {
    let (width, height) = layering.size();
    let (width, height) = (width as usize, height as usize);
    for row in 0..height {
        for column in 0..width {
            let ring = row == 0 || column == 0 || row == height - 1 || column == width - 1;
            for (channel, colour) in QUADRANTS.into_iter().enumerate() {
                let x = column as f64 + 0.5 * (channel % 2) as f64;
                let y = row as f64 + 0.5 * (channel / 2) as f64;
                let node = layering.node(column, row, channel);
                let colour = match (node, ring) {
                    (None, _) => WHITE,
                    (Some(_), true) => pale(colour),
                    (Some(_), false) => colour,
                };
                panel.fill((x, y), (0.5, 0.5), colour)?;
                let coarse = node.is_some_and(|[i, j]| i % 2 == 0 && j % 2 == 0);
                if coarse && !ring {
                    panel.frame((x + 0.04, y + 0.04), 0.42, INK, 2)?;
                }
                let text = node.map_or("0".to_owned(), |[i, j]| format!("{i},{j}"));
                panel.text(&text, (x + 0.25, y + 0.25), 19.0, HPos::Center)?;
            }
        }
    }
    for row in 0..height {
        for column in 0..width {
            panel.frame((column as f64, row as f64), 1.0, FRAME, 1)?;
        }
    }
    let top = height as f64 + 0.34;
    let title = "7 x 7 texels of four channels (x y below, z w above)";
    panel.text(title, (0.0, top), 28.0, HPos::Left)?;
    let note = "Pale: the ring of duplicates, 0 outside. Coarse nodes lie on every other texel.";
    panel.text(note, (0.0, -0.27), 22.0, HPos::Left)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_is_a_png_with_the_colours_of_all_quadrants() {
        let png = super::layout_picture().unwrap();
        let picture = image::load_from_memory(&png).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (super::WIDTH, super::HEIGHT));
        for colour in super::QUADRANTS {
            let wanted = image::Rgb([colour.0, colour.1, colour.2]);
            let count = picture.pixels().filter(|&&pixel| pixel == wanted).count();
            assert!(count > 20_000, "{colour:?}: {count}");
        }
    }
}
