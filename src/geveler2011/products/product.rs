//! The product y = A x and the defect b − A x, in single precision and in pairs of floats.

use std::rc::Rc;

use crate::solver::{Operation, Operator, TextureSpace};
use crate::stream::{Kernel, Machine, Part, Pass, Source, Stream, StreamError, source};

use super::pairs::PairSpace;
use super::storage::EllpackStorage;

const PRODUCT: Source = source!("geveler2011/ellpack");
const RESIDUAL: Source = source!("geveler2011/residual");
const ROW: Part = source!(part "geveler2011/row");
const SINGLE: Part = source!(part "geveler2011/single");
/// Arithmetic on pairs of floats.
pub(super) const PAIRS: Part = source!(part "geveler2011/pairs");

/// What numbers a product computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The high part of each number.
    Single,
    /// Both parts, about 48 bits.
    Pairs,
}

/// A matrix on the stream processor, with the programs of one arithmetic.
pub struct EllpackProduct {
    storage: Rc<EllpackStorage>,
    arithmetic: Arithmetic,
    product: Rc<Kernel>,
    residual: Rc<Kernel>,
}

impl EllpackProduct {
    /// The programs for this matrix.
    pub fn new(
        machine: &Machine,
        storage: &Rc<EllpackStorage>,
        arithmetic: Arithmetic,
    ) -> Result<Self, StreamError> {
        let numbers = match arithmetic {
            Arithmetic::Single => SINGLE,
            Arithmetic::Pairs => PAIRS,
        };
        let kernel = |source: Source| {
            let defines = [("ROW_LENGTH", storage.row_length())];
            machine.kernel(&source.with([numbers, ROW]), &defines)
        };
        Ok(Self {
            storage: storage.clone(),
            arithmetic,
            product: kernel(PRODUCT)?,
            residual: kernel(RESIDUAL)?,
        })
    }

    fn bind<'a>(&'a self, kernel: &'a Kernel) -> Pass<'a> {
        let pass = self.storage.bind(Pass::new(kernel));
        match self.arithmetic {
            Arithmetic::Single => pass,
            Arithmetic::Pairs => pass.set("one", 1.0),
        }
    }

    /// y ← A x
    pub fn multiply(&self, x: &Stream, y: &Stream) -> Result<(), StreamError> {
        self.bind(&self.product)
            .read("x", x)
            .draw(y, self.storage.rects())
    }

    /// r ← b − A x. Into an r of one channel goes the high part.
    pub fn defect(&self, b: &Stream, x: &Stream, r: &Stream) -> Result<(), StreamError> {
        let pass = self.bind(&self.residual).read("b", b).read("x", x);
        pass.draw(r, self.storage.rects())
    }
}

impl Operator<TextureSpace> for EllpackProduct {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }

    fn residual(
        &self,
        _: &TextureSpace,
        b: &Stream,
        x: &Stream,
        r: &mut Stream,
    ) -> Result<(), StreamError> {
        self.defect(b, x, r)
    }
}

impl Operator<PairSpace> for EllpackProduct {
    fn apply(&self, _: &PairSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }

    fn residual(
        &self,
        _: &PairSpace,
        b: &Stream,
        x: &Stream,
        r: &mut Stream,
    ) -> Result<(), StreamError> {
        self.defect(b, x, r)
    }
}

/// A diagonal matrix, applied entry by entry: Jacobi's M⁻¹ (§2.1).
pub struct Diagonal(pub Stream);

impl Operator<TextureSpace> for Diagonal {
    fn apply(&self, space: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        space.combine(Operation::Multiply, (1.0, &self.0), (1.0, x), y)
    }
}

impl Operator<PairSpace> for Diagonal {
    fn apply(&self, space: &PairSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        space.multiply(&self.0, x, y)
    }
}
