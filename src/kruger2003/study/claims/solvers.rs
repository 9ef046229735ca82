//! §5: the iterates of both solvers compared with double precision.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::claim::{BoxedError, difference, worst};
use crate::experiment::{Record, Study, Takes};
use crate::kruger2003::{DiagonalMatrix, GaussSeidel, ListedGradients};
use crate::settings::{GridSize, pair};
use crate::solver::{Criteria, Csr, LengthMismatch, Progress, TextureSpace, conjugate_gradients};
use crate::stream::{Format, Layout, Machine, Size, Stream, StreamError};

use super::layouts::{as_fits, stencil, vector, wide};

/// Number of iterates that are compared.
const COUNT: usize = 20;

/// Settings of conjugate gradients on a grid.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Iterates {
    /// Number of cells
    #[serde(with = "pair")]
    #[schemars(with = "GridSize")]
    pub size: Size,
    /// Store four entries per texel
    #[schemars(extend("without" = "Store one entry per texel"))]
    pub packed: bool,
    /// Keep one of the three reductions from the previous iteration
    #[schemars(extend("without" = "Three reductions per iteration, as listed"))]
    pub two_sums: bool,
}

impl Default for Iterates {
    fn default() -> Self {
        Self { size: (129, 97), packed: false, two_sums: false }
    }
}

/// The first iterates of conjugate gradients.
pub static ITERATES: Study = Study::measuring(
    "kruger2003/iterates",
    "The first twenty iterates of conjugate gradients, compared with double precision",
    Takes::all::<Iterates>(),
    &[
        ("error", "", "largest relative difference"),
        ("reductions", "", "reductions, each of which is read back"),
        ("unknowns", "", "unknowns"),
    ],
    |experiment, place| {
        let Iterates { size: (columns, rows), packed, two_sums } = experiment.typed()?;
        let matrix = stencil(columns as usize, rows as usize, 0.1);
        let b = vector(matrix.rows(), 1);
        let layout = Layout::square(b.len(), if packed { Format::Rgba32F } else { Format::R32F })?;
        let (error, sums) = cg_error(place.machine, layout, (&matrix, &b), two_sums)?;
        Ok(Record::numbers([
            ("error", error),
            ("reductions", sums as f64),
            ("unknowns", b.len() as f64),
        ]))
    },
);

/// The largest error of the first iterates of conjugate gradients from zero, and their number of reductions, each of which
/// is read back.
fn cg_error(
    machine: &Machine,
    layout: Layout,
    (matrix, b): (&Csr<f64>, &[f32]),
    two_sums: bool,
) -> Result<(f64, u64), BoxedError> {
    let criteria = Criteria::exactly(COUNT);
    let space = TextureSpace::new(machine, layout)?;
    let gpu = DiagonalMatrix::new(machine, layout, matrix, as_fits(layout))?;
    let (bv, mut x) = (space.vector(b)?, space.zeros()?);
    let mut iterates: Vec<Result<Vec<f32>, StreamError>> = Vec::new();
    machine.take_ledger();
    let starts = match two_sums {
        false => {
            let mut listed = ListedGradients::new(&space)?;
            let keep = |x: &Stream| iterates.push(x.read());
            listed.solve(&space, (&gpu, &bv), &mut x, &criteria, keep)?;
            0
        }
        true => {
            let keep = |progress: &Progress<'_, Stream>| iterates.push(progress.x.read());
            conjugate_gradients(&space, &gpu, None, &bv, &mut x, &criteria, keep)?;
            1
        }
    };
    let sums = machine.take_ledger().read_backs - iterates.len() as u64;
    iterates.drain(..starts);
    let expected = cg_of_the_paper(matrix, &wide(b))?;
    if iterates.len() != COUNT {
        return Err(format!("{} iterates, not {COUNT}", iterates.len()).into());
    }
    let mut errors = Vec::new();
    for (found, expected) in iterates.into_iter().zip(&expected) {
        errors.push(difference(&found?, expected));
    }
    Ok((worst(errors), sums))
}

/// The first iterates of §5.1, line by line in double precision.
fn cg_of_the_paper(matrix: &Csr<f64>, b: &[f64]) -> Result<Vec<Vec<f64>>, LengthMismatch> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let (mut x, mut q) = (vec![0.0; b.len()], vec![0.0; b.len()]);
    let (mut r, mut p) = (b.to_vec(), b.to_vec());
    let mut iterates = Vec::new();
    for _ in 0..COUNT {
        let rho = dot(&r, &r);
        matrix.multiply(&p, &mut q)?;
        let alpha = rho / dot(&p, &q);
        for i in 0..b.len() {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        let beta = dot(&r, &r) / rho;
        for i in 0..b.len() {
            p[i] = r[i] + beta * p[i];
        }
        iterates.push(x.clone());
    }
    Ok(iterates)
}

/// Sweeps of Gauss–Seidel.
pub static SWEEPS: Study = Study::measuring(
    "kruger2003/sweeps",
    "The first twenty iterates of Gauss–Seidel by column sweeps, compared with double precision",
    Takes::nothing(),
    &[
        ("error", "", "largest relative difference"),
        ("unknowns", "", "unknowns"),
        ("draws", "", "draws per sweep that read their own target"),
    ],
    |_, place| {
        let matrix = stencil(19, 13, 0.1);
        let b = vector(matrix.rows(), 1);
        let space = TextureSpace::new(place.machine, Layout::square(b.len(), Format::R32F)?)?;
        let solver = GaussSeidel::by_columns(&space, &matrix)?;
        Ok(Record::numbers([
            ("error", sweeps_error(&space, &solver, &matrix, &b, COUNT)?),
            ("unknowns", b.len() as f64),
            ("draws", solver.draws() as f64),
        ]))
    },
);

/// The largest error of the first `count` sweeps from zero.
pub fn sweeps_error(
    space: &TextureSpace,
    solver: &GaussSeidel,
    matrix: &Csr<f64>,
    b: &[f32],
    count: usize,
) -> Result<f64, BoxedError> {
    let scaled = solver.scale(space, &space.vector(b)?)?;
    let (mut x, mut expected) = (space.zeros()?, vec![0.0; b.len()]);
    let mut errors = Vec::new();
    for _ in 0..count {
        solver.sweep(space, &scaled, &mut x)?;
        textbook_sweep(matrix, b, &mut expected);
        errors.push(difference(&x.read()?, &expected));
    }
    Ok(worst(errors))
}

/// A textbook sweep, row by row: x_i ← (b_i − Σ a_ij x_j) / a_ii.
fn textbook_sweep(matrix: &Csr<f64>, b: &[f32], x: &mut [f64]) {
    for (i, &b) in b.iter().enumerate() {
        let others = matrix.row(i).filter(|&(j, _)| j != i);
        let sum: f64 = others.map(|(j, a)| a * x[j]).sum();
        x[i] = (f64::from(b) - sum) / matrix.get(i, i);
    }
}
