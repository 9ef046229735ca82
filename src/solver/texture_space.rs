//! Vectors in textures: the space in which solvers run on the stream processor.
//!
//! All vectors of a space share one layout. What it holds beside the unknowns (values that are
//! known, a zero to point to, texels without any use) takes part in every operation: operators
//! leave zeros there, and so nothing of it reaches a sum.

use std::cell::RefCell;
use std::rc::Rc;

use crate::stream::{
    Edges, Format, Kernel, Machine, Pass, Rects, Reduce, Reduction, Source, Stream, StreamError,
    source,
};

use super::space::VectorSpace;

const ADD_SCALED: Source = source!("stream/add_scaled");
const COPY: Source = source!("stream/copy");

/// The space of all streams of one size and format.
///
/// A pass cannot read its target, so y ← y + αx is rendered into a spare stream, which then changes
/// places with y. One spare serves all vectors.
pub struct TextureSpace {
    machine: Machine,
    size: (u32, u32),
    format: Format,
    full: Rects,
    add_scaled: Rc<Kernel>,
    copy: Rc<Kernel>,
    sum: Reduction,
    spare: RefCell<Stream>,
}

impl TextureSpace {
    /// The space of vectors of this size and format. Unused texels must be zero in every vector
    /// that is given to it from outside; inner products use `edges` for odd sizes.
    pub fn new(
        machine: &Machine,
        size: (u32, u32),
        format: Format,
        edges: Edges,
    ) -> Result<Self, StreamError> {
        let spare = Stream::zeros(machine, "spare", size, format)?;
        Ok(Self {
            machine: machine.clone(),
            size,
            format,
            full: machine.rect(spare.full())?,
            add_scaled: machine.kernel(&ADD_SCALED, &[])?,
            copy: machine.kernel(&COPY, &[])?,
            sum: Reduction::new(machine, size, format, Reduce::Sum, edges)?,
            spare: RefCell::new(spare),
        })
    }

    /// The machine that holds the vectors.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What a record holds.
    pub fn format(&self) -> Format {
        self.format
    }

    /// A vector with these records, rows from the bottom up.
    ///
    /// # Errors
    /// [`StreamError::Size`] when `data` is not as long as a vector.
    pub fn upload(&self, label: &str, data: &[f32]) -> Result<Stream, StreamError> {
        Stream::from_data(&self.machine, label, self.size, self.format, data)
    }

    /// Renders y anew into the spare with `draw`, then lets the two change places: what every
    /// operation does that reads its own target.
    pub fn replace(
        &self,
        y: &mut Stream,
        draw: impl FnOnce(&Stream, &Stream) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        let mut spare = self.spare.borrow_mut();
        draw(y, &spare)?;
        std::mem::swap(y, &mut spare);
        Ok(())
    }

    /// z ← x + factor y
    fn combine(&self, x: &Stream, factor: f64, y: &Stream, z: &Stream) -> Result<(), StreamError> {
        Pass::new(&self.add_scaled)
            .read("x", x)
            .read("y", y)
            .set("factor", factor as f32)
            .draw(z, &self.full)
    }
}

impl VectorSpace for TextureSpace {
    type Vector = Stream;
    type Error = StreamError;

    fn zeros(&self) -> Result<Stream, StreamError> {
        Stream::zeros(&self.machine, "vector", self.size, self.format)
    }

    fn copy(&self, from: &Stream, to: &mut Stream) -> Result<(), StreamError> {
        Pass::new(&self.copy).read("x", from).draw(to, &self.full)
    }

    fn axpy(&self, y: &mut Stream, alpha: f64, x: &Stream) -> Result<(), StreamError> {
        self.replace(y, |y, target| self.combine(y, alpha, x, target))
    }

    fn xpby(&self, y: &mut Stream, beta: f64, x: &Stream) -> Result<(), StreamError> {
        self.replace(y, |y, target| self.combine(x, beta, y, target))
    }

    fn subtract(&self, x: &Stream, y: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        self.combine(x, -1.0, y, z)
    }

    /// The channels are reduced each by itself; their sums are added on the CPU.
    fn dot(&self, x: &Stream, y: &Stream) -> Result<f64, StreamError> {
        let channels = self.sum.of_product(x, y)?;
        Ok(channels.iter().map(|&sum| f64::from(sum)).sum())
    }
}
