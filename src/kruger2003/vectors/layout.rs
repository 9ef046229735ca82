//! How a vector lies in a texture (Krüger and Westermann 2003, sections 2 and 6).
//!
//! A vector of n entries fills a square texture row by row; what is left over at the end is zero,
//! and stays zero: no operator puts anything else there. One texel holds one entry, or four
//! consecutive ones (section 6: up to four times as fast). To compare with, there is the layout
//! that section 2 argues against: texels in a line, as a 1D texture has them, rendered line by line.

use std::fmt;
use std::ops::Range;

use crate::stream::{Format, Machine, Rect};

use crate::kruger2003::AlgebraError;

/// How many entries a texel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// One, in `R32F`.
    Single,
    /// Four consecutive ones, in `RGBA32F`.
    Quad,
}

impl Packing {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Single, Self::Quad];

    /// The format of the texture.
    pub const fn format(self) -> Format {
        match self {
            Self::Single => Format::R32F,
            Self::Quad => Format::Rgba32F,
        }
    }

    /// Entries in a texel.
    pub const fn entries(self) -> usize {
        self.format().channels()
    }
}

/// The shape of the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    /// About as wide as high.
    Square,
    /// As the caller's grid.
    Grid,
    /// As wide as allowed, rendered row by row.
    Lines,
}

/// The layout of a vector: its length, the size of its texture, and what a texel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    length: usize,
    width: u32,
    height: u32,
    packing: Packing,
    shape: Shape,
}

impl Layout {
    /// The square layout of so many entries: as wide as high, without empty rows at the end.
    ///
    /// # Errors
    /// [`AlgebraError::Empty`], [`AlgebraError::TooLarge`] beyond what any texture can have.
    pub fn square(length: usize, packing: Packing) -> Result<Self, AlgebraError> {
        let texels = length.div_ceil(packing.entries());
        // The root of a number below 2^53 is exact where it is whole.
        let side = (texels as f64).sqrt().ceil() as u64;
        Self::rows(length, side, packing, Shape::Square)
    }

    /// Texels in a line, at most `widest` of them, the rest in further lines: what a 1D texture
    /// is. Each line is a rectangle of its own.
    pub fn lines(length: usize, packing: Packing, widest: u32) -> Result<Self, AlgebraError> {
        let texels = length.div_ceil(packing.entries()) as u64;
        Self::rows(length, texels.min(u64::from(widest)), packing, Shape::Lines)
    }

    /// The entries of a grid, one a texel, as they lie in a picture: rows from the bottom up.
    pub fn grid(width: u32, height: u32) -> Result<Self, AlgebraError> {
        let length = width as usize * height as usize;
        Self::rows(length, u64::from(width), Packing::Single, Shape::Grid)
    }

