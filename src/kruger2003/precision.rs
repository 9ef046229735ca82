//! Conjugate gradients in the number formats of the cards, by vectors in main memory whose operations (section 3) the
//! interpreter executes in any arithmetic (section 6).

use rayon::prelude::*;

use crate::error::BoxedError;
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::program::formats::{Chopped24, Half, Nearest24};
use crate::program::interpret::Arithmetic;
use crate::solver::{Criteria, InterpretedSpace, LinearSystem, Workspace, true_residual};

use super::diagonals::five_point;
use super::interpreted::InterpretedDiagonals;

/// Cells per side of the grids. The last takes eight times as long as the previous one.
pub const SIDES: [usize; 3] = [64, 128, 256];

/// Computes the best residual in a format.
type Solve = fn(usize) -> Result<f64, BoxedError>;

/// The formats, and a solve in each.
pub const FORMATS: [(&str, Solve); 5] = [
    ("64 bits", best_residual::<f64>),
    ("32 bits", best_residual::<f32>),
    ("24 bits, rounded", best_residual::<Nearest24>),
    ("24 bits, truncated", best_residual::<Chopped24>),
    ("16 bits", best_residual::<Half>),
];

/// The best true residuals on a grid, relative to the right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Cells per side.
    pub side: usize,
    /// In the order of [`FORMATS`].
    pub residuals: [f64; FORMATS.len()],
}

/// Solves in all formats on a grid with `side` cells per side, a power of two.
///
/// # Errors
/// If a program cannot be interpreted.
pub fn row(side: usize) -> Result<Row, BoxedError> {
    let solves = FORMATS.par_iter().map(|(_, solve)| solve(side));
    let solved: Vec<f64> = solves.collect::<Result<_, _>>()?;
    let mut residuals = [f64::NAN; FORMATS.len()];
    residuals.copy_from_slice(&solved);
    Ok(Row { side, residuals })
}

/// The best true residual that conjugate gradients reach from zero in 4 N iterations on the five-point matrix of N²
/// cells, with fragstream's programs in this arithmetic: the operations of section 3, the product by diagonals. The CPU
/// divides. The right-hand side is one on a rectangle, and zero elsewhere.
///
/// # Errors
/// If a program cannot be interpreted.
fn best_residual<T: Arithmetic>(side: usize) -> Result<f64, BoxedError> {
    let matrix = five_point((side as u32, side as u32), 1.0, |faces| faces as f64);
    let is_in = |cell: usize, from: usize, to: usize| (side / from..side / to).contains(&cell);
    let cells = (0..side * side).map(|cell| (cell / side, cell % side));
    let b: Vec<f64> = cells
        .map(|(row, column)| f64::from(u8::from(is_in(row, 4, 2) && is_in(column, 3, 2))))
        .collect();
    let space = InterpretedSpace::<T>::new(side)?;
    let operator = InterpretedDiagonals::new(&space, &matrix)?;
    let right_side = space.vector(&b);
    let system =
        LinearSystem { space: &space, operator: &operator, preconditioner: None, b: &right_side };
    let criteria = Criteria::exactly(4 * side);
    let mut best = f64::INFINITY;
    let mut x = space.vector(&vec![0.0; b.len()]);
    Workspace::new(&space)?.recursion(&system, &mut x, &criteria, |progress| {
        let x: Vec<f64> = progress.x.data().iter().map(|x| x.to_f64()).collect();
        // The lengths agree: both belong to the grid.
        let residual = true_residual(&matrix, &b, &x).map_or(f64::NAN, |found| found.relative);
        best = best.min(residual);
    })?;
    Ok(best)
}

/// Residuals over sizes.
pub fn chart(rows: &[Row]) -> Chart {
    let series = FORMATS.iter().enumerate().map(|(format, (name, _))| {
        let points = rows.iter().map(|row| (row.side as f64, row.residuals[format]));
        Series::new(*name, Style::LinePoints, points)
    });
    let axes = ["cells per side", "best true residual"].map(Axis::logarithmic);
    Chart::new("Conjugate gradients in the number formats of 2003", axes, series)
}
