//! §2, §3.2, §4: the same product from every layout, and the transpose without moving data.

use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::kruger2003::matrices::diagonals::MOST_A_PASS;
use crate::kruger2003::{
    Accumulation, AlgebraError, BandMatrix, ColumnMatrix, ColumnOptions, ColumnTextures,
    DiagonalMatrix, DiagonalOptions, Matrix, VertexMatrix,
};
use crate::solver::{Csr, CsrError};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::samples::{BOUND, judge, sparse, stencil, vector, wide};

const LAYOUTS: Claim = Claim {
    id: "kruger2003/layouts",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§2, §3.2, §4",
    statement: "A matrix as diagonals, each sharing a texture with its counterpart, as columns, and \
                as sets of vertices: the same product from all.",
    paper: "one product, whatever the layout",
};

const TRANSPOSE: Claim = Claim {
    id: "kruger2003/transpose",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§2",
    statement: "The transpose of a matrix as diagonals is had by shifting indices: nothing is moved.",
    paper: "no data moved",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/matrices",
    section: "§2, §3.2, §4",
    title: "The layouts of a matrix, and its transpose",
    claims: &[LAYOUTS, TRANSPOSE],
    run,
};

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let matrices = [
        ("no entry", Csr::from_triplets(9, 9, [])?),
        ("dense", sparse(50, 400, 1)?),
        ("sparse", sparse(499, 7, 2)?),
        ("banded", stencil(13, 9, 0.5)),
        ("a permutation", permutation(151)?),
    ];
    let names = matrices.each_ref().map(|(name, _)| *name).join(", ");
    let mut errors = Vec::new();
    let mut transposes = Vec::new();
    let mut moved = 0;
    for (_, matrix) in &matrices {
        for packing in [Format::R32F, Format::Rgba32F] {
            let layout = Layout::square(matrix.rows(), packing)?;
            errors.extend(products(machine, layout, matrix)?);
            let (error, transfers) = transpose(machine, layout, matrix)?;
            transposes.push(error);
            moved += transfers;
        }
    }
    let remark = format!(
        "Matrices: {names}. Diagonals one, three and fourteen a pass, columns one, five and 64 a \
         pass, each a texture where there are no more than {MOST_TEXTURES}, vertices and one representative \
         set of vertices, with one and four entries a texel, in two textures alternately and in place."
    );
    let products = worst(errors.into_iter().map(|(_, error)| error));
    let error = worst(transposes);
    let measured = format!("{moved} transfers and copies; largest relative difference {error:.1e}");
    let transpose = TRANSPOSE.judge(
        moved == 0 && error <= BOUND,
        measured,
        "Counted is what the ledger shows beside the product's own passes: uploads, read-backs, \
         copies and new textures.",
    );
    Ok(vec![judge(LAYOUTS, products, BOUND, remark), transpose])
}

/// One entry a row and a column: n must have no factor in common with 7.
pub fn permutation(n: usize) -> Result<Csr<f64>, CsrError> {
    let entry = |row| (row, (7 * row + 3) % n, 1.0);
    Csr::from_triplets(n, n, (0..n).map(entry))
}

/// The product in double precision, and the vector that it is of.
fn product(matrix: &Csr<f64>) -> Result<(Vec<f32>, Vec<f64>), BoxedError> {
    let x = vector(matrix.rows(), 3);
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(&wide(&x), &mut y)?;
    Ok((x, y))
}

/// Columns that are textures of their own, at most.
const MOST_TEXTURES: usize = 100;

/// A matrix in textures, and the name of its layout.
pub type Named = (String, Box<dyn Matrix>);

/// All layouts of one matrix: diagonals and columns one and several a pass, vertices, and one
/// representative set of vertices.
pub fn all_layouts(
    machine: &Machine,
    layout: Layout,
    matrix: &Csr<f64>,
) -> Result<Vec<Named>, AlgebraError> {
    let mut all: Vec<Named> = Vec::new();
    for accumulation in Accumulation::ALL {
        for a_pass in [1, 3, MOST_A_PASS] {
            let options = DiagonalOptions {
                a_pass,
                accumulation,
            };
            let gpu = DiagonalMatrix::new(machine, layout, matrix, options)?;
            all.push((format!("{options:?}"), Box::new(gpu)));
        }
        for a_pass in [1, 5, 64] {
            let options = ColumnOptions {
                a_pass,
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

/// The error of the product in every layout, by name. What is in y before does not matter, and behind
/// its last entry zeros are expected.
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

/// How far a vector is from what is expected, zeros behind its last entry.
fn with_padding(y: &Stream, expected: &[f64]) -> Result<f64, StreamError> {
    let found = y.read_rect(y.full())?;
    let mut expected = expected.to_vec();
    expected.resize(found.len(), 0.0);
    Ok(difference(&found, &expected))
}

/// The error of the transpose's product, and how often anything was moved for it.
pub fn transpose(
    machine: &Machine,
    layout: Layout,
    matrix: &Csr<f64>,
) -> Result<(f64, u64), BoxedError> {
    let gpu = DiagonalMatrix::new(machine, layout, matrix, DiagonalOptions::default())?;
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
