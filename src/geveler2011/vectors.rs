//! The vector spaces of products: vectors with one entry per texel, in one channel or, as a pair of floats, in two:
//! about 48 bits in a 2003 texture.

use std::rc::Rc;

use crate::solver::scaling::pair;
use crate::solver::{Operation, TextureSpace, VectorSpace};
use crate::stream::{Format, Kernel, Layout, Machine, Source, Stream, StreamError, source};

use super::arithmetic::Arithmetic;

/// A vector space whose matrices are products in one arithmetic.
pub trait ProductSpace:
    VectorSpace<Vector = Stream, Error = StreamError> + Sized + 'static
{
    /// Creates the space of this dimension.
    fn of(machine: &Machine, dimension: usize, arithmetic: Arithmetic)
    -> Result<Self, StreamError>;

    /// Uploads a vector with these entries, rounded to its precision.
    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError>;

    /// Reads back the entries of a vector.
    fn entries_of(&self, x: &Stream) -> Result<Vec<f64>, StreamError>;

    /// z ← x y, entry by entry.
    fn multiply(&self, x: &Stream, y: &Stream, z: &Stream) -> Result<(), StreamError>;
}

/// Single precision.
impl ProductSpace for TextureSpace {
    fn of(machine: &Machine, dimension: usize, _: Arithmetic) -> Result<Self, StreamError> {
        Self::new(machine, Layout::square(dimension, Format::R32F)?)
    }

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError> {
        let entries: Vec<f32> = entries.iter().map(|&entry| entry as f32).collect();
        self.vector(&entries)
    }

    fn entries_of(&self, x: &Stream) -> Result<Vec<f64>, StreamError> {
        Ok(x.read()?.into_iter().map(f64::from).collect())
    }

    fn multiply(&self, x: &Stream, y: &Stream, z: &Stream) -> Result<(), StreamError> {
        self.combine(Operation::Multiply, (1.0, x), (1.0, y), z)
    }
}

const COMBINE: Source = source!(geveler2011, "combine");
const MULTIPLY: Source = source!(geveler2011, "multiply");

/// The space of vectors of pairs, laid out in squares, one entry per texel.
pub struct PairSpace {
    halves: TextureSpace,
    combine: Rc<Kernel>,
    multiply: Rc<Kernel>,
}

impl PairSpace {
    /// z ← α x + β y. A y with one channel, such as a correction in single precision, is widened.
    pub fn combine(
        &self,
        (alpha, x): (f64, &Stream),
        (beta, y): (f64, &Stream),
        z: &Stream,
    ) -> Result<(), StreamError> {
        Arithmetic::pass(&self.combine)
            .read("x", x)
            .read("y", y)
            .set("alpha", pair(alpha))
            .set("beta", pair(beta))
            .draw(z, self.halves.all())
    }

    /// x ← x + correction, which may have one channel.
    pub fn correct(&self, x: &mut Stream, correction: &Stream) -> Result<(), StreamError> {
        self.halves.replace(x, |x, target| self.combine((1.0, x), (1.0, correction), target))
    }
}

impl ProductSpace for PairSpace {
    fn of(
        machine: &Machine,
        dimension: usize,
        arithmetic: Arithmetic,
    ) -> Result<Self, StreamError> {
        let layout = Layout::square(2 * dimension, Format::Rg32F)?;
        Ok(Self {
            halves: TextureSpace::new(machine, layout)?,
            combine: arithmetic.kernel(machine, &COMBINE, &[], &[])?,
            multiply: arithmetic.kernel(machine, &MULTIPLY, &[], &[])?,
        })
    }

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError> {
        let halves: Vec<f32> = entries.iter().flat_map(|&entry| pair(entry)).collect();
        self.halves.vector(&halves)
    }

    fn entries_of(&self, x: &Stream) -> Result<Vec<f64>, StreamError> {
        let halves = x.read()?;
        let sum = |pair: &[f32]| f64::from(pair[0]) + f64::from(pair[1]);
        Ok(halves.chunks_exact(2).map(sum).collect())
    }

    fn multiply(&self, x: &Stream, y: &Stream, z: &Stream) -> Result<(), StreamError> {
        Arithmetic::pass(&self.multiply).read("x", x).read("y", y).draw(z, self.halves.all())
    }
}

impl VectorSpace for PairSpace {
    type Vector = Stream;
    type Error = StreamError;

    fn zeros(&self) -> Result<Stream, StreamError> {
        self.halves.zeros()
    }

    fn copy(&self, from: &Stream, to: &mut Stream) -> Result<(), StreamError> {
        self.halves.copy(from, to)
    }

    fn axpy(&self, y: &mut Stream, alpha: f64, x: &Stream) -> Result<(), StreamError> {
        self.halves.replace(y, |y, target| self.combine((1.0, y), (alpha, x), target))
    }

    fn xpby(&self, y: &mut Stream, beta: f64, x: &Stream) -> Result<(), StreamError> {
        self.halves.replace(y, |y, target| self.combine((beta, y), (1.0, x), target))
    }

    fn subtract(&self, x: &Stream, y: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        self.combine((1.0, x), (-1.0, y), z)
    }

    /// In single precision: Σ of high times high and low times low parts. Step lengths and stopping need no
    /// more.
    fn dot(&self, x: &Stream, y: &Stream) -> Result<f64, StreamError> {
        // §2.1: DOT, for the coarse grid's conjugate gradients
        self.halves.dot(x, y)
    }
}
