//! Sparse matrices as sets of vertices (Krüger and Westermann 2003, section 4.2).
//!
//! Every non-zero entry is a vertex, rendered as a point on the texel of its row; its colour
//! is the entry, its texture coordinate the position of the vector's element for its column.
//! All are in vertex buffers: a product uploads nothing.
//!
//! Several entries of a row must be summed, and there was no blending into float targets. Instead a point
//! reads the partial sum, so no two points of one draw may hit the same row. The paper
//! draws column by column, where this is always true. Here the columns are processed in order,
//! and each entry is assigned the first draw after all others of its row (greedy colouring, which is
//! optimal here: as many draws as the longest row has entries). The sums are the same, in the same
//! order, as column by column.

use std::rc::Rc;

use crate::solver::Csr;
use crate::stream::{
    Kernel, Layout, Machine, Pass, Point, Points, Source, Stream, StreamError, source,
};

use crate::kruger2003::vectors::accumulate::{Accumulation, Accumulator};
use crate::kruger2003::vectors::operations::check_shape;
use crate::kruger2003::{AlgebraError, Matrix};

pub(crate) const VERTICES: Source = source!("kruger2003/matrices/vertices");

/// A sparse matrix as vertices.
pub struct VertexMatrix {
    layout: Layout,
    sets: Vec<Points>,
    kernel: Rc<Kernel>,
    accumulator: Accumulator,
}

impl VertexMatrix {
    /// Uploads a matrix for vectors of this layout, which must hold one entry per texel.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        accumulation: Accumulation,
    ) -> Result<Self, AlgebraError> {
        // A point writes a whole texel.
        expect_single("a set of vertices", layout)?;
        check_shape(layout, matrix.rows(), matrix.columns())?;
        layout.check(machine)?;
        let sets = sets(matrix)
            .iter()
            .map(|set| upload(machine, layout, set))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            layout,
            sets,
            kernel: machine.kernel(&VERTICES.for_points(), &[])?,
            accumulator: Accumulator::new(machine, accumulation, layout.size(), layout.format())?,
        })
    }

    /// Draws per product: the number of entries in the longest row.
    pub fn passes(&self) -> usize {
        self.sets.len()
    }

    /// Draws all sets with a program that reads x and the partial sum.
    pub(crate) fn draw(&self, kernel: &Kernel, x: &Stream, y: &Stream) -> Result<(), StreamError> {
        // Rows without entries are not drawn, and a row's first point reads a zero.
        self.accumulator.clear(y);
        self.accumulator.run(self.sets.len(), y, |step| {
            step.fill(Pass::new(kernel))
                .read("x", x)
                .draw(step.target, &self.sets[step.number])
        })
    }

    /// Vertices in all sets: the number of non-zero entries.
    pub fn vertices(&self) -> u64 {
        self.sets.iter().map(Points::count).sum()
    }
}

impl Matrix for VertexMatrix {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        x.expect("x", self.layout)?;
        y.expect("y", self.layout)?;
        self.draw(&self.kernel, x, y)
    }
}

/// Fails for vectors with more than one entry per texel.
pub(crate) fn expect_single(what: &'static str, layout: Layout) -> Result<(), AlgebraError> {
    if layout.channels() == 1 {
        return Ok(());
    }
    Err(AlgebraError::Format {
        what,
        got: layout.format(),
        needed: "Format::R32F",
    })
}

/// An entry of a matrix: row, column, value.
pub(crate) type Entry = (usize, usize, f64);

/// The entries of each draw. A row with fewer entries than others has them in the last draws, so
/// that each of its points finds the row's sum where the previous draw left it, even if two
/// textures are used alternately.
fn sets(matrix: &Csr<f64>) -> Vec<Vec<Entry>> {
    let rows = || (0..matrix.rows()).map(|row| matrix.row(row).filter(|&(_, v)| v != 0.0));
    let lengths: Vec<usize> = rows().map(Iterator::count).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let mut sets = vec![Vec::new(); longest];
    for (row, (entries, length)) in rows().zip(&lengths).enumerate() {
        let own = &mut sets[longest - length..];
        for (set, (column, value)) in own.iter_mut().zip(entries) {
            set.push((row, column, value));
        }
    }
    sets
}

/// A set of entries as points.
pub(crate) fn upload(
    machine: &Machine,
    layout: Layout,
    entries: &[Entry],
) -> Result<Points, AlgebraError> {
    let place = |entry| layout.place(entry).0.map(|v| v as i32);
    let points: Vec<Point> = entries
        .iter()
        .map(|&(row, column, value)| Point {
            target: place(row),
            value: value as f32,
            source: place(column),
        })
        .collect();
    Ok(machine.points(&points)?)
}