    fn rows(
        length: usize,
        width: u64,
        packing: Packing,
        shape: Shape,
    ) -> Result<Self, AlgebraError> {
        if length == 0 || width == 0 {
            return Err(AlgebraError::Empty);
        }
        let height = (length.div_ceil(packing.entries()) as u64).div_ceil(width);
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) => Ok(Self {
                length,
                width,
                height,
                packing,
                shape,
            }),
            _ => Err(AlgebraError::TooLarge {
                what: format!("a vector of {length} entries"),
                width,
                height,
                limit: u32::MAX,
                remedy: "no layout holds so many; use a smaller problem".into(),
            }),
        }
    }

    /// Whether this driver has textures that large.
    ///
    /// # Errors
    /// [`AlgebraError::TooLarge`], with the layout that would hold the vector.
    pub fn check(&self, machine: &Machine) -> Result<(), AlgebraError> {
        let limit = machine.context().description().rectangle_limit;
        if self.width.max(self.height) <= limit {
            return Ok(());
        }
        let fits = |packing| {
            Self::square(self.length, packing).is_ok_and(|l| l.width.max(l.height) <= limit)
        };
        let remedy = match self.shape {
            // Whoever works on a grid needs it as it is.
            Shape::Grid => "use a smaller grid",
            Shape::Lines if fits(self.packing) => "the square layout holds it (Layout::square)",
            Shape::Lines | Shape::Square if fits(Packing::Quad) => {
                "the square layout with four entries a texel holds it (Packing::Quad)"
            }
            Shape::Lines | Shape::Square => "no layout holds so many; use a smaller problem",
        };
        Err(AlgebraError::TooLarge {
            what: format!("a vector of {} entries", self.length),
            width: u64::from(self.width),
            height: u64::from(self.height),
            limit,
            remedy: remedy.into(),
        })
    }

    /// Entries of the vector.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Columns and rows of the texture.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// What a texel holds.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Texels of the texture.
    pub fn texels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Entries that the texture has room for: the length and the padding.
    pub fn capacity(&self) -> usize {
        self.texels() * self.packing.entries()
    }

    /// Whether there is padding behind the last entry.
    pub fn has_padding(&self) -> bool {
        self.capacity() > self.length
    }

    /// Column, row and channel of an entry; [`capacity`](Self::capacity) wraps round to the first.
    pub fn place(&self, entry: usize) -> ([u32; 2], usize) {
        let (texel, channel) = (
            entry / self.packing.entries(),
            entry % self.packing.entries(),
        );
        let width = self.width as usize;
        let row = (texel / width) % self.height as usize;
        // Both are below the sides of the texture.
        ([(texel % width) as u32, row as u32], channel)
    }

    /// The centre of an entry's texel: where a program fetches it.
    pub(crate) fn centre(&self, entry: usize) -> [f32; 2] {
        self.place(entry).0.map(|v| v as f32 + 0.5)
    }

    /// What is rasterised for an operation on all entries.
    pub fn rectangles(&self) -> Vec<Rect> {
        match self.shape {
            Shape::Lines => (0..self.height)
                .map(|y| Rect {
                    y,
                    ..Rect::of_size(self.width, 1)
                })
                .collect(),
            Shape::Square | Shape::Grid => vec![Rect::of_size(self.width, self.height)],
        }
    }

    /// The rectangles of some consecutive entries, one a texel: the rest of the row in which they
    /// begin, whole rows, and the beginning of the row in which they end.
    pub(crate) fn rectangles_of(&self, entries: Range<usize>) -> Vec<Rect> {
        let Range { start, end } = entries;
        let width = self.width as usize;
        // Entries are of this layout, so rows and columns are below the sides of its texture.
        let rect = |from: usize, to: usize, rows: usize| Rect {
            x: (from % width) as u32,
            y: (from / width) as u32,
            width: (to - from) as u32,
            height: rows as u32,
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

    /// The entries as the texture holds them: with the padding.
    pub(crate) fn padded(&self, entries: &[f32]) -> Result<Vec<f32>, AlgebraError> {
        if entries.len() != self.length {
            return Err(AlgebraError::Length {
                got: entries.len(),
                expected: self.length,
            });
        }
        let mut data = entries.to_vec();
        data.resize(self.capacity(), 0.0);
        Ok(data)
    }

    /// An error unless `operand` is laid out as this.
    pub(crate) fn expect(&self, what: &'static str, operand: &Self) -> Result<(), AlgebraError> {
        if operand == self {
            return Ok(());
        }
        Err(AlgebraError::Layout {
            what,
            got: operand.to_string(),
            expected: self.to_string(),
        })
    }

    /// An error unless a matrix of this size acts on vectors of this layout.
    pub(crate) fn expect_matrix(&self, rows: usize, columns: usize) -> Result<(), AlgebraError> {
        let length = self.length;
        if rows == length && columns == length {
            return Ok(());
        }
        Err(AlgebraError::Shape {
            rows,
            columns,
            length,
        })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.shape {
            Shape::Square => "square",
            Shape::Grid => "grid",
            Shape::Lines => "lines",
        };
        write!(
            f,
            "{} entries in a {}x{} {} texture ({shape})",
            self.length,
            self.width,
            self.height,
            self.packing.format()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_cover_entries_once_each_and_nothing_else() {
        for length in [1, 2, 3, 5, 9, 10, 17] {
            let layout = Layout::square(length, Packing::Single).unwrap();
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
