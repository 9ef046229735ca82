//! Rectangles and points: the records for which a program runs.

/// An axis-aligned rectangle of records, in texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rect {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Rect {
    /// The rectangle of this size whose first column and row are these.
    pub const fn at([x, y]: [u32; 2], (width, height): (u32, u32)) -> Self {
        Self { x, y, width, height }
    }

    /// The rectangle from the origin.
    pub const fn of_size(width: u32, height: u32) -> Self {
        Self::at([0, 0], (width, height))
    }

    /// Number of records.
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Tests whether the rectangle is inside of a stream of this size.
    pub fn within(self, (width, height): (u32, u32)) -> bool {
        let end = |first, length| u64::from(first) + u64::from(length);
        end(self.x, self.width) <= u64::from(width) && end(self.y, self.height) <= u64::from(height)
    }

    /// Tests whether two rectangles share a record.
    pub fn overlaps(self, other: Self) -> bool {
        let ends_after = |a: u32, length, b: u32| u64::from(a) + u64::from(length) > b.into();
        ends_after(self.x, self.width, other.x)
            && ends_after(other.x, other.width, self.x)
            && ends_after(self.y, self.height, other.y)
            && ends_after(other.y, other.height, self.y)
    }

    /// Two right triangles: the six corners.
    pub(crate) fn corners(self) -> [f32; 12] {
        let (x0, y0) = (self.x as f32, self.y as f32);
        let (x1, y1) = (x0 + self.width as f32, y0 + self.height as f32);
        [x0, y0, x1, y0, x1, y1, x0, y0, x1, y1, x0, y1]
    }
}

/// A point: the record for which it runs the kernel, and its inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Column and row of the record. Negative ones need an offset ([`super::Run::draw_points`]).
    pub target: [i32; 2],
    /// Value that the kernel declares as `in float value;`.
    pub value: f32,
    /// Column and row of a record to fetch, whose centre the kernel declares as `in vec2 at;`.
    pub source: [i32; 2],
}
