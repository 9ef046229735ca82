//! §5: the iterates of both solvers compared with double precision.

use crate::claim::{BoxedError, Checked, Claim, Found, Run, Variant, difference, worst};
use crate::kruger2003::{DiagonalMatrix, GaussSeidel, ListedGradients};
use crate::solver::{Criteria, Csr, LengthMismatch, Progress, TextureSpace, conjugate_gradients};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::layouts::{BOUND, PACKINGS, as_fits, stencil, vector, wide};

/// Number of iterates that are compared.
const COUNT: usize = 20;
const DIFFERENCE: &str = "largest relative difference of twenty iterates";

/// The five-point matrix of a grid (the mode's, or the given size), and a right-hand side.
fn system(run: &Run<'_>) -> (Csr<f64>, Vec<f32>) {
    let [width, height] = (run.given.size()).unwrap_or(run.pick([33, 27], [129, 97]));
    let matrix = stencil(width, height, 0.1);
    let b = vector(matrix.rows(), 1);
    (matrix, b)
}

/// Checks the paper's conjugate gradients, or the variant with two reductions per iteration.
pub(super) fn gradients(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (matrix, b) = system(run);
    // The variant starts with the norms of b and of the first residual.
    let expected = match claim.variant {
        Variant::Paper => 3 * COUNT,
        Variant::Ours => 2 * COUNT + 2,
    };
    let mut found = Found::new().shows("unknowns", b.len() as f64);
    for (name, packing) in PACKINGS {
        let layout = Layout::square(b.len(), packing)?;
        let system = (&matrix, b.as_slice());
        let (error, sums) = cg_error(run.machine, layout, system, COUNT, claim.variant)?;
        found = found
            .at_most(format!("{DIFFERENCE}, {name}"), error, BOUND)
            .equal(format!("reductions, {name}"), sums as f64, expected as f64)
            .headline("reductions");
    }
    Ok(found)
}

/// A matrix and a right-hand side.
type System<'a> = (&'a Csr<f64>, &'a [f32]);

/// The largest error of the first `count` iterates of conjugate gradients from zero, and their number of reductions,
/// each of which is read back.
fn cg_error(
    machine: &Machine,
    layout: Layout,
    (matrix, b): System<'_>,
    count: usize,
    variant: Variant,
) -> Result<(f64, u64), BoxedError> {
    let criteria = Criteria::exactly(count);
    let space = TextureSpace::new(machine, layout)?;
    let gpu = DiagonalMatrix::new(machine, layout, matrix, as_fits(layout))?;
    let (bv, mut x) = (space.vector(b)?, space.zeros()?);
    let mut iterates: Vec<Result<Vec<f32>, StreamError>> = Vec::new();
    machine.take_ledger();
    let starts = match variant {
        Variant::Paper => {
            let mut listed = ListedGradients::new(&space)?;
            let keep = |x: &Stream| iterates.push(x.read());
            listed.solve(&space, (&gpu, &bv), &mut x, &criteria, keep)?;
            0
        }
        Variant::Ours => {
            let keep = |progress: &Progress<'_, Stream>| iterates.push(progress.x.read());
            conjugate_gradients(&space, &gpu, None, &bv, &mut x, &criteria, keep)?;
            1
        }
    };
    let sums = machine.take_ledger().read_backs - iterates.len() as u64;
    iterates.drain(..starts);
    let expected = cg_of_the_paper(matrix, &wide(b), count)?;
    if iterates.len() != count {
        return Err(format!("{} iterates, not {count}", iterates.len()).into());
    }
    let mut errors = Vec::new();
    for (found, expected) in iterates.into_iter().zip(&expected) {
        errors.push(difference(&found?, expected));
    }
    Ok((worst(errors), sums))
}

/// The first iterates of §5.1, line by line in double precision.
fn cg_of_the_paper(
    matrix: &Csr<f64>,
    b: &[f64],
    count: usize,
) -> Result<Vec<Vec<f64>>, LengthMismatch> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let (mut x, mut q) = (vec![0.0; b.len()], vec![0.0; b.len()]);
    let (mut r, mut p) = (b.to_vec(), b.to_vec());
    let mut iterates = Vec::new();
    for _ in 0..count {
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

/// Columns and rows of the grid whose matrix is swept as dense columns.
const DENSE: (usize, usize) = (19, 13);

pub(super) fn by_columns(run: &mut Run<'_>, _: &Claim) -> Checked {
    let matrix = stencil(DENSE.0, DENSE.1, 0.1);
    let b = vector(matrix.rows(), 1);
    let space = TextureSpace::new(run.machine, Layout::square(b.len(), Format::R32F)?)?;
    let solver = GaussSeidel::by_columns(&space, &matrix)?;
    Ok(Found::new()
        .at_most(DIFFERENCE, sweeps_error(&space, &solver, &matrix, &b, COUNT)?, BOUND)
        .headline("relative error")
        .shows("unknowns", b.len() as f64)
        .shows("draws per sweep that read their own target", solver.draws() as f64)
        .because("The system solved is (D + L) x_new = b − U x_old; the printed x = L x + (D + U) x lacks b."))
}

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
