//! Triangular systems on the column layout, column by column, with the solution both target and texture:
//! the in-place sweep of Krüger and Westermann 2003, section 5.2, which also solves with the factors of an
//! LU decomposition (section 7).
//!
//! Once x_j is known, column j times x_j is subtracted from all rows that still depend on it: one draw per column,
//! over the rectangles of those rows alone. So one texture can hold both triangles, and its other
//! entries do not matter. No draw writes the entry that it reads, and a barrier makes earlier draws
//! visible: feedback in the sense of [`Pass::feedback`].

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Pass, Rects, Source, Stream, StreamError, source};

use crate::kruger2003::ColumnMatrix;
use crate::kruger2003::matrices::columns::Tiles;

const SUBSTITUTE: Source = source!("kruger2003/solvers/substitute");
const DIVIDE_BY_PIVOTS: Source = source!("kruger2003/solvers/divide_by_pivots");

/// Subtracts one column from the rows of `rows`.
fn substitute(
    kernel: &Kernel,
    matrix: &ColumnMatrix,
    column: usize,
    x: &Stream,
    rows: &Rects,
) -> Result<(), StreamError> {
    let layout = matrix.tiles.layout;
    let ([across, up], (width, height)) = (matrix.tiles.tile(column), layout.size());
    Pass::new(kernel)
        .read("a", matrix.stream())
        .read("x", x)
        .read("before", x)
        .set("tile", [(across * width) as f32, (up * height) as f32])
        .set("place", layout.centre(column))
        .feedback()
        .draw(x, rows)
}

/// Solves with lower triangles whose diagonal is all ones.
pub(crate) struct Forward {
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

/// Solves with upper triangles.
pub(crate) struct Back {
    kernel: Rc<Kernel>,
    divide: Rc<Kernel>,
    /// The rows above the diagonal entry of each column from the second on.
    above: Vec<Rects>,
    all: Rects,
}

impl Back {
    /// Creates it for matrices with these tiles, one entry per texel.
    pub fn new(machine: &Machine, tiles: Tiles) -> Result<Self, StreamError> {
        let (layout, n) = (tiles.layout, tiles.layout.length());
        let rows = |count| machine.rects(&layout.rectangles_of(0..count));
        Ok(Self {
            kernel: machine.kernel(&SUBSTITUTE, &[("DIVIDED", "1")])?,
            divide: machine.kernel(&DIVIDE_BY_PIVOTS, &[])?,
            above: (1..n).map(rows).collect::<Result<_, _>>()?,
            // Padding has no pivot to divide by.
            all: rows(n)?,
        })
    }

    /// x ← U⁻¹ x, where U is the part on and above the matrix's diagonal.
    ///
    /// All divisions on which no other row depends are left to a last pass over all rows.
    pub fn solve(&self, matrix: &ColumnMatrix, x: &Stream) -> Result<(), StreamError> {
        for (before, rows) in self.above.iter().enumerate().rev() {
            substitute(&self.kernel, matrix, before + 1, x, rows)?;
        }
        Pass::new(&self.divide)
            .read("a", matrix.stream())
            .read("x", x)
            .set("size", matrix.tiles.layout.size())
            .set("across", matrix.tiles.across as f32)
            .feedback()
            .draw(x, &self.all)
    }
}
