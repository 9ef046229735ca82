//! Common size, colours and type of all charts.

use super::PlotError;
use crate::picture::sheet::{Align, Colour, INK, Sheet, SheetError, width_of};

/// Width of every chart in pixels.
pub const WIDTH: u32 = 1280;
/// Height of every chart in pixels.
pub const HEIGHT: u32 = 800;

pub(crate) const GRID: Colour = [0xe4, 0xe4, 0xe0];

/// Okabe and Ito's palette (2008), without its yellow, which is invisible on white; strongest first.
const PALETTE: [Colour; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x22, 0x24, 0x28],
];

/// The colour of series number `index`.
pub(crate) fn colour(index: usize) -> Colour {
    PALETTE[index % PALETTE.len()]
}

/// Sizes of type, in pixels.
pub(super) mod size {
    pub const TITLE: f64 = 38.0;
    pub const LABEL: f64 = 27.0;
    pub const TICK: f64 = 25.0;
    pub const NOTE: f64 = 23.0;
}

/// Largest width of a title in our fonts. Another renderer's may be a sixth wider.
const TITLE_WIDTH: f64 = 0.85 * (WIDTH as f64 - 80.0);

/// Draws a title, smaller if it is long.
pub(super) fn draw_title(sheet: &mut Sheet, title: &str) -> Result<(), SheetError> {
    let share = (TITLE_WIDTH / width_of(title, size::TITLE)?).min(1.0);
    sheet.text(title, (40.0, 52.0), Align::Left, share * size::TITLE, INK)
}

/// Draws a chart in pixels and encodes it as PNG.
pub(super) fn paint(
    draw: impl FnOnce(&mut Sheet) -> Result<(), SheetError>,
) -> Result<Vec<u8>, PlotError> {
    let mut sheet = Sheet::new(WIDTH, HEIGHT);
    draw(&mut sheet)?;
    Ok(sheet.png()?)
}
