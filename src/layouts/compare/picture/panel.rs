//! Layouts on a sheet, one below the other, with their textures at a common scale if possible.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError};
use crate::stream::Size;

/// Colour of positions without an entry.
pub const PADDING: Colour = [0xe4, 0xe4, 0xe0];

/// Sizes in pixels: width of the sheet, margin, column for text, gap between textures.
const WIDTH: f64 = 1500.0;
const MARGIN: f64 = 40.0;
const TEXT: f64 = 330.0;
const GAP: f64 = 10.0;
/// Sizes of type.
const TITLE: f64 = 34.0;
const NAME: f64 = 27.0;
const NOTE: f64 = 20.0;
/// Distance between lines of text.
const LINE: f64 = 28.0;
/// Area of the textures of a layout of medium size, and maximum multiple of it.
const AREA: f64 = 150_000.0;
const MOST: f64 = 2.5;
/// The largest texel, and the smallest whose outline is drawn.
const LARGEST: f64 = 24.0;
const OUTLINED: f64 = 7.0;

/// A picture of a texture.
pub struct Tile {
    /// One pixel per entry, from the top down.
    pub picture: RgbImage,
    /// Number of entries per texel, side by side.
    pub entries: u32,
}

impl Tile {
    /// A texture with this number of texels, each with `entries` entries side by side, whose colours are a
    /// function of column, row and entry. The first row in memory is drawn at the top.
    pub fn new(
        (width, height): Size,
        entries: u32,
        colour: impl Fn(u32, u32, u32) -> Colour,
    ) -> Self {
        let picture = RgbImage::from_fn(width * entries, height, |x, y| {
            Rgb(colour(x / entries, y, x % entries))
        });
        Self { picture, entries }
    }

    /// Columns and rows of texels.
    fn texels(&self) -> [f64; 2] {
        [self.picture.width() / self.entries, self.picture.height()].map(f64::from)
    }
}

/// Meaning of the colours.
pub struct Legend {
    /// Description.
    pub text: &'static str,
    /// All colours, as a function of two coordinates from 0 to 1: across and down.
    pub colour: fn(f64, f64) -> Colour,
}

/// A layout: its name, its notes, its textures.
pub struct Panel {
    /// Its name.
    pub name: String,
    /// Short lines below it.
    pub notes: Vec<String>,
    /// Its textures in their order.
    pub tiles: Vec<Tile>,
}

impl Panel {
    /// Area of its textures in texels, each with a gap of about a texel.
    fn area(&self) -> f64 {
        let areas = self
            .tiles
            .iter()
            .map(|tile| tile.texels().map(|side| side + 1.0));
        areas.map(|[width, height]| width * height).sum()
    }

    /// The position of each texture at this scale, from the left and the top, and the total height.
    fn places(&self, scale: f64) -> (Vec<[f64; 2]>, f64) {
        let (mut places, mut at, mut bottom) = (Vec::new(), [0.0, 0.0], 0.0f64);
        for tile in &self.tiles {
            let [width, height] = tile.texels().map(|side| side * scale);
            if at[0] > 0.0 && at[0] + width > WIDTH - TEXT - 2.0 * MARGIN {
                at = [0.0, bottom + GAP];
            }
            places.push(at);
            bottom = bottom.max(at[1] + height);
            at[0] += width + GAP;
        }
        (places, bottom)
    }

    /// The largest scale, at most `common`, at which it fits on the sheet.
    fn scale(&self, common: f64) -> f64 {
        let most = (MOST * AREA / self.area().max(1.0)).sqrt();
        let widest = self
            .tiles
            .iter()
            .map(|tile| tile.texels()[0])
            .fold(1.0, f64::max);
        whole(common.min(most).min((WIDTH - TEXT - 2.0 * MARGIN) / widest))
    }
}

/// Rounds to an integer number of pixels per texel, or of texels per pixel.
fn whole(scale: f64) -> f64 {
    if scale >= 1.0 {
        scale.floor().min(LARGEST)
    } else {
        1.0 / (1.0 / scale).ceil()
    }
}

