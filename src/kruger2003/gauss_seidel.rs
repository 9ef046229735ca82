//! Gauss–Seidel by column sweeps, with the result both target and texture (Krüger and Westermann 2003,
//! section 5.2).
//!
//! With A = L + D + U (strictly lower, diagonal, strictly upper), the paper prints
//! x_new = L x_new + (D + U) x_old. That cannot be right: the right-hand side b does not occur, and a
//! fixed point of it solves A x = x. The sweep that converges to the solution of A x = b is
//! (D + L) x_new = b − U x_old, and it fits the paper's procedure once every row is divided by its
//! diagonal entry:
//!
//! 1. x ← D⁻¹b − D⁻¹U x: one product, as in section 5.2, rendered into x's texture;
//! 2. for each column j from the left: x_i ← x_i − (D⁻¹L)_ij x_j for all i below j, rendered into x
//!    while x_j is fetched from it. By then x_j has its final value.
//!
//! A draw reads entries of x that it does not write, and the barrier before it makes earlier draws
//! visible: feedback in the sense of [`Pass::feedback`].
//!
//! On the layout of dense matrices this takes one draw per column ([`GaussSeidel::by_columns`]): a forward
//! substitution, over the rectangles of the rows that still depend on x_j. On vertices most columns need not wait for
//! each other: an entry is drawn as soon as x_j is final and nothing else writes row i. The sums are the same in the
//! same order.

use std::rc::Rc;

use crate::solver::{
    Criteria, Csr, Operation, Operator, Outcome, Progress, TextureSpace, VectorSpace, multigrid,
};
use crate::stream::{
    Kernel, Layout, Machine, Pass, Points, Rects, Source, Stream, StreamError, source,
};

use super::columns::{FITTING, Tiles};
use super::operators::{check_shape, square};
use super::vertices::{Entry, VERTICES, expect_single, upload};
use super::{Accumulation, ColumnMatrix, Error, Matrix, ProductOptions, VertexMatrix};

pub(super) const SUBSTITUTE: Source = source!(kruger2003, "solvers/substitute");

/// D⁻¹A in its parts.
struct Splitting {
    /// The columns of D⁻¹L, as the rows of a matrix.
    lower_columns: Csr<f64>,
    /// D⁻¹U
    upper: Csr<f64>,
    /// D⁻¹
    reciprocals: Vec<f32>,
}

impl Splitting {
    /// Splits a matrix without zeros on its diagonal that acts on vectors of this layout, with one entry per texel;
    /// entries are divided in double precision.
    fn new(layout: Layout, matrix: &Csr<f64>) -> Result<Self, Error> {
        expect_single("a Gauss–Seidel sweep", layout)?;
        check_shape(layout, matrix.rows(), matrix.columns())?;
        let diagonal = matrix.diagonal();
        if let Some(row) = diagonal.iter().position(|&d| d == 0.0 || !d.is_finite()) {
            return Err(Error::ZeroPivot {
                row,
                value: diagonal[row],
                remedy: "number the rows so that the diagonal has no zero, or use another method",
            });
        }
        let part = |keep: fn(usize, usize) -> bool| {
            let entries = matrix.triplets().filter(|&(i, j, _)| keep(i, j));
            square(matrix.rows(), entries.map(|(i, j, value)| (i, j, value / diagonal[i])))
        };
        Ok(Self {
            lower_columns: part(|i, j| j < i).transpose(),
            upper: part(|i, j| j > i),
            reciprocals: diagonal.iter().map(|d| (1.0 / d) as f32).collect(),
        })
    }
}

/// The entries of each draw of a sweep, with the sign with which a point adds them: every entry in the first draw in
/// which x_j is final and nothing else writes its row.
fn draws(lower_columns: &Csr<f64>) -> Vec<Vec<Entry>> {
    let mut draws: Vec<Vec<Entry>> = Vec::new();
    // The first draw after all draws that write a row.
    let mut free = vec![0; lower_columns.rows()];
    for column in 0..lower_columns.rows() {
        for (row, value) in lower_columns.row(column).filter(|&(_, v)| v != 0.0) {
            let draw = free[row].max(free[column]);
            if draw == draws.len() {
                draws.push(Vec::new());
            }
            draws[draw].push((row, column, -value));
            free[row] = draw + 1;
        }
    }
    draws
}

