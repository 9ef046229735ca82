//! §2, §3.2, §4: the same product from every layout, the transpose without moving data, nonsquare matrices; and the
//! inputs of all checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::random::SplitMix64;
use crate::claim::{BoxedError, difference, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::kruger2003::columns::FITTING;
use crate::kruger2003::diagonals::{self, fitting, five_point};
use crate::kruger2003::{
    Accumulation, BandMatrix, ColumnMatrix, ColumnTextures, DiagonalMatrix, Error, Matrix,
    ProductOptions, VertexMatrix,
};
use crate::solver::{Csr, CsrError};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

/// Largest difference of twenty iterates in single precision, relative to the largest value.
pub const BOUND: f64 = 1e-5;

/// The two packings of a vector: one entry per texel, and four.
pub const PACKINGS: [Format; 2] = [Format::R32F, Format::Rgba32F];

/// Number of rows of a matrix.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Rows {
    /// Number of rows
    #[schemars(range(min = 1, max = 4096))]
    pub rows: usize,
}

impl Default for Rows {
    fn default() -> Self {
        Self { rows: 256 }
    }
}

/// Number of cells or texels along a side.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Side {
    /// Number of cells or texels along a side
    #[schemars(range(min = 1, max = 1024))]
    pub side: u32,
}

impl Default for Side {
    fn default() -> Self {
        Self { side: 64 }
    }
}

/// Entries between -1 and 1.
pub fn vector(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// Converts to double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// Up to `longest` entries per row, in random columns.
pub fn sparse(n: usize, longest: usize, seed: u64) -> Result<Csr<f64>, CsrError> {
    let mut random = SplitMix64::new(seed);
    let mut triplets = Vec::new();
    for row in 0..n {
        for _ in 0..random.below(longest + 1) {
            let column = random.below(n);
            triplets.push((row, column, random.signed()));
        }
    }
    Csr::from_triplets(n, n, triplets)
}

/// The five-point stencil on a grid, with `shift` added to its diagonal, which is 4 at the edges as well.
pub fn stencil(width: usize, height: usize, shift: f64) -> Csr<f64> {
    let size = (width as u32, height as u32);
    five_point(size, 1.0, |faces| faces as f64 + shift)
}

/// Dense, sparse and banded matrices, single diagonals, and five diagonals in a texture whose last row is half empty.
fn matrices() -> Result<Vec<Csr<f64>>, CsrError> {
    let square = |n, entries: Vec<_>| Csr::from_triplets(n, n, entries);
    let diagonal = |down, right| {
        let entry = |i: usize| (i + down, i + right, i as f64 - 7.3);
        square(37, (0..33).map(entry).collect())
    };
    let around = [(0, 4.0), (1, -1.0), (3, 0.5), (7, -1.0), (9, -1.5)];
    let entries = (0..10).flat_map(|i| around.map(|(shift, value)| (i, (i + shift) % 10, value)));
    Ok(vec![
        square(9, vec![])?,
        sparse(1, 400, 1)?,
        sparse(2, 400, 1)?,
        sparse(3, 400, 1)?,
        sparse(16, 400, 1)?,
        sparse(50, 400, 1)?,
        sparse(499, 7, 2)?,
        stencil(13, 9, 0.5),
        permutation(151)?,
        diagonal(0, 0)?,
        diagonal(0, 4)?,
        diagonal(4, 0)?,
        square(50, vec![(0, 49, 2.0), (49, 0, -3.0)])?,
        square(10, entries.collect())?,
    ])
}

/// Products from every layout.
pub static LAYOUTS: Study = Study::measuring(
    "kruger2003/layouts",
    "Products of dense, sparse and banded matrices from every layout, compared with double precision",
    Takes::nothing(),
    &[("error", "", "largest relative difference"), ("count", "", "products")],
    |_, place| {
        let mut errors = Vec::new();
        for matrix in matrices()? {
            let n = matrix.rows();
            for layout in [
                Layout::square(n, Format::R32F)?,
                Layout::square(n, Format::Rgba32F)?,
                Layout::lines(n, Format::R32F, 7)?,
            ] {
                errors.extend(products(place.machine, layout, &matrix)?);
            }
        }
        Ok(Record::numbers([("count", errors.len() as f64), ("error", worst(errors))]))
    },
);

/// Products of transposes.
pub static TRANSPOSES: Study = Study::measuring(
    "kruger2003/transposes",
    "Products of transposes, which only shift the indices of diagonals",
    Takes::nothing(),
    &[
        ("moved", "", "uploads, read-backs, copies and new textures"),
        ("error", "", "largest relative difference from double precision"),
    ],
    |_, place| {
        let (mut errors, mut moved) = (Vec::new(), 0);
        for matrix in matrices()? {
            for packing in PACKINGS {
                let layout = Layout::square(matrix.rows(), packing)?;
                let (error, transfers) = transpose(place.machine, layout, &matrix)?;
                errors.push(error);
                moved += transfers;
            }
        }
        Ok(Record::numbers([("moved", moved as f64), ("error", worst(errors))]))
    },
);

/// Products of a wide and of a tall matrix.
pub static NOT_SQUARE: Study = Study::measuring(
    "kruger2003/not-square",
    "Products of a wide and of a tall matrix from every layout, extended by empty rows or columns",
    Takes::nothing(),
    &[("error", "", "largest relative difference from double precision")],
    not_square,
);

fn not_square(_: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, order) = (place.machine, 170);
    let mut errors = Vec::new();
    for (rows, columns) in [(90, order), (order, 90)] {
        let square = sparse(order, 9, 6)?;
        let inside = |&(row, column, _): &(usize, usize, f64)| row < rows && column < columns;
        let entries: Vec<_> = square.triplets().filter(inside).collect();
        let extended = Csr::from_triplets(order, order, entries.iter().copied())?;
        let matrix = Csr::from_triplets(rows, columns, entries)?;
        let mut x = vector(columns, 7);
        let mut expected = vec![0.0; rows];
        matrix.multiply(&wide(&x), &mut expected)?;
        x.resize(order, 0.0);
        for packing in PACKINGS {
            let layout = Layout::square(order, packing)?;
            let x = Stream::from_entries(machine, "x", layout, &x)?;
            for (_, gpu) in all_layouts(machine, layout, &extended)? {
                let mut y = Stream::vector(machine, "y", layout)?;
                gpu.multiply(&x, &mut y)?;
                errors.push(difference(&y.read_rect(y.full())?[..rows], &expected));
            }
        }
    }
    Ok(Record::numbers([("error", worst(errors))]))
}

