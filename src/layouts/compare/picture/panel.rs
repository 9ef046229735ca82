//! Layouts on a sheet, in two columns, with their textures at a common scale if possible.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError, width_of};
use crate::stream::Size;

/// Colour of positions without an entry.
pub const PADDING: Colour = [0xe4, 0xe4, 0xe0];

/// Sizes in pixels: width of the sheet and of one of its two columns, margin, gap between textures.
const WIDTH: f64 = 1500.0;
const MARGIN: f64 = 40.0;
const COLUMN: f64 = (WIDTH - 3.0 * MARGIN) / 2.0;
const GAP: f64 = 10.0;
/// Sizes of type.
const TITLE: f64 = 34.0;
const NAME: f64 = 27.0;
const NOTE: f64 = 20.0;
const LABEL: f64 = 17.0;
/// Distance between lines of text.
const LINE: f64 = 28.0;
/// Heights of a layout's name and notes, and of the label above a texture.
const HEAD: f64 = NAME + LINE + 16.0;
const LABELLED: f64 = 24.0;
/// Area of the textures of a layout of medium size, and maximum multiple of it.
const AREA: f64 = 70_000.0;
const MOST: f64 = 2.5;
/// The largest texel, and the smallest whose outline is drawn.
const LARGEST: f64 = 24.0;
const OUTLINED: f64 = 6.0;
/// Maximum number of textures that are drawn per layout.
const TILES: usize = 40;

/// A picture of a texture.
pub struct Tile {
    /// One pixel per entry, from the top down.
    pub picture: RgbImage,
    /// Number of entries per texel, side by side.
    pub entries: u32,
    /// Contents of the texture; one label for all neighbours that have the same.
    pub label: &'static str,
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
        let label = "";
        Self { picture, entries, label }
    }

    /// The texture with a label.
    pub fn labelled(self, label: &'static str) -> Self {
        Self { label, ..self }
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
    name: String,
    notes: Vec<String>,
    tiles: Vec<Tile>,
    /// Pixels per texel, unless the scale is the common one.
    own_scale: Option<f64>,
}

impl Panel {
    /// A layout with short notes and with its textures in their order. The first ones are drawn.
    pub fn new(name: &str, mut notes: Vec<String>, mut tiles: Vec<Tile>) -> Self {
        if tiles.len() > TILES {
            notes.push(format!("{TILES} of {} textures drawn", tiles.len()));
            tiles.truncate(TILES);
        }
        Self { name: name.to_owned(), notes, tiles, own_scale: None }
    }

    /// The layout at a scale of its own, in pixels per texel.
    pub fn at_scale(self, scale: f64) -> Self {
        let own_scale = Some(scale);
        Self { own_scale, ..self }
    }

    /// Area of its textures in texels, each with a gap of about a texel.
    fn area(&self) -> f64 {
        let areas = self.tiles.iter().map(|tile| tile.texels().map(|side| side + 1.0));
        areas.map(|[width, height]| width * height).sum()
    }

    /// Width of the largest texture in texels.
    fn widest(&self) -> f64 {
        let widths = self.tiles.iter().map(|tile| tile.texels()[0]);
        widths.fold(1.0, f64::max)
    }

    /// Width in pixels: both columns for textures that do not fit into one.
    fn width(&self) -> f64 {
        if self.widest() > COLUMN { WIDTH - 2.0 * MARGIN } else { COLUMN }
    }

    /// The position of each texture at this scale, from the left and the top, and the total height. A single
    /// label needs room above the first line only.
    fn places(&self, scale: f64) -> Result<(Vec<[f64; 2]>, f64), SheetError> {
        let (mut places, mut x, mut top, mut bottom) = (Vec::new(), 0.0, 0.0, 0.0f64);
        let labels = (0..self.tiles.len()).filter(|&number| self.begins(number));
        let has_several = labels.count() > 1;
        let mut above = match self.tiles.first() {
            Some(tile) if !tile.label.is_empty() => LABELLED,
            _ => 0.0,
        };
        for (number, tile) in self.tiles.iter().enumerate() {
            let [width, height] = tile.texels().map(|side| side * scale);
            let is_alone = number + 1 == self.tiles.len() || self.begins(number + 1);
            let width = if self.begins(number) && is_alone {
                width.max(width_of(tile.label, LABEL)?)
            } else {
                width
            };
            if x > 0.0 && x + width > self.width() {
                (x, top) = (0.0, bottom + GAP);
                above = if has_several { above } else { 0.0 };
            }
            places.push([x, top + above]);
            bottom = bottom.max(top + above + height);
            x += width + GAP;
        }
        Ok((places, bottom))
    }

    /// Tests whether a texture is the first with its label.
    fn begins(&self, number: usize) -> bool {
        number == 0 || self.tiles[number - 1].label != self.tiles[number].label
    }

