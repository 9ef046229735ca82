//! Dense matrices as columns (Krüger and Westermann 2003, sections 3.2 and 7).
//!
//! A column is laid out like a vector. In the paper every column is a texture of its own, and a pass takes one
//! ([`ColumnTextures`]). fragstream's variant ([`ColumnMatrix`]) has all columns as tiles of one texture, so that a
//! program can take many of them per pass, up to the limit of its instructions. The columns of a pass are in one row
//! of tiles: from one to the next a program only adds the width of a tile.
//!
//! The product of two matrices is the paper's future work: column k of C = A B is A times column k of B. A pass over
//! the texture multiplies A by all columns of B at once, taking as many columns of A as the matrix–vector product.

use std::ops::Range;
use std::rc::Rc;

use crate::solver::Csr;
use crate::stream::{
    Format, Kernel, Layout, Machine, Pass, Rects, Size, Source, Stream, StreamError, source,
};

use super::operators::{Accumulator, check_bytes, check_channels, check_shape};
use super::vertices::expect_single;
use super::{Accumulation, Error, Matrix, ProductOptions};

const COLUMN: Source = source!(kruger2003, "matrices/column");
const COLUMNS: Source = source!(kruger2003, "matrices/columns");
const MATRIX_PRODUCT: Source = source!(kruger2003, "matrices/matrix_product");

/// Largest number of columns per pass, of about seven instructions each.
pub(crate) const MOST_COLUMNS: usize = 64;

/// Number of columns per pass, with one entry per texel, that fit the paper's card.
pub(crate) const FITTING: usize = 12;

/// Remedy for a matrix that is too large for columns with one entry per texel.
const QUADS: &str = "with four entries per texel it fits (Format::Rgba32F)";

/// Remedy for a matrix that is too large for columns.
const SPARSE: &str = "if it is sparse, store it as vertices or as diagonals";

/// A dense matrix with one texture per column.
pub struct ColumnTextures {
    layout: Layout,
    full: Rects,
    columns: Vec<Stream>,
    /// The programs of the first pass and of the other passes.
    kernels: [Rc<Kernel>; 2],
    accumulator: Accumulator,
}

impl ColumnTextures {
    /// Uploads a matrix for vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        accumulation: Accumulation,
    ) -> Result<Self, Error> {
        check_shape(layout, matrix.rows(), matrix.columns())?;
        let transpose = matrix.transpose();
        Self::of_columns(machine, layout, accumulation, |column| {
            let mut entries = vec![0.0; layout.length()];
            for (row, value) in transpose.row(column) {
                entries[row] = value as f32;
            }
            entries
        })
    }

    /// Creates the matrix with these columns, given by number.
    pub fn of_columns(
        machine: &Machine,
        layout: Layout,
        accumulation: Accumulation,
        column: impl Fn(usize) -> Vec<f32>,
    ) -> Result<Self, Error> {
        layout.check(machine)?;
        check_channels(layout)?;
        let (order, (size, format)) = (layout.length(), (layout.size(), layout.format()));
        let texels = u64::from(size.0) * u64::from(size.1);
        let what = format!("a dense matrix with {order} columns");
        check_bytes(what, order as u64 * texels * format.bytes() as u64, SPARSE)?;
        let columns =
            (0..order).map(|n| Stream::from_entries(machine, "column", layout, &column(n)));
        Ok(Self {
            layout,
            full: machine.rects(&layout.rectangles())?,
            columns: columns.collect::<Result<_, _>>()?,
            kernels: [
                machine.kernel(&COLUMN, &[])?,
                machine.kernel(&COLUMN, &[("CONTINUED", "1")])?,
            ],
            accumulator: Accumulator::new(machine, accumulation, size, format)?,
        })
    }
}

impl Matrix for ColumnTextures {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        x.expect("x", self.layout)?;
        y.expect("y", self.layout)?;
        // §3.2: y ← y + a_j x_j, where a_j is column j, one per pass
        self.accumulator.run(self.columns.len(), y, |step| {
            let mut channel = [0.0; 4];
            channel[self.layout.place(step.number).1] = 1.0;
            let kernel = &self.kernels[usize::from(step.number > 0)];
            step.fill(Pass::new(kernel))
                .read("column", &self.columns[step.number])
                .read("x", x)
                .set("entry", self.layout.centre(step.number))
                .set("channel", channel)
                .draw(step.target, &self.full)
        })
    }
}

