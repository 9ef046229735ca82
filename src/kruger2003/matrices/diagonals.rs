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
//! On large textures most of that computation is saved: an inner rectangle, in which every diagonal reads
//! at a fixed offset, is drawn separately from the rest.
//!
//! The transpose does not move data: the entry of diagonal i that multiplies x_(i+j) and is added to row
//! j multiplies x_j in the transpose and is added to row i + j. Seen from row j: entry j − i of the
//! diagonal and of x, both shifted by N − i, the number of the transpose's diagonal.

mod inner;

use std::collections::BTreeMap;

use crate::solver::{Csr, Real};
use crate::stream::{Layout, Machine, Pass, Rect, Rects, Source, Stream, StreamError, source};

use crate::kruger2003::vectors::accumulate::{Accumulation, Accumulator, Step};
use crate::kruger2003::vectors::operations::{
    check_a_pass, check_bytes, check_channels, check_shape,
};
use crate::kruger2003::{AlgebraError, Matrix};
use inner::Inner;

const DIAGONALS: Source = source!("kruger2003/matrices/diagonals");

/// Largest number of diagonals per pass: of the sixteen texture units, x and the partial sum need two.
pub const MOST_A_PASS: usize = 14;

/// The inputs of the program for each diagonal of a pass, and for its shift.
pub(crate) const INPUTS: [(&str, &str); MOST_A_PASS] = [
    ("d0", "shift0"),
    ("d1", "shift1"),
    ("d2", "shift2"),
    ("d3", "shift3"),
    ("d4", "shift4"),
    ("d5", "shift5"),
    ("d6", "shift6"),
    ("d7", "shift7"),
    ("d8", "shift8"),
    ("d9", "shift9"),
    ("d10", "shift10"),
    ("d11", "shift11"),
    ("d12", "shift12"),
    ("d13", "shift13"),
];

/// The diagonals of a square matrix in main memory, in the order of the textures.
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
            let diagonal = entries
                .entry(number)
                .or_insert_with(|| vec![T::ZERO; order]);
            diagonal[row] = value;
        }
        Self { order, entries }
    }
}

/// The number of the diagonal that contains an entry.
pub(crate) fn number(row: usize, column: usize, order: usize) -> usize {
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

/// Fails if `count` diagonals take too much memory.
fn check_count(layout: Layout, count: usize) -> Result<(), AlgebraError> {
    check_bytes(
        format!(
            "a matrix with {count} diagonals of {} entries",
            layout.capacity()
        ),
        count as u64 * layout.capacity() as u64 * size_of::<f32>() as u64,
        "its entries are scattered: store it as vertices",
    )
}

/// Options of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagonalOptions {
    /// Diagonals per pass, at most [`MOST_A_PASS`], which is the default.
    pub a_pass: usize,
    /// Accumulation of the sum over the passes.
    pub accumulation: Accumulation,
}

impl Default for DiagonalOptions {
    fn default() -> Self {
        Self {
            a_pass: MOST_A_PASS,
            accumulation: Accumulation::default(),
        }
    }
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
    /// Draws of the passes of a product and of the transpose's product.
    parts: [Vec<Vec<Draw>>; 2],
    a_pass: usize,
    accumulator: Accumulator,
}

