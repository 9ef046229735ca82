//! The vector spaces of products: vectors with one entry per texel, in one channel or, as a pair of
//! floats, in two.

use crate::solver::{Operation, TextureSpace, VectorSpace};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::arithmetic::Arithmetic;

/// A vector space whose matrices are products in one arithmetic.
pub trait ProductSpace:
    VectorSpace<Vector = Stream, Error = StreamError> + Sized + 'static
{
    /// Creates the space of this dimension.
    ///
    /// # Errors
    /// [`StreamError::NoPairs`], [`StreamError::NoDouble`]: a driver without this arithmetic.
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
