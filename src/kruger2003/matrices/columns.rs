//! Dense matrices as sets of columns (Krüger and Westermann 2003, section 3.2).
//!
//! A column is laid out like a vector. All columns are tiles of one texture, so that a program
//! can take many of them per pass, up to the limit of its instructions.

use crate::solver::Csr;
use crate::stream::{
    Format, Layout, Machine, Pass, Rects, Size, Source, Stream, StreamError, source,
};

use crate::kruger2003::vectors::accumulate::{Accumulation, Accumulator};
use crate::kruger2003::vectors::operations::{
    check_a_pass, check_bytes, check_channels, check_shape,
};
use crate::kruger2003::{AlgebraError, Matrix};

const COLUMNS: Source = source!("kruger2003/matrices/columns");

/// Largest number of columns per pass: about eight instructions each, of the 1024 of the fragment
/// programs of an NV30.
pub const MOST_A_PASS: usize = 64;

/// Remedy for a matrix that is too large for columns with one entry per texel.
const QUADS: &str = "with four entries per texel it fits (Format::Rgba32F)";

/// Remedy for a matrix that is too large for columns.
const SPARSE: &str = "if it is sparse, store it as vertices or as diagonals";

/// Options of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnOptions {
    /// Columns per pass, at most [`MOST_A_PASS`], which is the default. With four entries per texel
    /// it is rounded up to a multiple of four.
    pub a_pass: usize,
    /// Accumulation of the sum over the passes.
    pub accumulation: Accumulation,
}

impl Default for ColumnOptions {
    fn default() -> Self {
        Self {
            a_pass: MOST_A_PASS,
            accumulation: Accumulation::default(),
        }
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
    /// As many tiles as columns, in a nearly square arrangement; for any driver.
    pub fn of(layout: Layout) -> Self {
        let count = layout.length().next_multiple_of(layout.channels());
        Self {
            layout,
            count,
            across: (count as f64).sqrt().ceil() as usize,
        }
    }

    /// The same, if this driver supports textures that large.
    pub fn new(machine: &Machine, layout: Layout) -> Result<Self, AlgebraError> {
        let tiles = Self::of(layout);
        let limit = machine.context().description().rectangle_limit;
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
        (
            self.across as u64 * u64::from(width),
            rows * u64::from(height),
        )
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
    pub(crate) a_pass: usize,
    accumulator: Accumulator,
}

impl ColumnMatrix {
    /// Uploads a matrix for vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        options: ColumnOptions,
    ) -> Result<Self, AlgebraError> {
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

    /// Fails, before anything is created, if this driver has no texture for matrices that act on such
    /// vectors.
    pub fn check(machine: &Machine, layout: Layout) -> Result<(), AlgebraError> {
        Tiles::new(machine, layout).map(drop)
    }

    /// Creates a matrix of zeros.
    pub fn zeros(
        machine: &Machine,
        layout: Layout,
        options: ColumnOptions,
    ) -> Result<Self, AlgebraError> {
        layout.check(machine)?;
        check_channels(layout)?;
        check_a_pass("columns", options.a_pass, MOST_A_PASS)?;
        let tiles = Tiles::new(machine, layout)?;
        let (size, format) = (layout.size(), layout.format());
        Ok(Self {
            machine: machine.clone(),
            tiles,
            full: machine.rects(&layout.rectangles())?,
            columns: Stream::zeros(machine, "columns", tiles.size(), format)?,
            a_pass: options.a_pass.next_multiple_of(layout.channels()),
            accumulator: Accumulator::new(machine, options.accumulation, size, format)?,
        })
    }

    /// The texture with all columns.
    pub fn stream(&self) -> &Stream {
        &self.columns
    }

    /// Reads all entries back, row by row.
    pub fn read(&self) -> Result<Vec<f32>, AlgebraError> {
        let data = self.columns.read()?;
        let n = self.tiles.layout.length();
        let entry = |k: usize| data[self.tiles.index(k / n, k % n)];
        Ok((0..n * n).map(entry).collect())
    }

    /// Passes per product.
    pub fn passes(&self) -> usize {
        self.tiles.count.div_ceil(self.a_pass)
    }
}

impl Matrix for ColumnMatrix {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        let layout = self.tiles.layout;
        x.expect("x", layout)?;
        y.expect("y", layout)?;
        let (width, height) = layout.size();
        self.accumulator.run(self.passes(), y, |step| {
            let first = step.number * self.a_pass;
            let count = format!("{}.0", self.a_pass.min(self.tiles.count - first));
            let mut defines = vec![("COLUMNS", count.as_str())];
            let variants = [
                ("CONTINUED", step.number > 0),
                ("QUADS", layout.channels() == 4),
            ];
            defines.extend(variants.iter().filter(|v| v.1).map(|v| (v.0, "1")));
            let kernel = self.machine.kernel(&COLUMNS, &defines)?;
            step.fill(Pass::new(&kernel))
                .read("columns", &self.columns)
                .read("x", x)
                .set("size", [width as f32, height as f32])
                .set("across", self.tiles.across as f32)
                .set("first_tile", self.tiles.tile(first).map(|v| v as f32))
                .set("first_entry", layout.centre(first))
                .draw(step.target, &self.full)?;
            Ok(())
        })
    }
}
