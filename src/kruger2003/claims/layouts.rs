//! §2, §3.2, §4: the same product from every layout, the transpose without moving data, nonsquare matrices; and the
//! inputs of all checks.

use crate::claim::{BoxedError, Checked, Claim, Found, Run, difference, worst};
use crate::kruger2003::columns::FITTING;
use crate::kruger2003::diagonals::{fitting, five_point};
use crate::kruger2003::{
    Accumulation, BandMatrix, ColumnMatrix, ColumnTextures, DiagonalMatrix, KrugerError, Matrix,
    ProductOptions, VertexMatrix,
};
use crate::random::SplitMix64;
use crate::solver::{Csr, CsrError};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

/// Largest difference in single precision with short sums, relative to the largest value.
pub const BOUND: f64 = 1e-5;

/// The two packings of a vector, by name.
pub const PACKINGS: [(&str, Format); 2] = [
    ("one entry per texel", Format::R32F),
    ("four entries per texel", Format::Rgba32F),
];

/// Entries between -1 and 1.
pub fn vector(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// The same in double precision.
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

const DIFFERENCE: &str = "largest relative difference";

/// An empty, a dense, a sparse and a banded matrix, and a permutation.
fn matrices() -> Result<[Csr<f64>; 5], CsrError> {
    let empty = Csr::from_triplets(9, 9, [])?;
    let (dense, few) = (sparse(50, 400, 1)?, sparse(499, 7, 2)?);
    Ok([empty, dense, few, stencil(13, 9, 0.5), permutation(151)?])
}

pub(super) fn layouts(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (mut errors, mut count) = (Vec::new(), 0);
    for matrix in matrices()? {
        for (_, packing) in PACKINGS {
            let layout = Layout::square(matrix.rows(), packing)?;
            let products = products(run.machine, layout, &matrix)?;
            count += products.len();
            errors.extend(products.into_iter().map(|(_, error)| error));
        }
    }
    Ok(Found::new()
        .at_most(DIFFERENCE, worst(errors), BOUND)
        .shows("products", count as f64))
}

pub(super) fn transposes(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (mut errors, mut moved) = (Vec::new(), 0);
    for matrix in matrices()? {
        for (_, packing) in PACKINGS {
            let layout = Layout::square(matrix.rows(), packing)?;
            let (error, transfers) = transpose(run.machine, layout, &matrix)?;
            errors.push(error);
            moved += transfers;
        }
    }
    Ok(Found::new()
        .equal(
            "uploads, read-backs, copies and new textures",
            moved as f64,
            0.0,
        )
        .at_most(DIFFERENCE, worst(errors), BOUND))
}

/// Products of a wide and of a tall matrix from every layout.
pub(super) fn not_square(run: &mut Run<'_>, _: &Claim) -> Checked {
    let order = 170;
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
        for (_, packing) in PACKINGS {
            let layout = Layout::square(order, packing)?;
            let x = Stream::from_entries(run.machine, "x", layout, &x)?;
            for (_, gpu) in all_layouts(run.machine, layout, &extended)? {
                let mut y = Stream::vector(run.machine, "y", layout)?;
                gpu.multiply(&x, &mut y)?;
                errors.push(difference(&y.read_rect(y.full())?[..rows], &expected));
            }
        }
    }
    Ok(Found::new().at_most(DIFFERENCE, worst(errors), BOUND))
}

/// A matrix with one entry per row and column: n must have no factor in common with 7.
pub fn permutation(n: usize) -> Result<Csr<f64>, CsrError> {
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
    ProductOptions {
        per_pass: Some(fitting(layout)),
        ..ProductOptions::default()
    }
}

/// A matrix in textures, and the name of its layout.
pub type Named = (String, Box<dyn Matrix>);

/// All layouts of one matrix: diagonals and columns, one and several per pass, vertices, and one representative set of
/// vertices.
pub fn all_layouts(
    machine: &Machine,
    layout: Layout,
    matrix: &Csr<f64>,
) -> Result<Vec<Named>, KrugerError> {
    let mut all: Vec<Named> = Vec::new();
    for accumulation in Accumulation::ALL {
        for per_pass in [1, 2, fitting(layout)] {
            let options = ProductOptions {
                per_pass: Some(per_pass),
                accumulation,
            };
            let gpu = DiagonalMatrix::new(machine, layout, matrix, options)?;
            all.push((format!("{options:?}"), Box::new(gpu)));
        }
        for per_pass in [1, 5, FITTING] {
            let options = ProductOptions {
                per_pass: Some(per_pass),
                accumulation,
            };
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

/// The error of the product in every layout, by name. The previous content of y does not matter, and zeros are expected
/// after its last entry.
pub fn products(
    machine: &Machine,
    layout: Layout,
    matrix: &Csr<f64>,
) -> Result<Vec<(String, f64)>, BoxedError> {
    let (x, expected) = product(matrix)?;
    let x = Stream::from_entries(machine, "vector", layout, &x)?;
    let before = vec![1e9; expected.len()];
    let mut errors = Vec::new();
    for (name, gpu) in all_layouts(machine, layout, matrix)? {
        let mut y = Stream::from_entries(machine, "vector", layout, &before)?;
        gpu.multiply(&x, &mut y)?;
        errors.push((name, with_padding(&y, &expected)?));
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
pub fn transpose(
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
