//! Conjugate gradients in the number formats of the cards (section 6): the operations of section 3 and the product by
//! diagonals, run by the interpreter in their arithmetic.

use rayon::prelude::*;

use crate::base::error::BoxedError;
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::program::formats::Registers;
use crate::solver::{
    Criteria, HostSpace, LinearSystem, Operator, TextureSpace, VectorSpace, Workspace,
    true_residual,
};
use crate::stream::{Format, Layout, Machine};

use super::diagonals::five_point;
use super::{DiagonalMatrix, ProductOptions};

/// Cells per side of the grids. The last takes eight times as long as the previous one.
pub const SIDES: [usize; 3] = [64, 128, 256];

/// The formats: the registers of a card, or double precision on the CPU.
pub const FORMATS: [(&str, Option<Registers>); 5] = [
    ("64 bits", None),
    ("32 bits", Some(Registers::Single)),
    ("24 bits, rounded", Some(Registers::R300Nearest)),
    ("24 bits, truncated", Some(Registers::R300)),
    ("16 bits", Some(Registers::Nv30Half)),
];

/// The best true residuals on a grid, relative to the right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Cells per side.
    pub side: usize,
    /// In the order of [`FORMATS`].
    pub residuals: [f64; FORMATS.len()],
}

/// Solves in all formats on a grid with `side` cells per side.
pub fn row(side: usize) -> Result<Row, BoxedError> {
    let solves = FORMATS.par_iter().map(|&(_, registers)| best_residual(side, registers));
    let solved: Vec<f64> = solves.collect::<Result<_, _>>()?;
    let mut residuals = [f64::NAN; FORMATS.len()];
    residuals.copy_from_slice(&solved);
    Ok(Row { side, residuals })
}

/// The best true residual that conjugate gradients reach from zero in 4 N iterations on the five-point matrix of N²
/// cells. The CPU divides. The right-hand side is one on a rectangle, and zero elsewhere.
fn best_residual(side: usize, registers: Option<Registers>) -> Result<f64, BoxedError> {
    let size = (side as u32, side as u32);
    let matrix = five_point(size, 1.0, |faces| faces as f64);
    let is_in = |cell: usize, from: usize, to: usize| (side / from..side / to).contains(&cell);
    let cells = (0..side * side).map(|cell| (cell / side, cell % side));
    let b: Vec<f32> = cells
        .map(|(row, column)| f32::from(u8::from(is_in(row, 4, 2) && is_in(column, 3, 2))))
        .collect();
    let exact: Vec<f64> = b.iter().map(|&b| b.into()).collect();
    // The lengths agree: both belong to the grid.
    let residual = |x: &[f64]| true_residual(&matrix, &exact, x).map_or(f64::NAN, |r| r.relative);
    let Some(registers) = registers else {
        let space = HostSpace::<f64>::new(exact.len());
        return Ok(best(&space, &matrix, &exact, 4 * side, |x: &Vec<f64>| residual(x))?);
    };
    let machine = Machine::interpreted(registers)?;
    let layout = Layout::grid(size, Format::R32F);
    let space = TextureSpace::new(&machine, layout)?;
    let operator = DiagonalMatrix::new(&machine, layout, &matrix, ProductOptions::default())?;
    Ok(best(&space, &operator, &space.vector(&b)?, 4 * side, |x| {
        let x = x.read().unwrap_or_default();
        residual(&x.into_iter().map(f64::from).collect::<Vec<_>>())
    })?)
}

/// The smallest residual among the iterates.
fn best<S: VectorSpace>(
    space: &S,
    operator: &impl Operator<S>,
    b: &S::Vector,
    iterations: usize,
    residual: impl Fn(&S::Vector) -> f64,
) -> Result<f64, S::Error> {
    let system = LinearSystem { space, operator, preconditioner: None, b };
    let mut best = f64::INFINITY;
    // §5.1: x ← x + α p and r ← r − α q, in the arithmetic of the space
    Workspace::new(space)?.recursion(
        &system,
        &mut space.zeros()?,
        &Criteria::exactly(iterations),
        |progress| best = best.min(residual(progress.x)),
    )?;
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
