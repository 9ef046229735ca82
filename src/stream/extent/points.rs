//! Points: one record each, anywhere in the target.

use std::rc::Rc;

use crate::gl::{GlError, Primitive, Size, VertexBuffer};
use crate::program::interpret::Point;
use crate::stream::device::Device;

/// Points in graphics memory, uploaded once ([`crate::stream::Machine::points`]) and drawn any number of times.
///
/// Points of one draw must not share a record: the order of their writes is undefined.
#[derive(Clone)]
pub struct Points {
    list: Rc<[Point]>,
    /// The smallest and the largest column and row.
    bounds: [[i32; 2]; 2],
    /// Absent if the interpreter draws.
    buffer: Option<Rc<VertexBuffer>>,
    offset: [i32; 2],
}

impl Points {
    pub(in crate::stream) fn new(device: &Device, list: &[Point]) -> Result<Self, GlError> {
        let data: Vec<f32> = vertices(list).collect();
        let bound = |axis: usize, pick: fn(i32, i32) -> i32| {
            let targets = list.iter().map(|point| point.target[axis]);
            targets.reduce(pick).unwrap_or(0)
        };
        Ok(Self {
            bounds: [i32::min, i32::max].map(|pick| [bound(0, pick), bound(1, pick)]),
            list: list.into(),
            buffer: device.vertices(&[2, 1, 2], &data)?,
            offset: [0, 0],
        })
    }

    /// Moves the points: all records and sources moved by an offset. A target that leaves its row at one
    /// end continues in the next (or previous) row; a source does not.
    ///
    /// Nothing is uploaded: the vertex program adds the offset.
    pub fn moved_by(&self, offset: [i32; 2]) -> Self {
        Self { offset, ..self.clone() }
    }

    /// The points, before they are moved.
    pub fn list(&self) -> &Rc<[Point]> {
        &self.list
    }

    /// Position, number and coordinate of each, before they are moved.
    pub(super) fn vertices(&self) -> impl Iterator<Item = f32> {
        vertices(&self.list)
    }

    /// The offset in columns and rows.
    pub fn moved(&self) -> [i32; 2] {
        self.offset
    }

    /// Number of points.
    pub fn count(&self) -> u64 {
        self.list.len() as u64
    }

    /// Size in graphics memory, in bytes.
    pub(in crate::stream) fn bytes(&self) -> u64 {
        (self.vertices().count() * size_of::<f32>()) as u64
    }

    /// The constant of the vertex program.
    pub(in crate::stream) fn offset(&self) -> [f32; 4] {
        let [x, y] = self.offset;
        [x as f32, y as f32, 0.0, 0.0]
    }

    /// Tests whether all points are inside of a target of this size.
    pub(super) fn within(&self, (width, height): Size) -> bool {
        let (width, height) = (i64::from(width), i64::from(height));
        let inside = |[x, y]: [i32; 2]| {
            (0..width).contains(&i64::from(x)) && (0..height).contains(&i64::from(y))
        };
        if self.list.is_empty() || self.offset == [0, 0] {
            return self.list.is_empty() || self.bounds.into_iter().all(inside);
        }
        let [dx, dy] = self.offset.map(i64::from);
        self.list.iter().all(|point| {
            let [x, y] = point.target;
            let carry = (i64::from(x) + dx).div_euclid(width);
            (0..height).contains(&(i64::from(y) + dy + carry))
        })
    }

    /// Number of the context that holds the geometry; 0 without one.
    pub(super) fn home(&self) -> u64 {
        self.buffer.as_ref().map_or(0, |buffer| buffer.context().number())
    }

    pub(super) fn draw(&self) {
        self.buffer.iter().for_each(|buffer| buffer.draw(Primitive::Points));
    }
}

fn vertices(list: &[Point]) -> impl Iterator<Item = f32> {
    let centre = |[x, y]: [i32; 2]| [x as f32 + 0.5, y as f32 + 0.5];
    list.iter().flat_map(move |point| {
        let ([x, y], [u, v]) = (centre(point.target), centre(point.source));
        [x, y, point.value, u, v]
    })
}
