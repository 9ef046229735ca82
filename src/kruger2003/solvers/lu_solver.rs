//! Systems solved by LU decomposition on the column layout (Krüger and Westermann 2003, section 7,
//! where it is future work).
//!
//! A solve exchanges rows as in the pivoting, substitutes forward with L and back with U
//! (`substitution`). The remaining residual is solved for again with the same factors:
//! iterative refinement, a stationary method whose first step, from x = 0, is the solve itself.

use std::cell::RefCell;
use std::rc::Rc;

use crate::solver::{Criteria, Csr, Operator, Outcome, Progress, TextureSpace, VectorSpace};
use crate::stream::{Format, Kernel, Pass, Rects, Source, Stream, StreamError, source};

use super::gauss_seidel::iterate;
use super::substitution::{Back, Forward};
use crate::kruger2003::{AlgebraError, ColumnMatrix, ColumnOptions, Lu, Pivoting};

const PERMUTE: Source = source!("kruger2003/solvers/permute");

/// Steps of a refinement that may pass without progress; each gains as many digits as the factors have.
const PATIENCE: usize = 3;

/// A matrix with its factors, prepared for solves.
pub struct LuSolver {
    matrix: ColumnMatrix,
    lu: Lu,
    permute: Rc<Kernel>,
    /// For each row of L U, the position of the row of A.
    places: Stream,
    full: Rects,
    forward: Forward,
    back: Back,
    /// A residual and its correction.
    work: RefCell<[Stream; 2]>,
}

impl LuSolver {
    /// Uploads a matrix and factorises it with partial pivoting. The space's layout must hold one
    /// entry per texel.
    pub fn new(space: &TextureSpace, matrix: &Csr<f64>) -> Result<Self, AlgebraError> {
        Self::observed(space, matrix, &mut |_, _| ())
    }

    /// The same, with an observer of the decomposition, as in [`Lu::observed`].
    pub fn observed(
        space: &TextureSpace,
        matrix: &Csr<f64>,
        observer: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, AlgebraError> {
        let (machine, layout) = (space.machine(), space.layout());
        let matrix = ColumnMatrix::new(machine, layout, matrix, ColumnOptions::default())?;
        let lu = Lu::observed(&matrix, Pivoting::Partial, observer)?;
        // Padding keeps its position.
        let padding = layout.length()..layout.capacity();
        let rows = lu.permutation.iter().copied().chain(padding);
        let places: Vec<f32> = rows.flat_map(|row| layout.centre(row)).collect();
        let size = layout.size();
        Ok(Self {
            permute: machine.kernel(&PERMUTE, &[])?,
            places: Stream::from_data(machine, "places", size, Format::Rg32F, &places)?,
            full: machine.rects(&layout.rectangles())?,
            forward: Forward::new(machine, matrix.tiles)?,
            back: Back::new(machine, matrix.tiles)?,
            work: RefCell::new([space.zeros()?, space.zeros()?]),
            matrix,
            lu,
        })
    }

    /// The factors.
    pub fn factors(&self) -> &Lu {
        &self.lu
    }

    /// x ← A⁻¹ b by the factors alone.
    pub fn substitute(&self, b: &Stream, x: &mut Stream) -> Result<(), StreamError> {
        let layout = self.matrix.tiles.layout;
        b.expect("b", layout)?;
        x.expect("x", layout)?;
        Pass::new(&self.permute)
            .read("x", b)
            .read("places", &self.places)
            .draw(x, &self.full)?;
        self.forward.solve(&self.lu.factors, x)?;
        self.back.solve(&self.lu.factors, x)
    }

    /// Solves, and refines x until b − A x is within the tolerance. From x = 0 the first step is the
    /// plain solve.
    pub fn solve(
        &self,
        space: &TextureSpace,
        b: &Stream,
        x: &mut Stream,
        criteria: &Criteria,
        observer: impl FnMut(&Progress<'_, Stream>),
    ) -> Result<Outcome, StreamError> {
        let refine = |x: &mut Stream| {
            let [residual, correction] = &mut *self.work.borrow_mut();
            self.matrix.apply(space, x, correction)?;
            space.subtract(b, correction, residual)?;
            self.substitute(residual, correction)?;
            space.axpy(x, 1.0, correction)
        };
        let criteria = Criteria {
            patience: criteria.patience.min(PATIENCE),
            ..*criteria
        };
        iterate(space, &self.matrix, refine, b, x, &criteria, observer)
    }
}
