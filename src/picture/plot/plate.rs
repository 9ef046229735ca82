//! The common parts of pictures of values: the lines at the top, the frame, and the colour bar.

use super::axis::{Axis, Ruler};
use super::style::size;
use crate::base::number::written;
use crate::picture::colour::Map;
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError};

/// Lines on dark colours.
const PALE: Colour = [0xc8; 3];

/// Approximate number of contour lines, and of ticks of the bar.
const LINES: usize = 18;

/// Available space: left, top, right, bottom. The bar and its numbers are next to it.
pub(super) const ROOM: [f64; 4] = [64.0, 136.0, 1076.0, 736.0];

/// Frame and colours of a picture of values.
pub(super) struct Plate {
    /// Left, top, right, bottom.
    pub frame: [f64; 4],
    /// From values to positions on the colour map.
    ruler: Ruler,
    colours: &'static Map,
    /// True if all values are equal up to rounding.
    is_level: bool,
}

impl Plate {
    /// For a picture of this width and height; `None` if some value is not finite, or there is none.
    pub fn new(
        values: impl Iterator<Item = f64>,
        extent: [f64; 2],
        colours: &'static Map,
    ) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            if !value.is_finite() {
                return None;
            }
            (low, high) = (low.min(value), high.max(value));
        }
        let size = low.abs().max(high.abs());
        // Below this range, contour lines would show rounding errors.
        let is_level = high - low <= 1e-6 * size;
        let (low, high) = match (is_level, size == 0.0) {
            (false, _) => (low, high),
            (true, true) => (-1.0, 1.0),
            (true, false) => (low - 0.5 * size, high + 0.5 * size),
        };
        let axis = Axis::linear("").with_range(low, high);
        Some(Self {
            frame: frame(extent),
            ruler: axis.ruler([low, high].into_iter())?,
            colours,
            is_level,
        })
    }

    pub fn colour(&self, value: f64) -> Colour {
        self.colours.at(self.ruler.place(value))
    }

    /// Contour values, with a line colour that is visible there.
    pub fn lines(&self) -> Vec<(f64, Colour)> {
        let colour = |level| {
            if self.colours.is_light(self.ruler.place(level)) { INK } else { PALE }
        };
        let wanted = if self.is_level { Vec::new() } else { self.ruler.ticks(LINES) };
        let levels = wanted.into_iter();
        levels.map(|level| (level, colour(level))).collect()
    }

    /// Draws a title, and a less prominent line below it.
    pub fn draw_head(&self, sheet: &mut Sheet, title: &str, note: &str) -> Result<(), SheetError> {
        sheet.text(title, (ROOM[0], 52.0), Align::Left, size::TITLE, INK)?;
        sheet.text(note, (ROOM[0], 98.0), Align::Left, size::NOTE, QUIET)
    }

    /// Draws the colour bar.
    pub fn draw_bar(&self, sheet: &mut Sheet) -> Result<(), SheetError> {
        let left = self.frame[2] + 36.0;
        let (right, top, bottom) = (left + 30.0, ROOM[1], ROOM[3]);
        sheet.shade((left, top), (right, bottom), |_, down| self.colours.at(1.0 - down));
        for tick in self.ruler.ticks(LINES) {
            let y = bottom - self.ruler.place(tick) * (bottom - top);
            sheet.line(&[(right, y), (right + 8.0, y)], 1.5, QUIET)?;
            let at = (right + 16.0, y);
            sheet.text(&written(tick), at, Align::Left, size::TICK, QUIET)?;
        }
        Ok(())
    }
}

/// The largest rectangle with these proportions in the available space: left, top, right, bottom.
fn frame([width, height]: [f64; 2]) -> [f64; 4] {
    let [left, top, right, bottom] = ROOM;
    let scale = ((right - left) / width).min((bottom - top) / height);
    // Even a very long rectangle is two pixels thick.
    let (width, height) = ((scale * width).max(2.0), (scale * height).max(2.0));
    let (x, y) = (0.5 * (left + right - width), 0.5 * (top + bottom - height));
    [x, y, x + width, y + height]
}
