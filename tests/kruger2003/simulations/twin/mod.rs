//! The kernels of the water and of the fluid on the CPU, and whole steps of both: the same
//! arithmetic in the same order, generic over the precision.
//!
//! Only inner products are summed in another order: conjugate gradients run over vectors in main
//! memory, which are summed in pairs, where textures are summed in blocks of two by two.

pub mod fluid;
pub mod interpolate;
pub mod stroke;
pub mod texture;
pub mod water;

pub use fluid::FluidTwin;
pub use texture::Texture;
pub use water::WaterTwin;

use fragstream::solver::{Criteria, Csr, HostSpace, Outcome, Real, conjugate_gradients};

/// The matrix of a step.
struct Stencil<T>(Csr<T>);

impl<T: Real> Stencil<T> {
    fn new(matrix: &Csr<f64>) -> Self {
        Self(matrix.cast())
    }

    /// Conjugate gradients from the x given.
    fn solve(&self, b: &Vec<T>, x: &mut Vec<T>, criteria: &Criteria) -> Outcome {
        let space = HostSpace::new(self.0.rows());
        match conjugate_gradients(&space, &self.0, None, b, x, criteria, |_| ()) {
            Ok(outcome) => outcome,
            Err(error) => unreachable!("one entry a cell: {error}"),
        }
    }
}

/// `step` of the programs' language: 0 below the edge, 1 from there on.
fn step<T: Real>(edge: T, x: T) -> T {
    if x < edge { T::ZERO } else { T::ONE }
}

/// `clamp` of the programs' language.
fn clamp<T: Real>(x: T, low: T, high: T) -> T {
    x.max(low).min(high)
}