/// Layout of a matrix's columns in their texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiles {
    /// The layout of each column.
    pub layout: Layout,
    /// Number of columns, rounded up to whole records of a vector.
    pub count: usize,
    /// Tiles per row.
    pub across: usize,
}

impl Tiles {
    /// As many tiles as columns, for any driver: in a nearly square arrangement whose rows are whole passes.
    pub fn of(layout: Layout) -> Self {
        let count = layout.length().next_multiple_of(layout.channels());
        let across = (count as f64).sqrt().ceil() as usize;
        Self { layout, count, across: across.next_multiple_of(MOST_COLUMNS).min(count) }
    }

    /// The columns of each pass: this many, or as many as are left in a row of tiles.
    pub fn passes(&self, per_pass: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let Self { count, across, .. } = *self;
        (0..count).step_by(across).flat_map(move |row| {
            let end = count.min(row + across);
            let firsts = (row..end).step_by(per_pass);
            firsts.map(move |first| first..end.min(first + per_pass))
        })
    }

    /// Tiles a matrix, if this driver supports textures that large.
    pub fn new(machine: &Machine, layout: Layout) -> Result<Self, Error> {
        let tiles = Self::of(layout);
        let limit = machine.description().rectangle_limit;
        let what = format!("a dense matrix with {} columns", layout.length());
        let (width, height) = tiles.sides();
        if width.max(height) > u64::from(limit) {
            let quads = Layout::square(layout.length(), Format::Rgba32F)?;
            let fits = layout != quads && Self::new(machine, quads).is_ok();
            return Err(StreamError::TooLarge {
                what,
                width,
                height,
                limit,
                remedy: if fits { QUADS } else { SPARSE }.into(),
            }
            .into());
        }
        let bytes = width * height * layout.format().bytes() as u64;
        check_bytes(what, bytes, SPARSE)?;
        Ok(tiles)
    }

    /// Columns and rows of the texture.
    pub fn sides(&self) -> (u64, u64) {
        let (width, height) = self.layout.size();
        let rows = self.count.div_ceil(self.across) as u64;
        (self.across as u64 * u64::from(width), rows * u64::from(height))
    }

    /// The size of the texture, for tiles within the limit.
    pub fn size(&self) -> Size {
        let (width, height) = self.sides();
        (width as u32, height as u32)
    }

    /// The tile of a column: its column and row among the tiles.
    pub fn tile(&self, column: usize) -> [u32; 2] {
        [(column % self.across) as u32, (column / self.across) as u32]
    }

    /// The lower left corner of the tile of a column, in texels.
    pub fn corner(&self, column: usize) -> [f32; 2] {
        let ([across, up], (width, height)) = (self.tile(column), self.layout.size());
        [(across * width) as f32, (up * height) as f32]
    }

    /// Index of an entry in the data of the texture.
    pub fn index(&self, row: usize, column: usize) -> usize {
        let ([x, y], channel) = self.layout.place(row);
        let ([across, up], (width, height)) = (self.tile(column), self.layout.size());
        let x = across as usize * width as usize + x as usize;
        let y = up as usize * height as usize + y as usize;
        (y * self.across * width as usize + x) * self.layout.channels() + channel
    }
}

/// A dense matrix as columns in one texture.
pub struct ColumnMatrix {
    pub(crate) machine: Machine,
    pub(crate) tiles: Tiles,
    full: Rects,
    pub(crate) columns: Stream,
    per_pass: usize,
    accumulator: Accumulator,
}

