//! Strokes: the effect of a mouse on water or on a fluid (Krüger and Westermann 2003, section 6).

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Pass, Rects, Source, Stream, StreamError, source};

/// The program of a stroke.
const STROKE: Source = source!(kruger2003, "simulation/stroke", with "stream/stroke");

/// A line along which the surface or the fluid is pushed. Lengths are in cells, from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Start.
    pub from: [f32; 2],
    /// End; may be equal to the start.
    pub to: [f32; 2],
    /// Distance from the line at which the push has decreased to 1/e.
    pub radius: f32,
}

impl Stroke {
    /// A push at one position.
    pub fn at(place: [f32; 2], radius: f32) -> Self {
        Self { from: place, to: place, radius }
    }

    /// Sets the line of a program with `stroke.glsl`.
    pub(crate) fn set<'a>(&self, pass: Pass<'a>) -> Pass<'a> {
        // A program divides by the radius.
        pass.set("a", self.from).set("b", self.to).set("radius", self.radius.max(1e-3))
    }
}

/// Draws strokes into streams.
pub(crate) struct Strokes(Rc<Kernel>);

impl Strokes {
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self(machine.kernel(&STROKE, &[])?))
    }

    /// target ← before + amount × the stroke's profile: a bell curve across its line. With a `ring` of
    /// the other sign around it, the sum of the changes is zero for a short stroke. `origin` is
    /// the position of the lower left corner of the cells in the textures.
    pub fn draw(
        &self,
        (before, target): (&Stream, &Stream),
        origin: [f32; 2],
        (stroke, with_ring): (&Stroke, bool),
        amount: [f32; 4],
        extent: &Rects,
    ) -> Result<(), StreamError> {
        stroke
            .set(Pass::new(&self.0))
            .read("before", before)
            .set("origin", origin)
            .set("ring", f32::from(with_ring))
            .set("amount", amount)
            .draw(target, extent)
    }
}
