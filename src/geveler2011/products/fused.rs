//! A sweep of Jacobi's method and a correction, in one pass each: not in the paper, which takes a
//! defect, a product with the diagonal and a sum (§2.1).

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Source, Stream, StreamError, source};

use super::arithmetic::pair;
use super::product::EllpackProduct;

const SWEEP: Source = source!("geveler2011/sweep");
const CORRECT: Source = source!("geveler2011/correct");

/// x + ω D⁻¹ (b − A x) in one pass.
pub struct FusedSweep {
    matrix: Rc<EllpackProduct>,
    kernel: Rc<Kernel>,
    inverse_diagonal: Rc<Stream>,
    omega: f64,
}

impl FusedSweep {
    /// The sweep with this D⁻¹ that goes the part ω of the way.
    pub fn new(
        machine: &Machine,
        matrix: &Rc<EllpackProduct>,
        inverse_diagonal: &Rc<Stream>,
        omega: f64,
    ) -> Result<Self, StreamError> {
        Ok(Self {
            kernel: matrix.kernel(machine, &SWEEP)?,
            matrix: Rc::clone(matrix),
            inverse_diagonal: Rc::clone(inverse_diagonal),
            omega,
        })
    }

    /// next ← x + ω D⁻¹ (b − A x)
    pub fn sweep(&self, b: &Stream, x: &Stream, next: &Stream) -> Result<(), StreamError> {
        let pass = self.matrix.pass(&self.kernel);
        pass.read("b", b)
            .read("x", x)
            .read("inverse_diagonal", &self.inverse_diagonal)
            .set("omega", pair(self.omega))
            .draw(next, self.matrix.storage().rects())
    }
}

/// u + P c in one pass.
pub struct FusedCorrection {
    prolongation: Rc<EllpackProduct>,
    kernel: Rc<Kernel>,
}

impl FusedCorrection {
    /// The correction by this P.
    pub fn new(machine: &Machine, prolongation: &Rc<EllpackProduct>) -> Result<Self, StreamError> {
        Ok(Self {
            kernel: prolongation.kernel(machine, &CORRECT)?,
            prolongation: Rc::clone(prolongation),
        })
    }

    /// next ← u + P coarse
    pub fn correct(&self, coarse: &Stream, u: &Stream, next: &Stream) -> Result<(), StreamError> {
        let pass = self.prolongation.pass(&self.kernel);
        let pass = pass.read("u", u).read("x", coarse);
        pass.draw(next, self.prolongation.storage().rects())
    }
}