impl ColumnMatrix {
    /// Uploads a matrix for vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        options: ProductOptions,
    ) -> Result<Self, Error> {
        check_shape(layout, matrix.rows(), matrix.columns())?;
        let this = Self::zeros(machine, layout, options)?;
        let texels = this.columns.full().area() as usize;
        let mut data = vec![0.0; texels * layout.channels()];
        for (row, column, value) in matrix.triplets() {
            data[this.tiles.index(row, column)] = value as f32;
        }
        this.columns.write(&data)?;
        Ok(this)
    }

    /// Creates a matrix of zeros.
    pub fn zeros(
        machine: &Machine,
        layout: Layout,
        options: ProductOptions,
    ) -> Result<Self, Error> {
        layout.check(machine)?;
        check_channels(layout)?;
        let per_pass = options.per_pass("columns", MOST_COLUMNS)?;
        let tiles = Tiles::new(machine, layout)?;
        let (size, format) = (layout.size(), layout.format());
        Ok(Self {
            machine: machine.clone(),
            tiles,
            full: machine.rects(&layout.rectangles())?,
            columns: Stream::zeros(machine, "columns", tiles.size(), format)?,
            // A record of x has the factors of as many columns as it has entries.
            per_pass: per_pass.next_multiple_of(layout.channels()),
            accumulator: Accumulator::new(machine, options.accumulation, size, format)?,
        })
    }

    /// The texture with all columns.
    pub fn stream(&self) -> &Stream {
        &self.columns
    }

    /// Reads all entries back, row by row.
    pub fn read(&self) -> Result<Vec<f32>, Error> {
        let data = self.columns.read()?;
        let n = self.tiles.layout.length();
        let entry = |k: usize| data[self.tiles.index(k / n, k % n)];
        Ok((0..n * n).map(entry).collect())
    }

    /// Passes per product.
    pub fn passes(&self) -> usize {
        self.tiles.passes(self.per_pass).count()
    }
}

impl Matrix for ColumnMatrix {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        x.expect("x", self.tiles.layout)?;
        y.expect("y", self.tiles.layout)?;
        let inputs = [("columns", &self.columns), ("x", x)];
        self.draw(&COLUMNS, inputs, &self.accumulator, (y, &self.full))
    }
}

impl ColumnMatrix {
    /// c ← A B, all of one layout with one entry per texel.
    pub fn multiply_matrix(&self, b: &Self, c: &mut Self) -> Result<(), Error> {
        let layout = self.tiles.layout;
        expect_single("a product of two matrices", layout)?;
        layout.expect("the second matrix", b.tiles.layout)?;
        layout.expect("the result", c.tiles.layout)?;
        let (size, format) = (self.columns.size(), self.columns.format());
        let sum = Accumulator::new(&self.machine, Accumulation::PingPong, size, format)?;
        let whole = self.machine.rect(self.columns.full())?;
        let inputs = [("a", &self.columns), ("b", &b.columns)];
        // §7: c_k = Σ_j a_j b_jk, for all columns k of C = A B at once
        Ok(self.draw(&MATRIX_PRODUCT, inputs, &sum, (&c.columns, &whole))?)
    }

    /// Draws a program that sums over the columns of each pass.
    fn draw(
        &self,
        program: &Source,
        inputs: [(&str, &Stream); 2],
        sum: &Accumulator,
        (target, extent): (&Stream, &Rects),
    ) -> Result<(), StreamError> {
        let layout = self.tiles.layout;
        let mut passes = self.tiles.passes(self.per_pass);
        sum.run(self.passes(), target, |step| {
            let columns = passes.next().unwrap_or_default();
            let count = format!("{}.0", columns.len());
            let variants = [("CONTINUED", step.number > 0), ("QUADS", layout.channels() == 4)];
            let mut defines = vec![("COLUMNS", count.as_str())];
            defines.extend(variants.iter().filter(|v| v.1).map(|v| (v.0, "1")));
            let kernel = self.machine.kernel(program, &defines)?;
            let pass = step.fill(Pass::new(&kernel));
            let pass = inputs.iter().fold(pass, |pass, (name, x)| pass.read(name, x));
            pass.set("size", layout.size())
                .set("first_tile", self.tiles.corner(columns.start))
                .set("first_entry", layout.centre(columns.start))
                .draw(step.target, extent)
        })
    }
}
