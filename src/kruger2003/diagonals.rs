//! Matrices as sets of diagonals (Krüger and Westermann 2003, sections 2, 3.2 and 4.1).
//!
//! Diagonal i starts at column i of the first row; its entry in row j is in column
//! (i + j) mod N. So a diagonal of the upper right part, N − i entries long, continues as the diagonal
//! of the lower left part that starts at row N − i and has i entries: the two share a vector of
//! exactly N entries, a texture laid out like x. Diagonals without a non-zero entry are
//! dropped; if one half of such a pair is missing, zeros replace it.
//!
//! Here N is the number of entries that the texture can hold ([`Layout::capacity`]): a matrix
//! whose order does not fill a texture is extended by empty rows and columns. Then (i + j) mod N is
//! a step of whole texels, rows and (with four entries per texel) channels, computed without division.
//!
//! The transpose does not move data: the entry of diagonal i that multiplies x_(i+j) and is added to row
//! j multiplies x_j in the transpose and is added to row i + j. Seen from row j: entry j − i of the
//! diagonal and of x, both shifted by N − i, the number of the transpose's diagonal.

use std::collections::BTreeMap;

use crate::solver::{Csr, Real};
use crate::stream::{Layout, Machine, Pass, Rects, Size, Source, Stream, StreamError, source};

use super::operators::{Accumulator, Step, check_bytes, check_channels, check_shape, square};
use super::{Error, Matrix, ProductOptions};

const DIAGONALS: Source = source!(kruger2003, "matrices/diagonals");

/// Largest number of diagonals per pass: ten with one entry per texel fit the arithmetic slots of pixel shader 2.0.
pub const MOST_DIAGONALS: usize = 10;

/// Number of diagonals per pass that fit the paper's card: most of those that do not start at a texel need a
/// second fetch, and their channels have to be moved.
pub fn fitting(layout: Layout) -> usize {
    if layout.channels() == 1 { MOST_DIAGONALS } else { 2 }
}

/// Inputs of a program for each diagonal of a pass, and for its shift. The layout quarters has more per pass.
pub(crate) const INPUTS: [(&str, &str); 14] = {
    macro_rules! of {
        ($($n:literal)+) => { [$((concat!("d", $n), concat!("shift", $n))),+] };
    }
    of!(0 1 2 3 4 5 6 7 8 9 10 11 12 13)
};

/// The diagonals of a square matrix in main memory, in the order of the textures.
///
/// A matrix of order four, whose diagonal 1 ends in the first column:
///
/// ```
/// use fragstream::kruger2003::diagonals::Diagonals;
/// use fragstream::solver::Csr;
///
/// let rows = [[1.0, 2.0, 0.0, 0.0], [0.0, 3.0, 4.0, 0.0], [0.0, 0.0, 5.0, 6.0], [7.0, 0.0, 0.0, 8.0]];
/// let all = (0..16).map(|k| (k / 4, k % 4, rows[k / 4][k % 4]));
/// let matrix = Csr::from_triplets(4, 4, all.filter(|&(_, _, entry)| entry != 0.0))?;
/// let diagonals = Diagonals::new(&matrix, 4);
/// assert_eq!(diagonals.entries[&0], [1.0, 3.0, 5.0, 8.0]);
/// // Row 3 in column (1 + 3) mod 4.
/// assert_eq!(diagonals.entries[&1], [2.0, 4.0, 6.0, 7.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Diagonals<T> {
    /// N: the length of each diagonal and its counterpart together.
    pub order: usize,
    /// The non-zero diagonals by number, with the entry of row j at index j.
    pub entries: BTreeMap<usize, Vec<T>>,
}

impl<T: Real> Diagonals<T> {
    /// The diagonals of a matrix, extended to this order by empty rows and columns.
    ///
    /// # Panics
    /// If `order` is smaller than the matrix.
    pub fn new(matrix: &Csr<T>, order: usize) -> Self {
        assert!(order >= matrix.rows().max(matrix.columns()));
        let mut entries = BTreeMap::new();
        for (row, column, value) in matrix.triplets().filter(|&(_, _, v)| v != T::ZERO) {
            let number = number(row, column, order);
            let diagonal = entries.entry(number).or_insert_with(|| vec![T::ZERO; order]);
            diagonal[row] = value;
        }
        Self { order, entries }
    }
}

