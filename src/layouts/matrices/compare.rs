//! One matrix, one vector, every layout.

use crate::kruger2003::vectors::operations::MOST_BYTES;
use crate::layouts::race::{Entrant, Line, race};
use crate::layouts::textures::seen;
use crate::random::SplitMix64;
use crate::solver::Csr;
use crate::stream::Machine;
use crate::timing::rig::work;
use crate::timing::{Effort, PingPong, TimingError, Work};
use crate::{memory, solver};

use super::layout::MatrixLayout;
use super::plan::{Limits, Plan};
use super::stored::Stored;

/// What a product's passes read and write beside the matrix: operands, and sums that are not complete.
pub const OPERANDS: [&str; 3] = ["vector", "partial sum", "partial sums"];

/// What a matrix may take on this machine: the driver's textures, and a third of the memory that is
/// free, since data are prepared in main memory and a ceiling may take as much again.
pub fn limits(machine: &Machine) -> Limits {
    let free = memory::available().unwrap_or(u64::MAX);
    Limits {
        side: machine.context().description().rectangle_limit,
        bytes: MOST_BYTES.min(free / 3),
    }
}

/// A matrix and a vector, and what their product is.
pub struct Problem {
    /// The matrix, without stored zeros.
    pub matrix: Csr<f64>,
    /// Entries between −1 and 1, of single precision.
    pub x: Vec<f32>,
    /// Σ a_ij x_j in double precision.
    exact: Vec<f64>,
    /// Σ |a_ij| |x_j|
    magnitude: Vec<f64>,
}

impl Problem {
    /// The product of a square matrix with a vector that is the same on every machine; the matrix times a
    /// power of two, so that a chain of products stays within single precision.
    pub fn new(matrix: &Csr<f64>) -> Result<Self, solver::CsrError> {
        let row_sum = |row: usize| matrix.row(row).map(|(_, value)| value.abs()).sum::<f64>();
        let largest = (0..matrix.rows()).map(row_sum).fold(0.0, f64::max);
        let power = match largest > 0.0 {
            true => largest.log2().ceil().clamp(-1000.0, 1000.0) as i32,
            false => 0,
        };
        Self::scaled(matrix, 2.0_f64.powi(-power))
    }

    /// The same with the matrix times this.
    pub fn scaled(matrix: &Csr<f64>, scale: f64) -> Result<Self, solver::CsrError> {
        let entries = matrix.triplets().filter(|&(_, _, value)| value != 0.0);
        let entries = entries.map(|(row, column, value)| (row, column, value * scale));
        let matrix = Csr::from_triplets(matrix.rows(), matrix.columns(), entries)?;
        let mut random = SplitMix64::new(1);
        let x: Vec<f32> = (0..matrix.columns())
            .map(|_| random.signed() as f32)
            .collect();
        let sum = |term: fn(f64) -> f64| -> Vec<f64> {
            let of_row = |row| {
                let terms = matrix
                    .row(row)
                    .map(|(column, value)| term(value * f64::from(x[column])));
                terms.sum()
            };
            (0..matrix.rows()).map(of_row).collect()
        };
        Ok(Self {
            exact: sum(|term| term),
            magnitude: sum(f64::abs),
            matrix,
            x,
        })
    }

    /// How far a product is from the one in double precision: the largest |y_i − Σ a_ij x_j| by
    /// Σ |a_ij| |x_j|. A rounding of single precision is 6e-8.
    pub fn error(&self, y: &[f32]) -> f64 {
        let rows = y.iter().zip(self.exact.iter().zip(&self.magnitude));
        let errors = rows.map(|(&y, (&exact, &magnitude))| {
            let error = (f64::from(y) - exact).abs();
            if error == 0.0 { 0.0 } else { error / magnitude }
        });
        errors.fold(0.0, |largest, error| {
            match error > largest || error.is_nan() {
                true => error,
                false => largest,
            }
        })
    }
}

/// One line a layout, and two of the CPU, timed alternately.
///
/// # Errors
/// A matrix whose vectors no layout holds; those of the machine.
pub fn compare(
    machine: &Machine,
    matrix: &Csr<f64>,
    layouts: &[MatrixLayout],
    effort: Effort,
) -> Result<Vec<Line>, TimingError> {
    let problem = Problem::new(matrix)?;
    let mut limits = limits(machine);
    let mut entrants = Vec::new();
    for &layout in layouts {
        let plan = Plan::new(&problem.matrix, layout, limits)?;
        limits.bytes -= match plan.refused {
            Some(_) => 0,
            None => plan.memory.bytes.min(limits.bytes),
        };
        entrants.push(entrant(machine, &problem, layout, plan)?);
    }
    race(machine, effort, with_cpu(entrants, &problem)?)
}

/// The line of a layout before it is run.
fn line(layout: MatrixLayout, plan: &Plan) -> Line {
    Line {
        layout: layout.name().to_owned(),
        from: layout.from().to_owned(),
        memory: plan.memory.clone(),
        refused: plan.refused.clone(),
        ..Line::default()
    }
}

/// A layout of a matrix, ready to be run.
pub(crate) fn entrant(
    machine: &Machine,
    problem: &Problem,
    layout: MatrixLayout,
    plan: Plan,
) -> Result<Entrant<'static>, TimingError> {
    let mut line = line(layout, &plan);
    if plan.refused.is_some() {
        return Ok(Entrant::of(line));
    }
    let mut stored = Stored::new(machine, &problem.matrix, layout, plan)?;
    let (x, mut y) = (stored.vector(&problem.x)?, stored.zeros()?);
    let seen = seen(x.machine(), &OPERANDS, false, || {
        stored.multiply(&x, &mut y)
    })?;
    line.memory.bytes = seen.bytes();
    line.memory.textures = seen.data;
    let error = problem.error(&stored.read(&y)?);
    let ceiling = stored.take_ceiling();
    Ok(Entrant {
        work: Some(stored.products(x)?),
        ceiling,
        error: Some(error),
        is_of_2003: layout.is_of_2003(),
        ..Entrant::of(line)
    })
}

/// The CPU's products in single precision, in compressed rows: on one core, and on all.
pub(crate) fn with_cpu(
    mut entrants: Vec<Entrant<'static>>,
    problem: &Problem,
) -> Result<Vec<Entrant<'static>>, TimingError> {
    let matrix = problem.matrix.cast::<f32>();
    let (rows, entries) = (matrix.rows() as u64, matrix.entries() as u64);
    // A value and a column an entry, a start a row; x and y are moved too.
    let bytes = 8 * entries + 8 * (rows + 1);
    let moved = bytes + 4 * entries + 4 * rows;
    let mut y = vec![0.0; matrix.rows()];
    matrix
        .multiply(&problem.x, &mut y)
        .map_err(solver::CsrError::from)?;
    let error = problem.error(&y);
    for (name, is_parallel) in [("CSR, one core", false), ("CSR, all cores", true)] {
        let matrix = matrix.clone();
        let mut pair = PingPong::of_two(y.clone()).from(problem.x.clone());
        let product: Work<'static> = work(move |run| {
            let (x, y) = pair.of(run);
            match is_parallel {
                true => matrix.multiply_parallel(x, y),
                false => matrix.multiply(x, y),
            }
        });
        entrants.push(Entrant::on_cpu(name, bytes, moved, Some(error), product));
    }
    Ok(entrants)
}