/// A matrix prepared for Gauss–Seidel sweeps.
pub struct GaussSeidel {
    matrix: Box<dyn Matrix>,
    /// −D⁻¹U
    upper: Box<dyn Matrix>,
    /// D⁻¹L
    lower: Lower,
    /// D⁻¹, entry by entry.
    reciprocals: Stream,
}

/// D⁻¹L, prepared for sweeps.
enum Lower {
    /// As vertices with the opposite sign, one set per draw.
    Points(Rc<Kernel>, Vec<Points>),
    /// As columns.
    Columns(Box<ColumnMatrix>, Forward),
}

impl GaussSeidel {
    /// Uploads a matrix as vertices. The space's layout must hold one entry per texel.
    pub fn new(space: &TextureSpace, matrix: &Csr<f64>) -> Result<Self, Error> {
        let (machine, layout) = (space.machine(), space.layout());
        let splitting = Splitting::new(layout, matrix)?;
        let vertices =
            |matrix: &Csr<f64>| VertexMatrix::new(machine, layout, matrix, Accumulation::InPlace);
        let draws = draws(&splitting.lower_columns);
        let draws = draws.iter().map(|draw| upload(machine, layout, draw));
        let kernel = machine.kernel(&VERTICES.for_points(), &[])?;
        Ok(Self {
            matrix: Box::new(vertices(matrix)?),
            upper: Box::new(vertices(&splitting.upper.map(|v| -v))?),
            lower: Lower::Points(kernel, draws.collect::<Result<_, _>>()?),
            reciprocals: space.vector(&splitting.reciprocals)?,
        })
    }

    /// Uploads a matrix as columns, as the paper does for dense ones. The space's layout must hold
    /// one entry per texel.
    pub fn by_columns(space: &TextureSpace, matrix: &Csr<f64>) -> Result<Self, Error> {
        let (machine, layout) = (space.machine(), space.layout());
        let splitting = Splitting::new(layout, matrix)?;
        let options = ProductOptions { per_pass: Some(FITTING), ..ProductOptions::default() };
        let columns = |matrix: &Csr<f64>| ColumnMatrix::new(machine, layout, matrix, options);
        let lower = columns(&splitting.lower_columns.transpose())?;
        let forward = Forward::new(machine, lower.tiles)?;
        Ok(Self {
            matrix: Box::new(columns(matrix)?),
            upper: Box::new(columns(&splitting.upper.map(|v| -v))?),
            lower: Lower::Columns(Box::new(lower), forward),
            reciprocals: space.vector(&splitting.reciprocals)?,
        })
    }

    /// Draws per sweep for the lower part.
    pub fn draws(&self) -> usize {
        match &self.lower {
            Lower::Points(_, draws) => draws.len(),
            Lower::Columns(_, forward) => forward.draws(),
        }
    }

    /// D⁻¹b, the input of every sweep.
    pub fn scale(&self, space: &TextureSpace, b: &Stream) -> Result<Stream, StreamError> {
        let scaled = space.zeros()?;
        space.combine(Operation::Multiply, (1.0, b), (1.0, &self.reciprocals), &scaled)?;
        Ok(scaled)
    }

    /// One sweep: x ← (D + L)⁻¹ (b − U x), where `scaled` is D⁻¹b.
    pub fn sweep(
        &self,
        space: &TextureSpace,
        scaled: &Stream,
        x: &mut Stream,
    ) -> Result<(), StreamError> {
        space.with_spare(|product| {
            // §5.2, with b: x ← D⁻¹b − D⁻¹U x
            self.upper.multiply(x, product)?;
            space.combine(Operation::Add, (1.0, product), (1.0, scaled), x)
        })?;
        // §5.2: x_i ← x_i − (D⁻¹L)_ij x_j for all i > j, once x_j is final
        match &self.lower {
            Lower::Columns(lower, forward) => forward.solve(lower, x),
            Lower::Points(kernel, draws) => draws.iter().try_for_each(|points| {
                Pass::new(kernel).read("x", x).read("before", x).feedback().draw(x, points)
            }),
        }
    }

