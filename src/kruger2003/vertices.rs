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
//!
//! If every column has the same band, the vertices of one column serve for all ([`BandMatrix`]): the vertex
//! program adds an offset to place them. Columns at the ends of a grid's rows, and of the grid, lack
//! part of the band; each distinct pattern of entries is stored once. Drawn column by column, in
//! place: one draw per column, but almost no memory.

use std::collections::HashMap;
use std::rc::Rc;

use crate::base::order::ShortSort;
use crate::solver::Csr;
use crate::stream::{
    Kernel, Layout, Machine, Pass, Point, Points, Source, Stream, StreamError, source,
};

use super::operators::{Accumulator, check_shape};
use super::{Accumulation, Error, Matrix};

pub(crate) const VERTICES: Source = source!(kruger2003, "matrices/vertices");

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
    ) -> Result<Self, Error> {
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
            step.fill(Pass::new(kernel)).read("x", x).draw(step.target, &self.sets[step.number])
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
pub(crate) fn expect_single(what: &'static str, layout: Layout) -> Result<(), Error> {
    if layout.channels() == 1 {
        return Ok(());
    }
    Err(Error::Format { what, got: layout.format(), needed: "Format::R32F" })
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
) -> Result<Points, Error> {
    // §4.2, Fig. 5: a_ij is a vertex at y_i with the colour a_ij, which fetches x_j
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

/// A banded matrix as a few sets of vertices that are rendered with offsets.
pub struct BandMatrix {
    layout: Layout,
    patterns: Vec<Points>,
    /// Index of each column's pattern.
    pattern_of: Vec<usize>,
    kernel: Rc<Kernel>,
}

impl BandMatrix {
    /// Finds the patterns of a matrix's columns and uploads each once. The layout must hold one
    /// entry per texel.
    pub fn new(machine: &Machine, layout: Layout, matrix: &Csr<f64>) -> Result<Self, Error> {
        expect_single("a set of vertices", layout)?;
        check_shape(layout, matrix.rows(), matrix.columns())?;
        layout.check(machine)?;
        // The columns are the rows of the transpose.
        let columns = matrix.transpose();
        let mut numbers: HashMap<Vec<(i64, u32)>, usize> = HashMap::new();
        let mut pattern_of = Vec::with_capacity(columns.rows());
        for column in 0..columns.rows() {
            let entries = columns.row(column).filter(|&(_, value)| value != 0.0);
            let pattern = entries
                .map(|(row, value)| (row as i64 - column as i64, (value as f32).to_bits()))
                .collect();
            let next = numbers.len();
            pattern_of.push(*numbers.entry(pattern).or_insert(next));
        }
        let mut patterns: Vec<_> = numbers.into_iter().collect();
        patterns.order_by_key(|&(_, number)| number);
        let patterns = patterns
            .iter()
            .map(|(pattern, _)| upload_column(machine, layout, pattern))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            layout,
            patterns,
            pattern_of,
            kernel: machine.kernel(&VERTICES.for_points(), &[])?,
        })
    }

    /// Number of different columns, that is, of stored sets of vertices.
    pub fn patterns(&self) -> usize {
        self.patterns.len()
    }

    /// Number of stored vertices.
    pub fn vertices(&self) -> u64 {
        self.patterns.iter().map(Points::count).sum()
    }
}

/// Uploads the points of column 0: distances are rows below the diagonal.
fn upload_column(
    machine: &Machine,
    layout: Layout,
    pattern: &[(i64, u32)],
) -> Result<Points, Error> {
    let width = i64::from(layout.size().0);
    let points: Vec<Point> = pattern
        .iter()
        .map(|&(distance, bits)| Point {
            // A texture is smaller than 2^31 texels per side.
            target: [distance.rem_euclid(width) as i32, distance.div_euclid(width) as i32],
            value: f32::from_bits(bits),
            source: [0, 0],
        })
        .collect();
    Ok(machine.points(&points)?)
}

impl Matrix for BandMatrix {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        x.expect("x", self.layout)?;
        y.expect("y", self.layout)?;
        y.fill([0.0; 4]);
        for (column, &pattern) in self.pattern_of.iter().enumerate() {
            // §4.2: y_(j+d) ← y_(j+d) + a_d x_j, the vertices of distance d moved to column j
            let offset = self.layout.place(column).0.map(|v| v as i32);
            Pass::new(&self.kernel)
                .read("x", x)
                .read("before", y)
                .feedback()
                .draw(y, self.patterns[pattern].moved_by(offset))?;
        }
        Ok(())
    }
}