impl DiagonalMatrix {
    /// Uploads a matrix for vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        options: DiagonalOptions,
    ) -> Result<Self, AlgebraError> {
        check_shape(layout, matrix.rows(), matrix.columns())?;
        check_count(layout, count(matrix, layout.capacity()))?;
        let diagonals = Diagonals::new(&matrix.cast::<f32>(), layout.capacity());
        Self::from_diagonals(machine, layout, &diagonals, options)
    }

    /// Uploads diagonals unchanged: each as long as the texture's capacity. Entries of rows and
    /// columns beyond the vector's length must be zero.
    pub fn from_diagonals(
        machine: &Machine,
        layout: Layout,
        diagonals: &Diagonals<f32>,
        options: DiagonalOptions,
    ) -> Result<Self, AlgebraError> {
        layout.check(machine)?;
        check_channels(layout)?;
        let order = diagonals.order;
        if order != layout.capacity() || diagonals.entries.keys().any(|&number| number >= order) {
            return Err(AlgebraError::Shape {
                rows: order,
                columns: order,
                length: layout.capacity(),
            });
        }
        check_count(layout, diagonals.entries.len())?;
        check_a_pass("diagonals", options.a_pass, MOST_A_PASS)?;
        let (size, format) = (layout.size(), layout.format());
        let upload = |(&number, entries): (&usize, &Vec<f32>)| {
            let label = format!("diagonal {number}");
            let stream = Stream::from_data(machine, &label, size, format, entries)?;
            Ok(Diagonal { number, stream })
        };
        let diagonals = diagonals.entries.iter().map(upload);
        let diagonals = diagonals.collect::<Result<Vec<_>, StreamError>>()?;
        let parts = |transposed| -> Result<Vec<_>, StreamError> {
            diagonals
                .chunks(options.a_pass)
                .map(|pass| Draw::parts(machine, layout, pass, transposed))
                .collect()
        };
        Ok(Self {
            machine: machine.clone(),
            layout,
            parts: [parts(false)?, parts(true)?],
            diagonals,
            a_pass: options.a_pass,
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

    /// Passes per product; on large textures each is drawn in two parts.
    pub fn passes(&self) -> usize {
        self.diagonals.len().div_ceil(self.a_pass)
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
        let parts = &self.parts[usize::from(transposed)];
        self.accumulator.run(parts.len(), y, |step| {
            let draws = &parts[step.number];
            draws
                .iter()
                .try_for_each(|draw| self.draw(&step, x, draw, transposed))
        })
    }

    /// A pass, or its part in one rectangle.
    fn draw(
        &self,
        step: &Step<'_>,
        x: &Stream,
        draw: &Draw,
        transposed: bool,
    ) -> Result<(), StreamError> {
        let shifts = &draw.shifts;
        let count = shifts.len().to_string();
        let mut defines = vec![("DIAGONALS", count.as_str())];
        let variants = [
            ("CONTINUED", step.number > 0),
            ("TRANSPOSED", transposed),
            ("UNALIGNED", shifts.iter().any(|shift| shift[2] > 0.0)),
            ("INNER", draw.is_inner),
        ];
        defines.extend(variants.iter().filter(|v| v.1).map(|v| (v.0, "1")));
        let kernel = self.machine.kernel(&DIAGONALS, &defines)?;
        let mut pass = step
            .fill(Pass::new(&kernel))
            .read("x", x)
            .set("size", self.layout.size());
        // Every declared input must be given, including those that this variant does not read.
        let own = &self.diagonals[step.number * self.a_pass..];
        for (slot, (stream, shift)) in INPUTS.into_iter().enumerate() {
            let diagonal = own.get(slot).map_or(x, |d| &d.stream);
            pass = pass
                .read(stream, diagonal)
                .set(shift, shifts.get(slot).copied().unwrap_or_default());
        }
        pass.draw(step.target, &draw.extent)
    }
}

/// Part of a pass that is drawn at once.
struct Draw {
    /// Shift of each diagonal: columns, rows and channels.
    shifts: Vec<[f32; 3]>,
    /// True if these are offsets that are valid everywhere in it.
    is_inner: bool,
    extent: Rects,
}

impl Draw {
    /// Divides a pass with these diagonals: all of it, or its inner rectangle and the area around it.
    fn parts(
        machine: &Machine,
        layout: Layout,
        diagonals: &[Diagonal],
        transposed: bool,
    ) -> Result<Vec<Self>, StreamError> {
        let numbers = diagonals.iter().map(|diagonal| diagonal.number);
        let shifts: Vec<_> = numbers.map(|k| shift(layout, k, transposed)).collect();
        let whole = layout.rectangles();
        let inner = match whole.len() {
            1 => Inner::new(layout.size(), &shifts),
            _ => None,
        };
        let draw = |shifts, is_inner, rects: &[Rect]| -> Result<Self, StreamError> {
            Ok(Self {
                shifts,
                is_inner,
                extent: machine.rects(rects)?,
            })
        };
        let Some(inner) = inner else {
            return Ok(vec![draw(shifts, false, &whole)?]);
        };
        let around = inner.around(layout.size());
        let mut draws = vec![draw(inner.offsets, true, &[inner.rect])?];
        if !around.is_empty() {
            draws.push(draw(shifts, false, &around)?);
        }
        Ok(draws)
    }
}

/// Shift of a diagonal from the current entry: columns, rows and channels.
fn shift(layout: Layout, number: usize, transposed: bool) -> [f32; 3] {
    let number = if transposed {
        layout.capacity() - number
    } else {
        number
    };
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
