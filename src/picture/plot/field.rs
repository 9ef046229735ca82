//! Values on a rectangle as colours, with lines of equal values and a bar that tells what colours mean.

use super::PlotError;
use super::contour::contour;
use super::plate::Plate;
use super::style::paint;
use crate::picture::colour::Map;
use crate::picture::sheet::{QUIET, Sheet, SheetError};

/// Values at the nodes of a grid that fills a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    /// One line that says what is to be seen.
    pub title: String,
    /// One line below the title, quieter.
    pub note: String,
    /// Columns of nodes, two at least.
    pub columns: usize,
    /// The values, row by row from the bottom.
    pub values: &'a [f64],
    /// Width and height of the rectangle.
    pub extent: [f64; 2],
    /// The colours of the lowest to the highest value.
    pub colours: &'static Map,
}

/// Draws a field; PNG, 1280 x 800.
///
/// # Errors
/// If there are less than two rows or columns or a value is not finite, or if drawing fails.
pub fn field(field: &Field<'_>) -> Result<Vec<u8>, PlotError> {
    let rows = field.values.len() / field.columns.max(1);
    let nothing = || PlotError::Empty(field.title.clone());
    if field.columns < 2 || rows < 2 {
        return Err(nothing());
    }
    let values = field.values.iter().copied();
    let plate = Plate::new(values, field.extent, field.colours).ok_or_else(nothing)?;
    let drawing = Drawing { field, rows, plate };
    paint(|sheet| {
        drawing.plate.draw_head(sheet, &field.title, &field.note)?;
        drawing.draw_colours(sheet);
        drawing.draw_lines(sheet)?;
        drawing.plate.draw_bar(sheet)
    })
}

struct Drawing<'a> {
    field: &'a Field<'a>,
    rows: usize,
    plate: Plate,
}

impl Drawing<'_> {
    fn draw_colours(&self, sheet: &mut Sheet) {
        let [left, top, right, bottom] = self.plate.frame;
        sheet.shade((left, top), (right, bottom), |across, down| {
            self.plate.colour(self.between(across, 1.0 - down))
        });
    }

    /// The value at a place, both from 0 to 1, bilinear between nodes.
    fn between(&self, across: f64, up: f64) -> f64 {
        let columns = self.field.columns;
        let cell = |place: f64, nodes: usize| {
            let scaled = place.clamp(0.0, 1.0) * (nodes - 1) as f64;
            let below = (scaled as usize).min(nodes - 2);
            (below, scaled - below as f64)
        };
        let ((column, x), (row, y)) = (cell(across, columns), cell(up, self.rows));
        let at = |i: usize, j: usize| self.field.values[(row + j) * columns + column + i];
        let along = |j| (1.0 - x) * at(0, j) + x * at(1, j);
        (1.0 - y) * along(0) + y * along(1)
    }

    fn draw_lines(&self, sheet: &mut Sheet) -> Result<(), SheetError> {
        let [left, top, right, bottom] = self.plate.frame;
        let columns = self.field.columns;
        let place = |(column, row): (f64, f64)| {
            let (across, up) = (column / (columns - 1) as f64, row / (self.rows - 1) as f64);
            (left + across * (right - left), bottom - up * (bottom - top))
        };
        for (level, colour) in self.plate.lines() {
            for segment in contour(columns, self.field.values, level) {
                sheet.line(&segment.map(place), 1.0, colour)?;
            }
        }
        sheet.outline([left, top], [right, bottom], 1.5, QUIET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::colour::map::GLOWING;
    use crate::picture::plot::plate::ROOM;
    use crate::picture::plot::{HEIGHT, WIDTH};

    fn drawn(
        columns: usize,
        values: &[f64],
        extent: [f64; 2],
    ) -> Result<image::RgbImage, PlotError> {
        let png = field(&Field {
            title: "A slope".into(),
            note: String::new(),
            columns,
            values,
            extent,
            colours: &GLOWING,
        })?;
        Ok(image::load_from_memory(&png).expect("a PNG").to_rgb8())
    }

    #[test]
    fn the_first_row_is_drawn_below_and_the_extrema_have_the_outermost_colours() {
        let picture = drawn(2, &[0.0, 0.0, 1.0, 1.0], [3.0, 2.0]).unwrap();
        assert_eq!(picture.dimensions(), (WIDTH, HEIGHT));
        // The slope runs from the lower to the upper end of the room.
        for y in [142, 400, 730] {
            let up = (ROOM[3] - f64::from(y) - 0.5) / (ROOM[3] - ROOM[1]);
            let found = picture.get_pixel(500, y).0;
            let far = found
                .iter()
                .zip(GLOWING.at(up))
                .any(|(a, b)| a.abs_diff(b) > 2);
            assert!(!far, "{found:?} at {y}");
        }
        assert_eq!(picture.get_pixel(20, 400).0, [255; 3]);
    }

    #[test]
    fn any_proportions_and_values_can_be_drawn_but_nan() {
        for extent in [[1e6, 1.0], [1.0, 1e6], [1e-300, 1e-300]] {
            assert!(drawn(2, &[7.0; 6], extent).is_ok());
        }
        assert!(drawn(2, &[-1e300, 1e300, 0.0, 0.0], [1.0, 1.0]).is_ok());
        assert!(drawn(2, &[1.0, f64::NAN, 0.0, 0.0], [1.0, 1.0]).is_err());
        assert!(drawn(1, &[1.0, 2.0], [1.0, 1.0]).is_err());
        assert!(drawn(0, &[], [1.0, 1.0]).is_err());
    }
}