/// The number of the diagonal that contains an entry.
pub(crate) fn number(row: usize, column: usize, order: usize) -> usize {
    // §2: row j, column (i + j) mod N: i = (column − row) mod N
    match column.checked_sub(row) {
        Some(number) => number,
        None => order + column - row,
    }
}

/// Number of non-zero diagonals, in textures with room for `order` entries.
pub(crate) fn count(matrix: &Csr<f64>, order: usize) -> usize {
    let mut is_there = vec![false; order];
    for (row, column, _) in matrix.triplets().filter(|&(_, _, v)| v != 0.0) {
        is_there[number(row, column, order)] = true;
    }
    is_there.into_iter().filter(|&is| is).count()
}

/// A diagonal in a texture.
struct Diagonal {
    number: usize,
    stream: Stream,
}

/// A matrix as diagonals in textures.
pub struct DiagonalMatrix {
    machine: Machine,
    layout: Layout,
    diagonals: Vec<Diagonal>,
    full: Rects,
    per_pass: usize,
    accumulator: Accumulator,
}

impl DiagonalMatrix {
    /// Uploads a matrix for vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        options: ProductOptions,
    ) -> Result<Self, Error> {
        check_shape(layout, matrix.rows(), matrix.columns())?;
        let order = layout.capacity();
        let count = count(matrix, order);
        check_bytes(
            format!("a matrix with {count} diagonals of {order} entries"),
            count as u64 * order as u64 * size_of::<f32>() as u64,
            "its entries are scattered: store it as vertices",
        )?;
        let diagonals = Diagonals::new(&matrix.cast::<f32>(), order);
        Self::from_diagonals(machine, layout, &diagonals, options)
    }

    /// Uploads diagonals unchanged: each as long as the texture's capacity. Entries of rows and
    /// columns beyond the vector's length must be zero.
    pub fn from_diagonals(
        machine: &Machine,
        layout: Layout,
        diagonals: &Diagonals<f32>,
        options: ProductOptions,
    ) -> Result<Self, Error> {
        layout.check(machine)?;
        check_channels(layout)?;
        let order = diagonals.order;
        if order != layout.capacity() || diagonals.entries.keys().any(|&number| number >= order) {
            return Err(Error::Shape { rows: order, columns: order, length: layout.capacity() });
        }
        let per_pass = options.per_pass("diagonals", MOST_DIAGONALS)?;
        let (size, format) = (layout.size(), layout.format());
        let upload = |(&number, entries): (&usize, &Vec<f32>)| {
            let label = format!("diagonal {number}");
            let stream = Stream::from_data(machine, &label, size, format, entries)?;
            Ok(Diagonal { number, stream })
        };
        let diagonals = diagonals.entries.iter().map(upload);
        let diagonals = diagonals.collect::<Result<Vec<_>, StreamError>>()?;
        Ok(Self {
            machine: machine.clone(),
            layout,
            diagonals,
            full: machine.rects(&layout.rectangles())?,
            per_pass,
            accumulator: Accumulator::new(machine, options.accumulation, size, format)?,
        })
    }

    /// The numbers of the stored diagonals.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.diagonals.iter().map(|diagonal| diagonal.number)
    }

    /// The diagonals' textures with their names.
    pub fn streams(&self) -> impl Iterator<Item = (String, &Stream)> {
        let named = |diagonal: &'_ Diagonal| format!("diagonal {}", diagonal.number);
        let diagonals = self.diagonals.iter();
        diagonals.map(move |diagonal| (named(diagonal), &diagonal.stream))
    }

    /// Passes per product.
    pub fn passes(&self) -> usize {
        self.diagonals.len().div_ceil(self.per_pass)
    }

    /// The transpose: the same textures, read at shifted positions.
    pub fn transpose(&self) -> Transpose<'_> {
        Transpose(self)
    }

    fn product(&self, x: &Stream, y: &mut Stream, transposed: bool) -> Result<(), StreamError> {
        x.expect("x", self.layout)?;
        y.expect("y", self.layout)?;
        if self.diagonals.is_empty() {
            y.fill([0.0; 4]);
        }
        self.accumulator.run(self.passes(), y, |step| self.draw(&step, x, transposed))
    }

    fn draw(&self, step: &Step<'_>, x: &Stream, transposed: bool) -> Result<(), StreamError> {
        let own = self.diagonals.chunks(self.per_pass).nth(step.number);
        let own = own.unwrap_or_default();
        let shifts = own.iter().map(|d| shift(self.layout, d.number, transposed));
        let shifts: Vec<_> = shifts.collect();
        let count = own.len().to_string();
        let mut defines = vec![("DIAGONALS", count.as_str())];
        let variants = [
            ("CONTINUED", step.number > 0),
            ("TRANSPOSED", transposed),
            ("UNALIGNED", shifts.iter().any(|shift| shift[2] > 0.0)),
        ];
        defines.extend(variants.iter().filter(|v| v.1).map(|v| (v.0, "1")));
        let kernel = self.machine.kernel(&DIAGONALS, &defines)?;
        // §3.2: y_j ← y_j + Σ_i d_i[j] x_((i + j) mod N), over the diagonals i of this pass
        let mut pass = step.fill(Pass::new(&kernel)).read("x", x).set("size", self.layout.size());
        // Every declared input must be given, including those that this variant does not read.
        for (slot, (stream, shift)) in INPUTS.into_iter().take(MOST_DIAGONALS).enumerate() {
            pass = pass
                .read(stream, own.get(slot).map_or(x, |d| &d.stream))
                .set(shift, shifts.get(slot).copied().unwrap_or_default());
        }
        pass.draw(step.target, &self.full)
    }
}

