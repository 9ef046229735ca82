//! Values on a rectangle: a region of two triangles per cell.

use super::PlotError;
use super::region::{Region, region};
use crate::picture::colour::Map;

/// Values at the nodes of a grid that fills a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    /// Title.
    pub title: String,
    /// A second, less prominent line.
    pub note: String,
    /// Number of columns of nodes, at least two.
    pub columns: usize,
    /// The values, row by row from the bottom.
    pub values: &'a [f64],
    /// Width and height of the rectangle.
    pub extent: [f64; 2],
    /// Colours from the lowest to the highest value.
    pub colours: &'static Map,
}

/// Draws a field; PNG, 1280 x 800.
pub fn field(field: &Field<'_>) -> Result<Vec<u8>, PlotError> {
    let columns = field.columns;
    let rows = field.values.len() / columns.max(1);
    if columns < 2 || rows < 2 {
        return Err(PlotError::Empty(field.title.clone()));
    }
    let [width, height] = field.extent;
    let share = |place: usize, nodes: usize| place as f64 / (nodes - 1) as f64;
    let nodes = field.values[..rows * columns].iter().enumerate();
    let points = nodes.map(|(node, &value)| {
        let (column, row) = (node % columns, node / columns);
        ([width * share(column, columns), height * share(row, rows)], value)
    });
    let points: Vec<_> = points.collect();
    let node = |row: usize, column: usize| (row * columns + column) as u32;
    let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| (row, column)));
    let triangles = cells.flat_map(|(row, column)| {
        let (from, to) = (node(row, column), node(row + 1, column + 1));
        [[from, node(row, column + 1), to], [from, to, node(row + 1, column)]]
    });
    let [left, right, low, high] = [0.0, width, 0.0, height];
    let corners = [[left, low], [right, low], [right, high], [left, high]];
    region(&Region {
        title: field.title.clone(),
        note: field.note.clone(),
        points: &points,
        triangles: &triangles.collect::<Vec<_>>(),
        outline: &[0, 1, 2, 3].map(|side| [corners[side], corners[(side + 1) % 4]]),
        colours: field.colours,
    })
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
        // The gradient runs from the lower to the upper end of the frame.
        for y in [142, 400, 730] {
            let up = (ROOM[3] - f64::from(y) - 0.5) / (ROOM[3] - ROOM[1]);
            let found = picture.get_pixel(500, y).0;
            let far = found.iter().zip(GLOWING.at(up)).any(|(a, b)| a.abs_diff(b) > 2);
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
