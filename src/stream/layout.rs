//! Storage of the entries of a vector in a stream.
//!
//! Entries fill the texels row by row, from left to right and wrapping at the ends of rows, one per channel.
//! The rest is padding: it is zero, and remains zero unless an operator writes there. The layouts differ in
//! their width:
//!
//! | layout | width | from |
//! |---|---|---|
//! | [`Layout::square`] | equal to the height | kruger2003, sections 2 and 6 |
//! | [`Layout::lines`] | as wide as allowed, and rasterised line by line, as a 1D texture would be | kruger2003, section 2, which argues against it |
//! | [`Layout::wrapped`] | any: long and narrow, or the slices of a flattened 3D grid, with nx ny / 4 texels
//! each | batty2003 |
//! | [`Layout::grid`] | that of a grid, or of any texture with positions chosen by the caller | bolz2003 |

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::{Format, Machine, Rect, Size, StreamError};

/// Rasterisation of a layout, and the alternative if its texture is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    /// A width chosen for the vector.
    Wrapped,
    /// The caller's grid.
    Grid,
    /// Row by row.
    Lines,
}

/// The layout of a vector: its length, the size of its texture, and the format of its texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    length: usize,
    width: u32,
    height: u32,
    format: Format,
    shape: Shape,
}

impl Layout {
    /// A vector with `length` entries in about as many columns as rows, without empty rows at the end.
    pub fn square(length: usize, format: Format) -> Result<Self, StreamError> {
        let texels = length.div_ceil(format.channels());
        // The square root of a square below 2^53 is exact.
        let side = (texels as f64).sqrt().ceil() as u64;
        Self::rows(length, side, format, Shape::Wrapped)
    }

    /// Lines with at most `widest` texels, as in 1D textures. Each line is a rectangle of its own.
    pub fn lines(length: usize, format: Format, widest: u32) -> Result<Self, StreamError> {
        let texels = length.div_ceil(format.channels()) as u64;
        Self::rows(length, texels.min(u64::from(widest)), format, Shape::Lines)
    }

    /// Rows with `width` texels.
    pub fn wrapped(length: usize, format: Format, width: u32) -> Result<Self, StreamError> {
        Self::rows(length, u64::from(width), format, Shape::Wrapped)
    }

    /// All of a texture of this size, rows from the bottom up.
    pub const fn grid((width, height): Size, format: Format) -> Self {
        Self {
            length: width as usize * height as usize * format.channels(),
            width,
            height,
            format,
            shape: Shape::Grid,
        }
    }

