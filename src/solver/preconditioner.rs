//! The diagonal (Jacobi) preconditioner z ← D⁻¹ r, where D is the diagonal of a matrix, in main memory and in
//! textures. (In the notes of Bolz et al. 2003, section 3.1.1, it is the reason why the diagonal has its own
//! stream.)

use std::rc::Rc;

use crate::base::parallel::parts;
use crate::stream::{Kernel, Pass, Source, Stream, StreamError, source};

use super::csr::{Csr, CsrError};
use super::host::{HostSpace, LengthMismatch, PARALLEL_FROM};
use super::real::Real;
use super::space::Operator;
use super::texture_space::TextureSpace;

const DIVIDE: Source = source!(stream, "divide_by_diagonal");

/// z ← D⁻¹ r in main memory.
#[derive(Clone, Debug, PartialEq)]
pub struct DiagonalPreconditioner<T> {
    reciprocals: Vec<T>,
}

impl<T: Real> DiagonalPreconditioner<T> {
    /// Takes the diagonal of `matrix`, which must be positive throughout.
    pub fn new(matrix: &Csr<T>) -> Result<Self, CsrError> {
        let positive_reciprocal = |(row, value): (usize, T)| {
            if value.is_finite() && value > T::ZERO {
                Ok(T::ONE / value)
            } else {
                let value = value.to_f64();
                Err(CsrError::Diagonal { row, value })
            }
        };
        let diagonal = matrix.diagonal().into_iter().enumerate();
        let reciprocals = diagonal.map(positive_reciprocal).collect::<Result<_, _>>()?;
        Ok(DiagonalPreconditioner { reciprocals })
    }

    /// Inverts a diagonal. Where it is zero (a missing row), the result is zero.
    pub fn of_diagonal(diagonal: &[T]) -> Self {
        let reciprocal = |&value: &T| {
            if value == T::ZERO { T::ZERO } else { T::ONE / value }
        };
        DiagonalPreconditioner { reciprocals: diagonal.iter().map(reciprocal).collect() }
    }
}

impl<T: Real> Operator<HostSpace<T>> for DiagonalPreconditioner<T> {
    fn apply(
        &self,
        _space: &HostSpace<T>,
        x: &Vec<T>,
        y: &mut Vec<T>,
    ) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.reciprocals.len(), x)?;
        LengthMismatch::check(self.reciprocals.len(), y)?;
        parts(y, PARALLEL_FROM, &|first, y| {
            for ((y, &x), &reciprocal) in
                y.iter_mut().zip(&x[first..]).zip(&self.reciprocals[first..])
            {
                *y = reciprocal * x;
            }
        });
        Ok(())
    }
}

/// z ← D⁻¹ r in textures; zero where the diagonal is zero, as in missing rows.
pub struct TextureDiagonal<'a> {
    kernel: Rc<Kernel>,
    diagonal: &'a Stream,
}

impl<'a> TextureDiagonal<'a> {
    /// For a matrix with this diagonal, one entry per texel, laid out like the vectors except for their
    /// channels.
    pub fn new(space: &TextureSpace, diagonal: &'a Stream) -> Result<Self, StreamError> {
        Ok(Self { kernel: space.machine().kernel(&DIVIDE, &[])?, diagonal })
    }
}

impl Operator<TextureSpace> for TextureDiagonal<'_> {
    fn apply(&self, space: &TextureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        Pass::new(&self.kernel).read("diagonal", self.diagonal).read("r", r).draw(z, space.all())
    }
}
