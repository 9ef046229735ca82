//! The interior rectangle of a texture, where every diagonal is read at a constant offset.
//!
//! Entry (i + j) mod N is at a fixed offset from entry j for most j: only near the end of a row does the
//! sum continue in the next row, and only near the last row does it wrap around. So the texture is
//! drawn in two parts: an inner rectangle, in which each diagonal has one offset, and the rest, where
//! the program computes the position of each entry.

use std::ops::Range;

use crate::stream::{Rect, Size};

/// Below this number of texels, a second draw costs more than the arithmetic that it saves.
const WORTH: u64 = 1 << 14;

/// The inner rectangle of some diagonals, and the offset from an entry to the one that each diagonal reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Inner {
    /// The rectangle, inside the texture.
    pub rect: Rect,
    /// Columns and rows for each diagonal; the third number is that of its shift.
    pub offsets: Vec<[f32; 3]>,
}

impl Inner {
    /// Finds it for a texture of this size and these shifts: columns, rows, and the remainder in entries. `None`
    /// if a draw of its own does not pay.
    pub fn new((width, height): Size, shifts: &[[f32; 3]]) -> Option<Self> {
        let (w, h) = (width as f32, height as f32);
        let (mut columns, mut rows) = ((0.0, w), (0.0, h));
        let mut offsets = Vec::with_capacity(shifts.len());
        for &[x, y, rest] in shifts {
            // With a remainder, the next record is read too.
            let reach = if rest > 0.0 { 1.0 } else { 0.0 };
            let (across, carries) = larger(&mut columns, w, x, reach);
            let (up, _) = larger(&mut rows, h, y + carries, 0.0);
            offsets.push([across, up, rest]);
        }
        let side = |(from, to): (f32, f32)| (from < to).then_some(from as u32..to as u32);
        let (columns, rows): (Range<u32>, Range<u32>) = (side(columns)?, side(rows)?);
        let rect = Rect::at(
            [columns.start, rows.start],
            (columns.end - columns.start, rows.end - rows.start),
        );
        let all = u64::from(width) * u64::from(height);
        (rect.area() > WORTH && 2 * rect.area() > all).then_some(Self { rect, offsets })
    }

    /// The parts of the texture around the rectangle: below, above, left and right.
    pub fn around(&self, (width, height): Size) -> Vec<Rect> {
        let Rect { x, y, .. } = self.rect;
        let (right, top) = (x + self.rect.width, y + self.rect.height);
        let rect = |x, y, right, top| Rect::at([x, y], (right - x, top - y));
        let all = [
            rect(0, 0, width, y),
            rect(0, top, width, height),
            rect(0, y, x, top),
            rect(right, y, width, top),
        ];
        all.into_iter().filter(|rect| rect.area() > 0).collect()
    }
}

/// Restricts a range of positions to the larger part in which position + shift either stays below the end, or
/// reaches it and wraps around. Returns the offset there, and 1 if it wraps around.
fn larger(range: &mut (f32, f32), end: f32, shift: f32, reach: f32) -> (f32, f32) {
    let stays = end - shift - reach;
    let begins = end - shift;
    if stays >= end - begins {
        range.1 = range.1.min(stays);
        (shift, 0.0)
    } else {
        range.0 = range.0.max(begins);
        (shift - end, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position at a distance in records from another, as the program computes it.
    fn after(place: [f32; 2], shift: [f32; 3], (width, height): Size) -> [f32; 2] {
        let [mut x, mut y] = [place[0] + shift[0], place[1] + shift[1]];
        if x >= width as f32 {
            (x, y) = (x - width as f32, y + 1.0);
        }
        [x, y % height as f32]
    }

    #[test]
    fn inside_every_diagonal_reads_at_one_offset_and_the_parts_make_up_the_whole() {
        let size = (200, 150);
        let last = (size.0 * size.1) as f32;
        let place = |number: f32, rest| {
            let row = (number / size.0 as f32).floor();
            [number - row * size.0 as f32, row, rest]
        };
        for rest in [0.0, 2.0] {
            let numbers = [0.0, 1.0, 200.0, 203.0, last - 200.0, last - 3.0, last - 1.0];
            let shifts = numbers.map(|number| place(number, rest));
            let inner = Inner::new(size, &shifts).expect("most of it");
            for y in inner.rect.y..inner.rect.y + inner.rect.height {
                for x in inner.rect.x..inner.rect.x + inner.rect.width {
                    let here = [x as f32, y as f32];
                    for (shift, offset) in shifts.iter().zip(&inner.offsets) {
                        let there = [here[0] + offset[0], here[1] + offset[1]];
                        let expected = after(here, *shift, size);
                        assert_eq!(there, expected, "{here:?} {shift:?}");
                        if rest > 0.0 {
                            let next = after(expected, [1.0, 0.0, 0.0], size);
                            assert_eq!([there[0] + 1.0, there[1]], next, "{here:?} {shift:?}");
                        }
                    }
                }
            }
            let around = inner
                .around(size)
                .iter()
                .map(|rect| rect.area())
                .sum::<u64>();
            assert_eq!(inner.rect.area() + around, last as u64);
            assert!(inner.rect.area() > 28_000, "{:?}", inner.rect);
        }
    }

    #[test]
    fn small_textures_and_diagonals_that_split_them_are_drawn_as_a_whole() {
        assert_eq!(Inner::new((64, 64), &[[0.0; 3]]), None);
        let halves = [[100.0, 75.0, 0.0], [30.0, 140.0, 0.0], [170.0, 10.0, 0.0]];
        assert_eq!(Inner::new((200, 150), &halves), None);
    }
}