/// Texels of matrices as diagonals that hold no entry.
pub static PADDING: Study = Study::measuring(
    "kruger2003/padding",
    "Texels without an entry, of dense matrices as diagonals and of the wave equation's",
    Takes::nothing(),
    &[
        ("wasted.{16|60|64}", "", "texels without an entry of a dense matrix of this order"),
        ("padding.{16|60|64}", "share", "of a vector: zeros that pad it to a square"),
        ("banded", "share", "of the entries: texels without one, wave equation on 64²"),
    ],
    |_, _| {
        let mut record = Record::new();
        // Vectors with 60 entries do not fill a square texture.
        for order in [16, 60, 64] {
            let all = (0..order * order).map(|k| (k / order, k % order, 1.0));
            let dense = Csr::from_triplets(order, order, all)?;
            let texels = diagonals::count(&dense, order) * order;
            record.one(format!("wasted.{order}"), texels as f64 - dense.entries() as f64);
            let room = Layout::square(order, Format::R32F)?.capacity();
            record.one(format!("padding.{order}"), room as f64 / order as f64 - 1.0);
        }
        let grid = stencil(64, 64, 0.5);
        let texels = diagonals::count(&grid, grid.rows()) * grid.rows();
        record.one("banded", texels as f64 / grid.entries() as f64 - 1.0);
        Ok(record)
    },
);

/// A matrix with one entry per row and column: n must have no factor in common with 7.
fn permutation(n: usize) -> Result<Csr<f64>, CsrError> {
    let entry = |row| (row, (7 * row + 3) % n, 1.0);
    Csr::from_triplets(n, n, (0..n).map(entry))
}