    /// The largest scale, at most `common`, at which it fits into a column.
    fn scale(&self, common: f64) -> f64 {
        let most = (MOST * AREA / self.area().max(1.0)).sqrt();
        let scale = self.own_scale.unwrap_or(common.min(most));
        whole(scale.min(self.width() / self.widest()))
    }
}

/// Rounds to an integer number of pixels per texel, or of texels per pixel.
fn whole(scale: f64) -> f64 {
    if scale >= 1.0 { scale.floor().min(LARGEST) } else { 1.0 / (1.0 / scale).ceil() }
}

/// The sheet as PNG: a title, the meaning of the colours, the panels in two columns, and the names of layouts
/// without textures.
pub fn sheet(title: &str, legend: &Legend, panels: &[Panel]) -> Result<Vec<u8>, SheetError> {
    let (full, empty): (Vec<&Panel>, Vec<&Panel>) =
        (panels.iter()).partition(|panel| !panel.tiles.is_empty());
    let mut areas: Vec<f64> = full.iter().map(|panel| panel.area()).collect();
    areas.sort_by(f64::total_cmp);
    let middle = areas.get(areas.len() / 2).copied().unwrap_or(1.0);
    let common = whole((AREA / middle).sqrt());
    let head = 2.0 * MARGIN + TITLE + 2.0 * LINE;
    // Each panel goes where there is room further up.
    let (mut bottoms, mut places) = ([head; 2], Vec::new());
    for panel in &full {
        let height = HEAD + panel.places(panel.scale(common))?.1 + MARGIN;
        if panel.width() > COLUMN {
            let top = bottoms[0].max(bottoms[1]);
            places.push([MARGIN, top]);
            bottoms = [top + height; 2];
        } else {
            let column = usize::from(bottoms[1] < bottoms[0]);
            places.push([MARGIN + column as f64 * (COLUMN + MARGIN), bottoms[column]]);
            bottoms[column] += height;
        }
    }
    let mut bottom = bottoms[0].max(bottoms[1]);
    let last = bottom;
    if !empty.is_empty() {
        bottom += LINE + 0.5 * MARGIN;
    }
    let mut sheet = Sheet::new(WIDTH as u32, bottom as u32);
    draw_head(&mut sheet, title, legend)?;
    for (panel, place) in full.iter().zip(places) {
        draw(&mut sheet, panel, place, panel.scale(common), common)?;
    }
    if !empty.is_empty() {
        let names: Vec<&str> = empty.iter().map(|panel| panel.name.as_str()).collect();
        let text = format!("not for this matrix: {}", names.join(", "));
        sheet.text(&text, [MARGIN, last], Align::Left, NOTE, QUIET)?;
    }
    sheet.png()
}

fn draw_head(sheet: &mut Sheet, title: &str, legend: &Legend) -> Result<(), SheetError> {
    sheet.text(title, [MARGIN, MARGIN + TITLE / 2.0], Align::Left, TITLE, INK)?;
    let y = MARGIN + TITLE + LINE;
    let bar = [MARGIN, MARGIN + 220.0];
    sheet.shade([bar[0], y - 14.0], [bar[1], y + 14.0], legend.colour);
    let x = bar[1] + 16.0;
    sheet.text(legend.text, [x, y], Align::Left, NOTE, QUIET)?;
    let x = WIDTH - MARGIN;
    sheet.fill([x - 100.0, y - 9.0], [x - 80.0, y + 9.0], PADDING);
    sheet.text("padding", [x, y], Align::Right, NOTE, QUIET)
}

fn draw(
    sheet: &mut Sheet,
    panel: &Panel,
    [left, top]: [f64; 2],
    scale: f64,
    common: f64,
) -> Result<(), SheetError> {
    let y = top + NAME / 2.0;
    sheet.text(&panel.name, [left, y], Align::Left, NAME, INK)?;
    let mut notes = panel.notes.clone();
    if scale < common && panel.own_scale.is_none() {
        notes.push(format!("drawn smaller: 1 to {:.0}", (common / scale).ceil()));
    }
    let y = top + NAME + 8.0 + LINE / 2.0;
    sheet.text(&notes.join(", "), [left, y], Align::Left, NOTE, QUIET)?;
    let (places, _) = panel.places(scale)?;
    for (number, (tile, [x, y])) in panel.tiles.iter().zip(places).enumerate() {
        let [x, y] = [left + x, top + HEAD + y];
        if panel.begins(number) {
            let y = y - LABELLED / 2.0;
            sheet.text(tile.label, [x, y], Align::Left, LABEL, INK)?;
        }
        draw_tile(sheet, tile, [x, y], scale)?;
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
