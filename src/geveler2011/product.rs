//! The product y = A x and the defect b − A x as programs (geveler2011 §2.1, §3.2.1), in three arithmetics (§4.1). One
//! storage serves them all: high and low part of every number.

use std::rc::Rc;

use crate::solver::Operator;
use crate::stream::{Kernel, Machine, Pass, Source, Stream, StreamError, source};

use super::arithmetic::Arithmetic;
use super::storage::EllpackStorage;
use super::vectors::ProductSpace;

const PRODUCT: Source = source!(geveler2011, "ellpack");
const RESIDUAL: Source = source!(geveler2011, "residual");

/// A matrix on the GPU, with the programs of one arithmetic.
pub struct EllpackProduct {
    storage: Rc<EllpackStorage>,
    product: Rc<Kernel>,
    residual: Rc<Kernel>,
}

impl EllpackProduct {
    /// Compiles the programs for this matrix.
    pub fn new(
        machine: &Machine,
        storage: &Rc<EllpackStorage>,
        arithmetic: Arithmetic,
    ) -> Result<Self, StreamError> {
        Ok(Self {
            storage: storage.clone(),
            product: row_kernel(machine, storage, arithmetic, &PRODUCT)?,
            residual: row_kernel(machine, storage, arithmetic, &RESIDUAL)?,
        })
    }

    /// A pass of such a program, still without its vectors.
    fn pass<'a>(&'a self, kernel: &'a Kernel) -> Pass<'a> {
        self.storage.bind(Arithmetic::pass(kernel))
    }

    /// The matrix in textures.
    pub fn storage(&self) -> &Rc<EllpackStorage> {
        &self.storage
    }

    /// y ← A x
    pub fn multiply(&self, x: &Stream, y: &Stream) -> Result<(), StreamError> {
        // §3.2, §3.2.1: y_i = Σ A_ik x_j, a fragment for each y_i
        self.pass(&self.product).read("x", x).draw(y, &self.storage.rects)
    }

    /// r ← b − A x. An r with one channel receives the high part.
    pub fn defect(&self, b: &Stream, x: &Stream, r: &Stream) -> Result<(), StreamError> {
        // §2.1: r = b − A x in one kernel
        let pass = self.pass(&self.residual).read("b", b).read("x", x);
        pass.draw(r, &self.storage.rects)
    }
}

/// A program over rows of a matrix, with the parts required by its storage and the arithmetic.
fn row_kernel(
    machine: &Machine,
    storage: &EllpackStorage,
    arithmetic: Arithmetic,
    source: &Source,
) -> Result<Rc<Kernel>, StreamError> {
    let longest = format!("{}.0", storage.row_length);
    let defines = [("ROW_LENGTH", longest.as_str())];
    arithmetic.kernel(machine, source, &storage.row_parts(), &defines)
}

impl<S: ProductSpace> Operator<S> for EllpackProduct {
    fn apply(&self, _: &S, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }

    fn residual(&self, _: &S, b: &Stream, x: &Stream, r: &mut Stream) -> Result<(), StreamError> {
        self.defect(b, x, r)
    }
}

/// A diagonal matrix, applied entry by entry: Jacobi's M⁻¹ (§2.1).
pub struct Diagonal(pub Stream);

impl<S: ProductSpace> Operator<S> for Diagonal {
    fn apply(&self, space: &S, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        // §2.1: y = D⁻¹ x, entry by entry
        space.multiply(&self.0, x, y)
    }
}
