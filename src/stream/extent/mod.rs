//! The extent of a pass: the geometry that is rasterised.

use crate::gl::Size;

use super::error::StreamError;
use super::machine::Machine;

mod points;
mod rects;
mod tuples;

pub use crate::program::interpret::{Point, Rect};
pub use points::Points;
pub use rects::Rects;
pub use tuples::{Tuples, rasterise};

/// The geometry of a pass, in graphics memory.
#[derive(Clone)]
pub enum Extent {
    /// All records of some rectangles.
    Rects(Rects),
    /// One record per point.
    Points(Points),
}

/// Argument of [`crate::stream::Pass::draw`]: a rectangle, a list of rectangles, or points.
///
/// A single rectangle is uploaded when it is first drawn on its machine. A list is uploaded at every draw;
/// [`Machine::rects`] uploads one in advance, for any number of draws.
pub trait Drawable {
    /// The geometry in graphics memory.
    fn extent(&self, machine: &Machine) -> Result<Extent, StreamError>;
}

impl Drawable for Rect {
    fn extent(&self, machine: &Machine) -> Result<Extent, StreamError> {
        machine.rect(*self).map(Extent::Rects)
    }
}

impl Drawable for [Rect] {
    fn extent(&self, machine: &Machine) -> Result<Extent, StreamError> {
        machine.rects(self).map(Extent::Rects)
    }
}

impl Drawable for Rects {
    fn extent(&self, _: &Machine) -> Result<Extent, StreamError> {
        Ok(Extent::Rects(self.clone()))
    }
}

impl Drawable for Points {
    fn extent(&self, _: &Machine) -> Result<Extent, StreamError> {
        Ok(Extent::Points(self.clone()))
    }
}

impl<T: Drawable + ?Sized> Drawable for &T {
    fn extent(&self, machine: &Machine) -> Result<Extent, StreamError> {
        (**self).extent(machine)
    }
}

impl Extent {
    /// Number of records.
    pub(super) fn fragments(&self) -> u64 {
        match self {
            Self::Rects(rects) => rects.area(),
            Self::Points(points) => points.count(),
        }
    }

    /// The inputs of the vertex program: the two floats of each of the six corners of a rectangle, the five
    /// floats of a point.
    pub fn vertices(&self) -> Vec<f32> {
        match self {
            Self::Rects(rects) => rects.vertices().collect(),
            Self::Points(points) => points.vertices().collect(),
        }
    }

    /// Tests whether the extent is inside of a target of this size.
    pub(super) fn within(&self, size: Size) -> bool {
        match self {
            Self::Rects(rects) => rects.within(size),
            Self::Points(points) => points.within(size),
        }
    }

    /// Number of the context that holds the geometry; 0 without one.
    pub(super) fn home(&self) -> u64 {
        match self {
            Self::Rects(rects) => rects.home(),
            Self::Points(points) => points.home(),
        }
    }

    pub(super) fn draw(&self) {
        match self {
            Self::Rects(rects) => rects.draw(),
            Self::Points(points) => points.draw(),
        }
    }
}
