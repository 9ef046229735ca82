//! Rectangles in graphics memory, whose rasterisation starts most passes.

use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{GlError, Primitive, Size, VertexBuffer};

use super::tuples::rasterise;
use crate::program::interpret::Rect;
use crate::stream::device::Device;

/// Side of a tuple in pixels: the hardware of 2003 and of today rasterises blocks of 2 x 2.
const TUPLE_SIDE: u32 = 2;

/// Rectangles in graphics memory, uploaded once ([`crate::stream::Machine::rects`]) and drawn any number of
/// times.
#[derive(Clone)]
pub struct Rects {
    list: Rc<[Rect]>,
    /// Absent if the interpreter draws.
    buffer: Option<Rc<VertexBuffer>>,
    tuples: u64,
}

impl Rects {
    pub(in crate::stream) fn new(device: &Device, list: &[Rect]) -> Result<Self, GlError> {
        let data: Vec<f32> = vertices(list).collect();
        let mut known = HashMap::new();
        let tuples = list.iter().map(|&Rect { width, height, .. }| -> u64 {
            let tuples = || rasterise(width, height, TUPLE_SIDE).total();
            *known.entry((width, height)).or_insert_with(tuples)
        });
        Ok(Self { list: list.into(), tuples: tuples.sum(), buffer: device.vertices(&[2], &data)? })
    }

    /// The rectangles.
    pub fn list(&self) -> &Rc<[Rect]> {
        &self.list
    }

    /// The corners of their triangles in sequence.
    pub(super) fn vertices(&self) -> impl Iterator<Item = f32> {
        vertices(&self.list)
    }

    /// Number of records in all of them.
    pub fn area(&self) -> u64 {
        self.list.iter().map(|rect| rect.area()).sum()
    }

    /// Number of tuples of 2 x 2 pixels in which they are rasterised, if each begins at the corner of one.
    pub fn tuples(&self) -> u64 {
        self.tuples
    }

    /// Size in graphics memory, in bytes.
    pub(in crate::stream) fn bytes(&self) -> u64 {
        (self.vertices().count() * size_of::<f32>()) as u64
    }

    /// Tests whether all rectangles are inside of a target of this size.
    pub(super) fn within(&self, size: Size) -> bool {
        self.list.iter().all(|rect| rect.within(size))
    }

    /// Number of the context that holds the geometry; 0 without one.
    pub(super) fn home(&self) -> u64 {
        self.buffer.as_ref().map_or(0, |buffer| buffer.context().number())
    }

    pub(super) fn draw(&self) {
        self.buffer.iter().for_each(|buffer| buffer.draw(Primitive::Triangles));
    }
}

fn vertices(list: &[Rect]) -> impl Iterator<Item = f32> {
    list.iter().flat_map(|rect| rect.corners())
}
