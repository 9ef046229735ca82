//! §5: the iterates of both solvers against double precision.

use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::kruger2003::solvers::gradients::ListedGradients;
use crate::kruger2003::{DiagonalMatrix, DiagonalOptions, GaussSeidel, Gradients, Schedule};
use crate::solver::{Criteria, Csr, LengthMismatch, Progress, TextureSpace, conjugate_gradients};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::samples::{BOUND, judge, stencil, vector, wide};

const CG: Claim = Claim {
    id: "kruger2003/cg",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§5.1",
    statement: "Conjugate gradients without a preconditioner, call by call as listed, with three sums an \
                iteration: the first twenty iterates.",
    paper: "as in double precision; three reductions",
};

const TWO_SUMS: Claim = Claim {
    id: "kruger2003/cg-two-sums",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§5.1",
    statement: "Ours beside it: one of the three sums is that of the iteration before, and is not taken \
                again: the first twenty iterates.",
    paper: "(the paper's variant in the same run)",
};

const GAUSS_SEIDEL: Claim = Claim {
    id: "kruger2003/gauss-seidel",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§5.2",
    statement: "Gauss–Seidel by column sweeps that read and write the same target, the matrix as dense \
                columns: the first twenty iterates.",
    paper: "as in double precision",
};

const VERTICES: Claim = Claim {
    id: "kruger2003/gauss-seidel-vertices",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.3, §5.2",
    statement: "Ours beside it: a sparse matrix as vertices, each drawn as soon as it can be: the first \
                twenty iterates.",
    paper: "as in double precision",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/solvers",
    section: "§5",
    title: "Conjugate gradients and Gauss–Seidel, iterate by iterate",
    claims: &[CG, TWO_SUMS, GAUSS_SEIDEL, VERTICES],
    run,
};

/// Iterates that are compared.
const COUNT: usize = 20;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { [33, 27] } else { [129, 97] };
    let [width, height] = options.given.size.unwrap_or(usual);
    let matrix = stencil(width, height, 0.1);
    let b = vector(matrix.rows(), 1);
    Ok(vec![
        cg(machine, &matrix, &b, CG, Gradients::Listed)?,
        cg(machine, &matrix, &b, TWO_SUMS, Gradients::TwoSums)?,
        by_columns(machine)?,
        by_vertices(machine, &matrix, &b)?,
    ])
}

fn cg(
    machine: &Machine,
    matrix: &Csr<f64>,
    b: &[f32],
    claim: Claim,
    gradients: Gradients,
) -> Result<Finding, BoxedError> {
    let (mut errors, mut sums) = (Vec::new(), Vec::new());
    for packing in [Format::R32F, Format::Rgba32F] {
        let layout = Layout::square(b.len(), packing)?;
        let (error, taken) = cg_error(machine, layout, (matrix, b), COUNT, gradients)?;
        errors.push(error);
        sums.push(taken);
    }
    let error = worst(errors);
    let text = format!(
        "largest relative difference {error:.1e}; {} sums in {COUNT} iterations",
        sums[0]
    );
    // Ours takes the norms of b and of the first residual too.
    let expected = match gradients {
        Gradients::Listed => 3 * COUNT as u64,
        Gradients::TwoSums => 2 * COUNT as u64 + 2,
    };
    let why = format!(
        "{} unknowns, a five-point stencil as diagonals, one and four entries a texel; the bound is \
         {BOUND:.0e}.",
        b.len()
    );
    let holds = error <= BOUND && sums.iter().all(|&sums| sums == expected);
    Ok(claim.judge(holds, text, why))
}

/// What conjugate gradients work on: a matrix and a right side.
type System<'a> = (&'a Csr<f64>, &'a [f32]);

/// The largest error of the first `count` iterates of conjugate gradients from zero, and the sums that
/// these take: each is read back.
pub fn cg_error(
    machine: &Machine,
    layout: Layout,
    (matrix, b): System<'_>,
    count: usize,
    gradients: Gradients,
) -> Result<(f64, u64), BoxedError> {
    let criteria = Criteria::exactly(count);
    let space = TextureSpace::new(machine, layout)?;
    let gpu = DiagonalMatrix::new(machine, layout, matrix, DiagonalOptions::default())?;
    let (bv, mut x) = (space.vector(b)?, space.zeros()?);
    let mut iterates: Vec<Result<Vec<f32>, StreamError>> = Vec::new();
    machine.take_ledger();
    let starts = match gradients {
        Gradients::Listed => {
            let mut listed = ListedGradients::new(&space)?;
            let keep = |x: &Stream| iterates.push(x.read());
            listed.solve(&space, (&gpu, &bv), &mut x, &criteria, keep)?;
            0
        }
        Gradients::TwoSums => {
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

/// The first iterates of §5.1, written out line by line in double precision.
pub fn cg_of_the_paper(
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

/// Rows and columns of the grid whose matrix is swept as dense columns.
const DENSE: (usize, usize) = (19, 13);

fn by_columns(machine: &Machine) -> Result<Finding, BoxedError> {
    let matrix = stencil(DENSE.0, DENSE.1, 0.1);
    let b = vector(matrix.rows(), 1);
    let space = TextureSpace::new(machine, Layout::square(b.len(), Format::R32F)?)?;
    let solver = GaussSeidel::by_columns(&space, &matrix)?;
    let error = sweeps_error(&space, &solver, &matrix, &b, COUNT)?;
    let remark = format!(
        "The paper prints x = L x + (D + U) x, in which b does not occur; what is done is \
         (D + L) x_new = b − U x_old. {} unknowns, {} feedback draws a sweep.",
        b.len(),
        solver.draws()
    );
    Ok(judge(GAUSS_SEIDEL, error, BOUND, remark))
}

fn by_vertices(machine: &Machine, matrix: &Csr<f64>, b: &[f32]) -> Result<Finding, BoxedError> {
    let space = TextureSpace::new(machine, Layout::square(b.len(), Format::R32F)?)?;
    let solver = GaussSeidel::new(&space, matrix, Schedule::default())?;
    let error = sweeps_error(&space, &solver, matrix, b, COUNT)?;
    let columns = GaussSeidel::new(&space, matrix, Schedule::Columns)?;
    let remark = format!(
        "A sweep of {} unknowns takes {} feedback draws column by column, and {} when each entry is drawn as \
         soon as it can be, with the same bits.",
        b.len(),
        columns.draws(),
        solver.draws()
    );
    Ok(judge(VERTICES, error, BOUND, remark))
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

/// A sweep as textbooks have it, row by row: x_i ← (b_i − Σ a_ij x_j) / a_ii.
pub fn textbook_sweep(matrix: &Csr<f64>, b: &[f32], x: &mut [f64]) {
    for (i, &b) in b.iter().enumerate() {
        let others = matrix.row(i).filter(|&(j, _)| j != i);
        let sum: f64 = others.map(|(j, a)| a * x[j]).sum();
        x[i] = (f64::from(b) - sum) / matrix.get(i, i);
    }
}