    /// Sweeps until the residual is within the tolerance.
    pub fn solve(
        &self,
        space: &TextureSpace,
        b: &Stream,
        x: &mut Stream,
        criteria: &Criteria,
        observer: impl FnMut(&Progress<'_, Stream>),
    ) -> Result<Outcome, StreamError> {
        let scaled = self.scale(space, b)?;
        let sweep = |x: &mut Stream| self.sweep(space, &scaled, x);
        iterate(space, &self.matrix, sweep, b, x, criteria, observer)
    }
}

/// Subtracts one column from the rows of `rows`.
pub(super) fn substitute(
    kernel: &Kernel,
    matrix: &ColumnMatrix,
    column: usize,
    x: &Stream,
    rows: &Rects,
) -> Result<(), StreamError> {
    let layout = matrix.tiles.layout;
    Pass::new(kernel)
        .read("a", matrix.stream())
        .read("x", x)
        .read("before", x)
        .set("tile", matrix.tiles.corner(column))
        .set("place", layout.centre(column))
        .feedback()
        .draw(x, rows)
}

/// Solves with lower triangles whose diagonal is all ones.
pub(super) struct Forward {
    kernel: Rc<Kernel>,
    /// The rows below each column's diagonal entry; the last column has none.
    below: Vec<Rects>,
}

impl Forward {
    /// Creates it for matrices with these tiles, one entry per texel.
    pub fn new(machine: &Machine, tiles: Tiles) -> Result<Self, StreamError> {
        let (layout, n) = (tiles.layout, tiles.layout.length());
        let below = |column| machine.rects(&layout.rectangles_of(column + 1..n));
        Ok(Self {
            kernel: machine.kernel(&SUBSTITUTE, &[])?,
            below: (0..n - 1).map(below).collect::<Result<_, _>>()?,
        })
    }

    /// Draws per substitution.
    pub fn draws(&self) -> usize {
        self.below.len()
    }

    /// x ← L⁻¹ x, where L is the part below the matrix's diagonal plus the identity.
    pub fn solve(&self, matrix: &ColumnMatrix, x: &Stream) -> Result<(), StreamError> {
        let mut columns = self.below.iter().enumerate();
        columns.try_for_each(|(column, rows)| substitute(&self.kernel, matrix, column, x, rows))
    }
}

/// Repeats `sweep` on x until b − A x, recomputed each time, is within the tolerance: a stationary
/// method in any space. For b = 0 the result is x = 0 at once. `observer` is called at the start and
/// after every sweep.
pub(super) fn iterate<S: VectorSpace>(
    space: &S,
    operator: &dyn Operator<S>,
    mut sweep: impl FnMut(&mut S::Vector) -> Result<(), S::Error>,
    b: &S::Vector,
    x: &mut S::Vector,
    criteria: &Criteria,
    mut observer: impl FnMut(&Progress<'_, S::Vector>),
) -> Result<Outcome, S::Error> {
    let norm_of_b = space.dot(b, b)?.sqrt();
    if norm_of_b == 0.0 {
        space.copy(b, x)?;
    }
    let tolerance = criteria.tolerance(norm_of_b);
    let (mut product, mut difference) = (space.zeros()?, space.zeros()?);
    let mut residual = |iteration, x: &S::Vector| {
        operator.apply(space, x, &mut product)?;
        space.subtract(b, &product, &mut difference)?;
        let residual = space.dot(&difference, &difference)?.sqrt();
        observer(&Progress { iteration, residual, tolerance, x });
        Ok(residual)
    };
    let first = residual(0, x)?;
    multigrid::iterate(criteria, tolerance, first, |iteration| {
        sweep(x)?;
        residual(iteration, x)
    })
}
