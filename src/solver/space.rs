//! What a solver may do: with vectors ([`VectorSpace`]) and with matrices ([`Operator`]).
//!
//! There is no access to elements, and every operation may fail: a vector may be a texture, whose
//! elements the CPU cannot see and whose every operation is a pass of a fragment program. The
//! operations are the ones that conjugate gradients need (bolz2003 §3.1: "a few non-trivial
//! functions"): the two linear combinations that run over one vector in place (`axpy`, `xpby`), a
//! difference, and the inner product (`dot`), which alone returns a number to the CPU.

use std::rc::Rc;

/// Vectors of one length and layout, and the arithmetic on them.
///
/// Scalars are `f64` on this side; a space of lower precision rounds them as they come in.
pub trait VectorSpace {
    /// A vector of this space.
    type Vector;
    /// Why an operation can fail.
    type Error;

    /// A new vector, all zero.
    fn zeros(&self) -> Result<Self::Vector, Self::Error>;

    /// to ← from
    fn copy(&self, from: &Self::Vector, to: &mut Self::Vector) -> Result<(), Self::Error>;

    /// y ← y + alpha x
    fn axpy(&self, y: &mut Self::Vector, alpha: f64, x: &Self::Vector) -> Result<(), Self::Error>;

    /// y ← x + beta y
    fn xpby(&self, y: &mut Self::Vector, beta: f64, x: &Self::Vector) -> Result<(), Self::Error>;

    /// z ← x − y
    fn subtract(
        &self,
        x: &Self::Vector,
        y: &Self::Vector,
        z: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// x · y
    ///
    /// In single precision the sum of squares of a vector shorter than about 1e-19 is zero, and of
    /// one longer than about 1e19 is infinite: scale a system that is so small or so large.
    fn dot(&self, x: &Self::Vector, y: &Self::Vector) -> Result<f64, Self::Error>;
}

/// A linear map: a matrix, or a preconditioner.
pub trait Operator<S: VectorSpace> {
    /// y ← A x. The space is the one of y; it is also the one of x unless A leads from one level of
    /// a hierarchy to another.
    fn apply(&self, space: &S, x: &S::Vector, y: &mut S::Vector) -> Result<(), S::Error>;

    /// r ← b − A x, for those that can do it in one go.
    fn residual(
        &self,
        space: &S,
        b: &S::Vector,
        x: &S::Vector,
        r: &mut S::Vector,
    ) -> Result<(), S::Error> {
        self.apply(space, x, r)?;
        space.xpby(r, -1.0, b)
    }
}

impl<S: VectorSpace, A: Operator<S>> Operator<S> for Rc<A> {
    fn apply(&self, space: &S, x: &S::Vector, y: &mut S::Vector) -> Result<(), S::Error> {
        A::apply(self, space, x, y)
    }

    fn residual(
        &self,
        space: &S,
        b: &S::Vector,
        x: &S::Vector,
        r: &mut S::Vector,
    ) -> Result<(), S::Error> {
        A::residual(self, space, b, x, r)
    }
}