/// Shift of a diagonal from the current entry: columns, rows and channels.
fn shift(layout: Layout, number: usize, transposed: bool) -> [f32; 3] {
    let number = if transposed { layout.capacity() - number } else { number };
    let ([column, row], channel) = layout.place(number);
    [column as f32, row as f32, channel as f32]
}

impl Matrix for DiagonalMatrix {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.product(x, y, false)
    }
}

/// The transpose of a matrix as diagonals, which shares all its textures.
#[derive(Clone, Copy)]
pub struct Transpose<'a>(&'a DiagonalMatrix);

impl Matrix for Transpose<'_> {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.0.product(x, y, true)
    }
}

/// The matrix of both simulations (section 6): the five-point stencil of a grid without neighbours outside the edges.
///
/// D − a L for a grid of cells, row by row from the bottom: L sums the differences to the
/// existing neighbours of a cell, so that nothing flows through an edge. `diagonal` is the entry of D
/// for a cell, given its number of faces on edges.
///
/// The matrix is symmetric. On the grid it has five diagonals: the main one, and one each for the
/// neighbours on the right and left, above and below. (The paper counts six, with the counterparts
/// that come with them.)
pub(crate) fn five_point(
    (width, height): Size,
    a: f64,
    diagonal: impl Fn(usize) -> f64,
) -> Csr<f64> {
    let (w, h) = (width as usize, height as usize);
    let mut triplets = Vec::with_capacity(5 * w * h);
    for cell in 0..w * h {
        let (x, y) = (cell % w, cell / w);
        let neighbours = [
            (y > 0).then(|| cell - w),
            (x > 0).then(|| cell - 1),
            (x + 1 < w).then(|| cell + 1),
            (y + 1 < h).then(|| cell + w),
        ];
        let count = neighbours.iter().flatten().count();
        triplets.push((cell, cell, diagonal(4 - count) + a * count as f64));
        let existing = neighbours.into_iter().flatten();
        triplets.extend(existing.map(|neighbour| (cell, neighbour, -a)));
    }
    square(w * h, triplets)
}
