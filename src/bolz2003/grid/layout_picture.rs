//! A picture of the layering ([`super::layering`]; Bolz et al. 2003, section 4.2, texture layout).

use super::geometry::{Boundary, Grid, GridError, Sides};
use super::layering::{ChannelUse, Layering};
use crate::claim::BoxedError;
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError, blend};

const WIDTH: u32 = 1600;
const HEIGHT: u32 = 860;

const WHITE: Colour = [255; 3];
/// One colour a quadrant, told apart by everybody (Okabe and Ito, 2008), light enough for text.
const QUADRANTS: [Colour; 4] = [
    [0x8c, 0xc6, 0xee],
    [0xf2, 0xa6, 0x6a],
    [0x7f, 0xd0, 0xb0],
    [0xe3, 0xb3, 0xd0],
];

/// A part of the sheet to draw in, in cells, rows from the bottom up.
struct Panel<'a> {
    sheet: &'a mut Sheet,
    left: f64,
    bottom: f64,
    /// Side of one cell, in pixels.
    cell: f64,
}

type Drawn = Result<(), SheetError>;

impl Panel<'_> {
    fn pixel(&self, x: f64, y: f64) -> [f64; 2] {
        [self.left + self.cell * x, self.bottom - self.cell * y]
    }

    fn fill(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: Colour) {
        let (from, to) = (self.pixel(x, y + height), self.pixel(x + width, y));
        self.sheet.fill(from, to, colour);
    }

    fn frame(&mut self, (x, y): (f64, f64), side: f64, colour: Colour, width: f64) -> Drawn {
        let (from, to) = (self.pixel(x, y + side), self.pixel(x + side, y));
        self.sheet.outline(from, to, width, colour)
    }

    fn text(&mut self, text: &str, (x, y): (f64, f64), size: f64, align: Align) -> Drawn {
        let at = self.pixel(x, y);
        self.sheet.text(text, at, align, size, INK)
    }
}

/// The layering of a grid of 9 x 9 nodes, as PNG: the grid, its nodes coloured by quadrant, and the
/// texture, each texel with its four channels.
pub fn layout_picture() -> Result<Vec<u8>, BoxedError> {
    let mut sheet = Sheet::new(WIDTH, HEIGHT);
    draw(&mut sheet, &example()?)?;
    Ok(sheet.png()?)
}

fn example() -> Result<Layering, GridError> {
    Ok(Layering {
        grid: Grid::new(9, 9, Sides::all(Boundary::Neumann))?,
        layout: ChannelUse::Layered,
    })
}

fn draw(sheet: &mut Sheet, layering: &Layering) -> Drawn {
    let mut panel = Panel {
        sheet,
        left: 60.0,
        bottom: 790.0,
        cell: 68.0,
    };
    draw_grid(&mut panel, layering)?;
    (panel.left, panel.cell) = (800.0, 100.0);
    draw_texture(&mut panel, layering)
}

/// Every node in the colour of its quadrants; nodes of the coarser grid have a strong frame.
fn draw_grid(panel: &mut Panel<'_>, layering: &Layering) -> Drawn {
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
                    panel.fill((x + left, y + bottom), (width, height), colour);
                }
            }
            panel.frame((x, y), 1.0, WHITE, 1.0)?;
            if i % 2 == 0 && j % 2 == 0 {
                panel.frame((x + 0.08, y + 0.08), 0.84, INK, 2.0)?;
            }
            panel.text(&format!("{i},{j}"), (x + 0.5, y + 0.5), 21.0, Align::Centre)?;
        }
    }
    let top = layering.grid.rows() as f64 + 0.5;
    let title = "9 x 9 nodes; framed: those of the coarser grid";
    panel.text(title, (0.0, top), 28.0, Align::Left)?;
    let note = "Colours: quadrants. The middle column and row belong to both halves.";
    panel.text(note, (0.0, -0.4), 22.0, Align::Left)
}

/// Every texel with the nodes of its channels; the ring is pale.
fn draw_texture(panel: &mut Panel<'_>, layering: &Layering) -> Drawn {
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
                    (Some(_), true) => blend(colour, WHITE, 0.5),
                    (Some(_), false) => colour,
                };
                panel.fill((x, y), (0.5, 0.5), colour);
                let coarse = node.is_some_and(|[i, j]| i % 2 == 0 && j % 2 == 0);
                if coarse && !ring {
                    panel.frame((x + 0.04, y + 0.04), 0.42, INK, 2.0)?;
                }
                let text = node.map_or("0".to_owned(), |[i, j]| format!("{i},{j}"));
                panel.text(&text, (x + 0.25, y + 0.25), 19.0, Align::Centre)?;
            }
        }
    }
    for row in 0..height {
        for column in 0..width {
            panel.frame((column as f64, row as f64), 1.0, QUIET, 1.0)?;
        }
    }
    let top = height as f64 + 0.34;
    let title = "7 x 7 texels of four channels (x y below, z w above)";
    panel.text(title, (0.0, top), 28.0, Align::Left)?;
    let note = "Pale: the ring of duplicates, 0 outside. Coarse nodes lie on every other texel.";
    panel.text(note, (0.0, -0.27), 22.0, Align::Left)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_is_a_png_with_the_colours_of_all_quadrants() {
        let png = super::layout_picture().unwrap();
        let picture = image::load_from_memory(&png).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (super::WIDTH, super::HEIGHT));
        for colour in super::QUADRANTS {
            let count = picture.pixels().filter(|pixel| pixel.0 == colour).count();
            assert!(count > 20_000, "{colour:?}: {count}");
        }
    }
}
