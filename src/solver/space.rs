//! The operations of a solver on vectors ([`VectorSpace`]) and matrices ([`Operator`]).
//!
//! There is no access to elements, and every operation may fail: a vector may be a texture, which the CPU
//! cannot access and whose every operation is a pass of a fragment program. The operations are those of
//! conjugate gradients (bolz2003 §3.1: "a few non-trivial functions"): two linear combinations in place
//! (`axpy`, `xpby`), a difference, and the inner product (`dot`). Only the inner product returns a number to
//! the CPU.

use std::rc::Rc;

/// Vectors of one length and layout, with their arithmetic.
///
/// Scalars are `f64` here; a space of lower precision rounds them.
pub trait VectorSpace {
    /// A vector of this space.
    type Vector;
    /// Error of an operation.
    type Error;

    /// A new vector, all zero.
    fn zeros(&self) -> Result<Self::Vector, Self::Error>;

    /// to ← from
    fn copy(&self, from: &Self::Vector, to: &mut Self::Vector) -> Result<(), Self::Error>;

    /// y ← y + alpha x
    fn axpy(&self, y: &mut Self::Vector, alpha: f64, x: &Self::Vector) -> Result<(), Self::Error>;

    /// y ← x + beta y
    fn xpby(&self, y: &mut Self::Vector, beta: f64, x: &Self::Vector) -> Result<(), Self::Error>;

    /// y ← beta y + alpha x; override it if it can be computed in one operation.
    fn axpby(
        &self,
        y: &mut Self::Vector,
        beta: f64,
        alpha: f64,
        x: &Self::Vector,
    ) -> Result<(), Self::Error> {
        self.xpby(y, beta, &self.zeros()?)?;
        self.axpy(y, alpha, x)
    }

    /// z ← x − y
    fn subtract(
        &self,
        x: &Self::Vector,
        y: &Self::Vector,
        z: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// x · y
    ///
    /// In single precision the sum of squares underflows to zero for a vector shorter than about 1e-19, and
    /// overflows for one longer than about 1e19: scale such a system.
    fn dot(&self, x: &Self::Vector, y: &Self::Vector) -> Result<f64, Self::Error>;
}

/// A linear map: a matrix, or a preconditioner.
pub trait Operator<S: VectorSpace> {
    /// y ← A x. The space is that of y, and also of x unless A maps from one level of a hierarchy to another.
    fn apply(&self, space: &S, x: &S::Vector, y: &mut S::Vector) -> Result<(), S::Error>;

    /// r ← b − A x; override it if it can be computed in one operation.
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
