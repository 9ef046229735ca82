//! The extent of a pass: what is rasterised.

use crate::gl::Size;

mod points;
mod rect;
mod rects;
mod tuples;

pub use points::{Point, Points};
pub use rect::Rect;
pub use rects::Rects;
pub use tuples::{Tuples, rasterise};

/// What a kernel is run for: the records of rectangles, or of points.
#[derive(Clone, Copy)]
pub enum Extent<'a> {
    /// All records of some rectangles.
    Rects(&'a Rects),
    /// One record a point.
    Points(&'a Points),
}

impl<'a> From<&'a Rects> for Extent<'a> {
    fn from(rects: &'a Rects) -> Self {
        Self::Rects(rects)
    }
}

impl<'a> From<&'a Points> for Extent<'a> {
    fn from(points: &'a Points) -> Self {
        Self::Points(points)
    }
}

impl Extent<'_> {
    /// Records in it.
    pub(super) fn fragments(self) -> u64 {
        match self {
            Self::Rects(rects) => rects.area(),
            Self::Points(points) => points.count(),
        }
    }

    /// The vertices as the vertex program is given them: the two floats of each of the six corners of
    /// a rectangle, the five floats of a point.
    pub fn vertices(self) -> Vec<f32> {
        match self {
            Self::Rects(rects) => rects.vertices().collect(),
            Self::Points(points) => points.vertices().collect(),
        }
    }

    /// Whether all of it lies within a target of this size.
    pub(super) fn within(self, size: Size) -> bool {
        match self {
            Self::Rects(rects) => rects.within(size),
            Self::Points(points) => points.within(size),
        }
    }

    pub(super) fn draw(self) {
        match self {
            Self::Rects(rects) => rects.draw(),
            Self::Points(points) => points.draw(),
        }
    }
}
