//! Lines of one value through values on a grid, by marching squares.

/// A straight piece of a line, in columns and rows of nodes.
pub type Segment = [(f64, f64); 2];

/// The pieces of the line on which the values are `level`, linear along the edges of each cell.
/// Values are given row by row.
pub fn contour(columns: usize, values: &[f64], level: f64) -> Vec<Segment> {
    let mut segments = Vec::new();
    let rows = values.len() / columns.max(1);
    for row in 1..rows {
        for column in 1..columns {
            let corners = [
                (column - 1, row - 1),
                (column, row - 1),
                (column, row),
                (column - 1, row),
            ];
            let crossings = crossings(corners.map(|(c, r)| (c, r, values[r * columns + c])), level);
            segments.extend(crossings.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
        }
    }
    segments
}

/// Where a cell's edges, taken round it, cross the level: nowhere, twice, or four times. In the last
/// case a pair cuts off a corner; which pair does is not told by the corners alone.
fn crossings(corners: [(usize, usize, f64); 4], level: f64) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    for (k, &(column, row, value)) in corners.iter().enumerate() {
        let (to_column, to_row, to_value) = corners[(k + 1) % 4];
        if (value > level) != (to_value > level) {
            let share = (level - value) / (to_value - value);
            let between = |from: usize, to: usize| from as f64 + share * (to as f64 - from as f64);
            found.push((between(column, to_column), between(row, to_row)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_slope_is_straight() {
        let values: Vec<f64> = (0..12)
            .map(|k| f64::from(k % 4) + 2.0 * f64::from(k / 4))
            .collect();
        let segments = contour(4, &values, 2.5);
        for (x, y) in segments.iter().flatten() {
            assert!((x + 2.0 * y - 2.5).abs() < 1e-12);
        }
        let length: f64 = segments
            .iter()
            .map(|[a, b]| (a.0 - b.0).hypot(a.1 - b.1))
            .sum();
        // From (2.5, 0) to (0, 1.25).
        assert!((length - 2.5f64.hypot(1.25)).abs() < 1e-12, "{length}");
    }

    #[test]
    fn nothing_crosses_a_level_beyond_the_values() {
        assert!(contour(3, &[1.0; 9], 1.0).is_empty());
        assert!(contour(2, &[1.0, 2.0, 3.0, 4.0], 5.0).is_empty());
        assert!(contour(0, &[], 0.0).is_empty());
        let saddle = contour(2, &[0.0, 1.0, 1.0, 0.0], 0.5);
        assert_eq!(saddle.len(), 2);
    }
}