    fn rows(length: usize, width: u64, format: Format, shape: Shape) -> Result<Self, StreamError> {
        if length == 0 || width == 0 {
            return Err(StreamError::NoEntries);
        }
        let height = (length.div_ceil(format.channels()) as u64).div_ceil(width);
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) => Ok(Self { length, width, height, format, shape }),
            _ => Err(StreamError::TooLarge {
                what: format!("a vector of {length} entries"),
                width,
                height,
                limit: u32::MAX,
                remedy: "use a smaller problem: no layout can hold this one".into(),
            }),
        }
    }

    /// Checks that the driver supports textures of this size.
    pub fn check(&self, machine: &Machine) -> Result<(), StreamError> {
        let limit = machine.description().rectangle_limit;
        if self.width.max(self.height) <= limit {
            return Ok(());
        }
        let fits = |format| {
            Self::square(self.length, format).is_ok_and(|l| l.width.max(l.height) <= limit)
        };
        let remedy = match self.shape {
            // A grid cannot be rearranged.
            Shape::Grid => "use a smaller grid",
            _ if fits(self.format) => "use the square layout (Layout::square)",
            _ if fits(Format::Rgba32F) => {
                "use the square layout with four entries per texel (Format::Rgba32F)"
            }
            _ => "use a smaller problem: no layout can hold this one",
        };
        Err(StreamError::TooLarge {
            what: format!("a vector of {} entries", self.length),
            width: u64::from(self.width),
            height: u64::from(self.height),
            limit,
            remedy: remedy.into(),
        })
    }

    /// Number of entries.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Columns and rows of the texture.
    pub fn size(&self) -> Size {
        (self.width, self.height)
    }

    /// Format of a texel.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Number of entries per texel.
    pub fn channels(&self) -> usize {
        self.format.channels()
    }

    /// Number of entries that fit in the texture, including padding.
    pub fn capacity(&self) -> usize {
        self.width as usize * self.height as usize * self.channels()
    }

    /// Tests whether there is padding after the last entry.
    pub fn has_padding(&self) -> bool {
        self.capacity() > self.length
    }

    /// Column, row and channel of an entry; [`capacity`](Self::capacity) wraps around to the first.
    pub fn place(&self, entry: usize) -> ([u32; 2], usize) {
        let (texel, channel) = (entry / self.channels(), entry % self.channels());
        let width = self.width as usize;
        let row = (texel / width) % self.height as usize;
        // Both are smaller than the sides of the texture.
        ([(texel % width) as u32, row as u32], channel)
    }

    /// The centre of an entry's texel, at which a program fetches it.
    pub fn centre(&self, entry: usize) -> [f32; 2] {
        self.place(entry).0.map(|v| v as f32 + 0.5)
    }

    /// Rectangles of an operation on all entries.
    pub fn rectangles(&self) -> Vec<Rect> {
        match self.shape {
            Shape::Lines => {
                (0..self.height).map(|y| Rect { y, ..Rect::of_size(self.width, 1) }).collect()
            }
            Shape::Wrapped | Shape::Grid => vec![Rect::of_size(self.width, self.height)],
        }
    }

    /// The rectangles of some consecutive entries, one per texel: the rest of the row in which they begin,
    /// whole rows, and the beginning of the row in which they end.
    pub fn rectangles_of(&self, entries: Range<usize>) -> Vec<Rect> {
        let Range { start, end } = entries;
        let width = self.width as usize;
        // Entries are of this layout, so rows and columns are below the sides of its texture.
        let rect = |from: usize, to: usize, rows: usize| {
            Rect::at(
                [(from % width) as u32, (from / width) as u32],
                ((to - from) as u32, rows as u32),
            )
        };
        let first_row_end = end.min(start.next_multiple_of(width));
        let whole_rows_end = first_row_end.max(end - end % width);
        let rows = (whole_rows_end - first_row_end) / width;
        let all = [
            rect(start, first_row_end, 1),
            rect(first_row_end, first_row_end + width, rows),
            rect(whole_rows_end, end.max(whole_rows_end), 1),
        ];
        all.into_iter().filter(|rect| rect.area() > 0).collect()
    }

    /// Checks that an operand has this layout, as kruger2003 does in section 3.1.
    pub(crate) fn expect(&self, what: &str, operand: Self) -> Result<(), StreamError> {
        if operand == *self {
            return Ok(());
        }
        Err(StreamError::Size {
            what: what.to_owned(),
            got: operand.to_string(),
            expected: self.to_string(),
        })
    }

    /// The entries with the padding, as the texture stores them.
    pub(super) fn padded<'a>(&self, entries: &'a [f32]) -> Cow<'a, [f32]> {
        if !self.has_padding() {
            return entries.into();
        }
        let mut data = entries.to_vec();
        data.resize(self.capacity(), 0.0);
        data.into()
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = self.size();
        let lines = match self.shape {
            Shape::Lines => ", line by line",
            Shape::Wrapped | Shape::Grid => "",
        };
        let (length, format) = (self.length, self.format);
        write!(f, "{length} entries in a {width}x{height} {format} texture{lines}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_cover_entries_once_each_and_nothing_else() {
        for length in [1, 2, 3, 5, 9, 10, 17] {
            let layout = Layout::square(length, Format::R32F).unwrap();
            let width = layout.size().0 as usize;
            for start in 0..=length {
                for end in start..=length {
                    let mut covered = vec![0; layout.capacity()];
                    for rect in layout.rectangles_of(start..end) {
                        for y in rect.y..rect.y + rect.height {
                            for x in rect.x..rect.x + rect.width {
                                covered[y as usize * width + x as usize] += 1;
                            }
                        }
                    }
                    let expected = |k| i32::from((start..end).contains(&k));
                    assert!((0..covered.len()).all(|k| covered[k] == expected(k)));
                }
            }
        }
    }
}
