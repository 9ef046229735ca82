//! The rectangles whose rasterisation starts all work.

use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{Primitive, VertexBuffer};

use super::{Machine, StreamError};
use crate::card::cost::Nv30;

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
    /// The rectangle from the origin.
    pub const fn of_size(width: u32, height: u32) -> Self {
        Self {
            x: 0,
            y: 0,
            width,
            height,
        }
    }

    /// Records in it.
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Whether it lies within a stream of this size.
    pub fn within(self, (width, height): (u32, u32)) -> bool {
        let end = |first, length| u64::from(first) + u64::from(length);
        end(self.x, self.width) <= u64::from(width) && end(self.y, self.height) <= u64::from(height)
    }

    /// Two right triangles: the six corners.
    fn corners(self) -> [f32; 12] {
        let (x0, y0) = (self.x as f32, self.y as f32);
        let (x1, y1) = ((self.x + self.width) as f32, (self.y + self.height) as f32);
        [x0, y0, x1, y0, x1, y1, x0, y0, x1, y1, x0, y1]
    }
}

/// Rectangles in graphics memory, uploaded once and drawn as often as wanted.
#[derive(Clone)]
pub struct Rects {
    list: Rc<[Rect]>,
    buffer: Rc<VertexBuffer>,
    /// What the NV30 would send to its fragment stage for all of them.
    tuples: u64,
}

impl Rects {
    /// Uploads the rectangles.
    pub fn new(machine: &Machine, list: &[Rect]) -> Result<Self, StreamError> {
        let data: Vec<f32> = list.iter().flat_map(|rect| rect.corners()).collect();
        machine.ledger_mut().upload(size_of_val(&data[..]) as u64);
        let nv30 = Nv30::default();
        let mut known = HashMap::new();
        let mut tuples = |rect: &Rect| -> u64 {
            let size = (rect.width, rect.height);
            let cost = || nv30.tuples(size.0, size.1).total();
            *known.entry(size).or_insert_with(cost)
        };
        Ok(Self {
            list: list.into(),
            tuples: list.iter().map(&mut tuples).sum(),
            buffer: Rc::new(VertexBuffer::new(machine.context(), &[2], &data)?),
        })
    }

    /// The rectangles.
    pub fn list(&self) -> &[Rect] {
        &self.list
    }

    /// Records in all of them.
    pub fn area(&self) -> u64 {
        self.list.iter().map(|rect| rect.area()).sum()
    }

    /// Tuples that the model of the NV30 rasterises for all of them, as if each began at the corner
    /// of a tuple.
    pub fn tuples(&self) -> u64 {
        self.tuples
    }

    /// Whether all lie within a target of this size.
    pub(super) fn within(&self, width: u32, height: u32) -> bool {
        self.list.iter().all(|rect| rect.within((width, height)))
    }

    pub(super) fn draw(&self) {
        self.buffer.draw(Primitive::Triangles);
    }
}
