//! Tables as pictures.

use super::sheet::{Align, INK, QUIET, Sheet, SheetError, widest};

/// Height of a row, size of type, space between columns, margin: in pixels.
const ROW: f64 = 42.0;
const TYPE: f64 = 25.0;
const SPACE: f64 = 44.0;
const MARGIN: f64 = 36.0;

/// A table, the first column to the left, all others to the right. A row of one cell stands over those
/// below it.
///
/// # Errors
/// When it cannot be drawn or encoded.
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> Result<Vec<u8>, SheetError> {
    let mut ends: Vec<f64> = Vec::with_capacity(headings.len());
    for (column, heading) in headings.iter().enumerate() {
        let cells = rows.iter().filter(|row| row.len() > 1);
        let cells = cells.filter_map(|row| row.get(column).map(String::as_str));
        let width = widest(cells.chain([*heading]), TYPE)?;
        let start = ends.last().map_or(MARGIN, |end| end + SPACE);
        ends.push(start + width);
    }
    let right = ends.last().copied().unwrap_or(MARGIN);
    let height = 2.0 * MARGIN + ROW * (rows.len() + 1) as f64;
    let mut sheet = Sheet::new((right + MARGIN) as u32, height as u32);
    let place = |column: usize| match column {
        0 => (MARGIN, Align::Left),
        _ => (ends[column], Align::Right),
    };
    for (column, heading) in headings.iter().enumerate() {
        let (x, align) = place(column);
        sheet.text(heading, [x, MARGIN + ROW / 2.0], align, TYPE, QUIET)?;
    }
    let line = MARGIN + ROW;
    sheet.line(&[[MARGIN, line], [right, line]], 1.5, QUIET)?;
    for (k, row) in rows.iter().enumerate() {
        let y = line + ROW * (k as f64 + 0.6);
        let colour = if row.len() > 1 { INK } else { QUIET };
        for (column, cell) in row.iter().enumerate().take(headings.len()) {
            let (x, align) = place(column);
            sheet.text(cell, [x, y], align, TYPE, colour)?;
        }
    }
    sheet.png()
}