/// The sheet as PNG: a title, the meaning of the colours, and the panels.
///
/// # Errors
/// A sheet that cannot be drawn or encoded.
pub fn sheet(title: &str, legend: &Legend, panels: &[Panel]) -> Result<Vec<u8>, SheetError> {
    let mut areas: Vec<f64> = panels
        .iter()
        .map(Panel::area)
        .filter(|&area| area > 0.0)
        .collect();
    areas.sort_by(f64::total_cmp);
    let middle = areas.get(areas.len() / 2).copied().unwrap_or(1.0);
    let common = whole((AREA / middle).sqrt());
    let head = 2.0 * MARGIN + TITLE + 2.0 * LINE;
    let heights = panels.iter().map(|panel| {
        let text = NAME + 8.0 + LINE * (panel.notes.len() + 1) as f64;
        panel.places(panel.scale(common)).1.max(text) + MARGIN
    });
    let heights: Vec<f64> = heights.collect();
    let mut sheet = Sheet::new(WIDTH as u32, (head + heights.iter().sum::<f64>()) as u32);
    draw_head(&mut sheet, title, legend)?;
    let mut top = head;
    for (panel, height) in panels.iter().zip(heights) {
        draw(&mut sheet, panel, top, panel.scale(common), common)?;
        top += height;
    }
    sheet.png()
}

fn draw_head(sheet: &mut Sheet, title: &str, legend: &Legend) -> Result<(), SheetError> {
    sheet.text(
        title,
        [MARGIN, MARGIN + TITLE / 2.0],
        Align::Left,
        TITLE,
        INK,
    )?;
    let y = MARGIN + TITLE + LINE;
    let bar = [MARGIN, MARGIN + 220.0];
    sheet.shade([bar[0], y - 14.0], [bar[1], y + 14.0], legend.colour);
    let x = bar[1] + 16.0;
    sheet.text(legend.text, [x, y], Align::Left, NOTE, QUIET)?;
    let x = WIDTH - MARGIN;
    sheet.fill([x - 120.0, y - 9.0], [x - 100.0, y + 9.0], PADDING);
    sheet.text("padding", [x, y], Align::Right, NOTE, QUIET)
}

fn draw(
    sheet: &mut Sheet,
    panel: &Panel,
    top: f64,
    scale: f64,
    common: f64,
) -> Result<(), SheetError> {
    sheet.text(
        &panel.name,
        [MARGIN, top + NAME / 2.0],
        Align::Left,
        NAME,
        INK,
    )?;
    let notes = panel.notes.iter().map(String::as_str);
    let smaller = format!("drawn smaller: 1 to {:.0}", (common / scale).ceil());
    let notes = notes.chain((scale < common && !panel.tiles.is_empty()).then_some(&*smaller));
    for (line, note) in notes.enumerate() {
        let y = top + NAME + 8.0 + LINE * (line as f64 + 0.5);
        sheet.text(note, [MARGIN, y], Align::Left, NOTE, QUIET)?;
    }
    let (places, _) = panel.places(scale);
    for (tile, [x, y]) in panel.tiles.iter().zip(places) {
        draw_tile(sheet, tile, [MARGIN + TEXT + x, top + y], scale)?;
    }
    Ok(())
}

fn draw_tile(sheet: &mut Sheet, tile: &Tile, at: [f64; 2], scale: f64) -> Result<(), SheetError> {
    let [width, height] = tile.texels();
    let size = [width, height].map(|side| (side * scale).round().max(1.0) as u32);
    // With several texels per pixel, a pixel is their mean.
    let filter = if scale * f64::from(tile.entries) >= 1.0 && scale >= 1.0 {
        FilterType::Nearest
    } else {
        FilterType::Triangle
    };
    let picture = imageops::resize(&tile.picture, size[0], size[1], filter);
    sheet.paste(&picture, at.map(|v| v.round() as u32));
    let [left, top] = at.map(f64::round);
    let (right, bottom) = (left + f64::from(size[0]), top + f64::from(size[1]));
    if scale >= OUTLINED {
        let white = [255; 3];
        for column in 1..width as u32 {
            let x = left + scale * f64::from(column);
            sheet.line(&[[x, top], [x, bottom]], 1.0, white)?;
        }
        for row in 1..height as u32 {
            let y = top + scale * f64::from(row);
            sheet.line(&[[left, y], [right, y]], 1.0, white)?;
        }
    }
    sheet.outline([left, top], [right, bottom], 1.0, QUIET)
}