/// A vector, and its product with a matrix in double precision.
fn product(matrix: &Csr<f64>) -> Result<(Vec<f32>, Vec<f64>), BoxedError> {
    let x = vector(matrix.rows(), 3);
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(&wide(&x), &mut y)?;
    Ok((x, y))
}

/// Maximum number of columns stored as separate textures.
const MOST_TEXTURES: usize = 100;

/// As many diagonals per pass as fit the paper's card.
pub(super) fn as_fits(layout: Layout) -> ProductOptions {
    ProductOptions { per_pass: Some(fitting(layout)), ..ProductOptions::default() }
}

/// A matrix in textures, and the name of its layout.
pub type Named = (String, Box<dyn Matrix>);

/// All layouts of one matrix: diagonals and columns, one and several per pass, vertices, and one representative set of
/// vertices.
pub fn all_layouts(
    machine: &Machine,
    layout: Layout,
    matrix: &Csr<f64>,
) -> Result<Vec<Named>, Error> {
    let mut all: Vec<Named> = Vec::new();
    for accumulation in Accumulation::ALL {
        for per_pass in [1, 2, fitting(layout)] {
            let options = ProductOptions { per_pass: Some(per_pass), accumulation };
            let gpu = DiagonalMatrix::new(machine, layout, matrix, options)?;
            all.push((format!("{options:?}"), Box::new(gpu)));
        }
        for per_pass in [1, 5, FITTING] {
            let options = ProductOptions { per_pass: Some(per_pass), accumulation };
            let gpu = ColumnMatrix::new(machine, layout, matrix, options)?;
            all.push((format!("{options:?}"), Box::new(gpu)));
        }
        if matrix.rows() <= MOST_TEXTURES {
            let gpu = ColumnTextures::new(machine, layout, matrix, accumulation)?;
            all.push((format!("textures {accumulation:?}"), Box::new(gpu)));
        }
        if layout.format() == Format::R32F {
            let gpu = VertexMatrix::new(machine, layout, matrix, accumulation)?;
            all.push((format!("vertices {accumulation:?}"), Box::new(gpu)));
        }
    }
    if layout.format() == Format::R32F {
        let gpu = BandMatrix::new(machine, layout, matrix)?;
        all.push(("band".into(), Box::new(gpu)));
    }
    Ok(all)
}

/// The error of the product in every layout. The previous content of y does not matter, and zeros are expected after
/// its last entry.
fn products(machine: &Machine, layout: Layout, matrix: &Csr<f64>) -> Result<Vec<f64>, BoxedError> {
    let (x, expected) = product(matrix)?;
    let x = Stream::from_entries(machine, "vector", layout, &x)?;
    let before = vec![1e9; expected.len()];
    let mut errors = Vec::new();
    for (_, gpu) in all_layouts(machine, layout, matrix)? {
        let mut y = Stream::from_entries(machine, "vector", layout, &before)?;
        gpu.multiply(&x, &mut y)?;
        errors.push(with_padding(&y, &expected)?);
    }
    Ok(errors)
}

/// Difference of a vector from the expected one, followed by zeros.
fn with_padding(y: &Stream, expected: &[f64]) -> Result<f64, StreamError> {
    let found = y.read_rect(y.full())?;
    let mut expected = expected.to_vec();
    expected.resize(found.len(), 0.0);
    Ok(difference(&found, &expected))
}

/// The error of the transpose's product, and the number of uploads, read-backs, copies and new textures.
fn transpose(
    machine: &Machine,
    layout: Layout,
    matrix: &Csr<f64>,
) -> Result<(f64, u64), BoxedError> {
    let gpu = DiagonalMatrix::new(machine, layout, matrix, as_fits(layout))?;
    let (x, expected) = product(&matrix.transpose())?;
    let x = Stream::from_entries(machine, "vector", layout, &x)?;
    let mut y = Stream::vector(machine, "vector", layout)?;
    machine.take_ledger();
    gpu.transpose().multiply(&x, &mut y)?;
    let ledger = machine.take_ledger();
    let copies = ledger.total().passes - gpu.passes() as u64;
    let textures = ledger.peak_bytes_allocated - ledger.bytes_allocated;
    let moved = ledger.uploads + ledger.read_backs + copies + textures;
    Ok((with_padding(&y, &expected)?, moved))
}
