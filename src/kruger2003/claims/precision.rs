//! §6: conjugate gradients in 24 bits, the paper's "Achilles' heel", by vectors in main memory whose operations
//! (section 3) the interpreter executes in any arithmetic.

use rayon::prelude::*;

use crate::claim::{BoxedError, Checked, Claim, Found, Run, Table};
use crate::kruger2003::interpreted::InterpretedDiagonals;
use crate::picture::plot::{Axis, Chart};
use crate::program::formats::{Chopped24, Half, Nearest24};
use crate::program::interpret::Arithmetic;
use crate::solver::{Criteria, InterpretedSpace, LinearSystem, Workspace, true_residual};

use super::layouts::stencil;

/// Cells per side of the grids. The last takes eight times as long as the previous one.
pub const SIDES: [usize; 3] = [64, 128, 256];

/// Largest factor between a residual and that of an independent program.
const FACTOR: f64 = 2.0;

/// Cells per side, and residuals of an independent program in 32 bits and in 24, rounded and truncated.
const INDEPENDENT: [(usize, [f64; 3]); 2] =
    [(64, [1.1e-4, 1.1e-2, 1.4e-2]), (256, [3.0e-3, 0.28, 0.31])];

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
pub fn best_residual<T: Arithmetic>(side: usize) -> Result<f64, BoxedError> {
    let matrix = stencil(side, side, 0.0);
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

pub(super) fn precision(run: &mut Run<'_>, _: &Claim) -> Checked {
    let sides = run.pick(&SIDES[..1], &SIDES);
    let rows = sides.iter().map(|&side| row(side));
    let rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
    let mut found = Found::new();
    for (side, known) in INDEPENDENT {
        for row in rows.iter().filter(|row| row.side == side) {
            for (place, known) in known.into_iter().enumerate() {
                let ratio = row.residuals[place + 1] / known;
                let name = FORMATS[place + 1].0;
                let name =
                    format!("{name} on {side}²: residual relative to an independent program's");
                found = found.between(name, ratio, [1.0 / FACTOR, FACTOR]);
            }
        }
    }
    if let Some(Row { side, residuals }) = rows.last() {
        let name = format!("times the residual of 32 bits, in 24 bits, rounded, on {side}²");
        found = found.shows(name, residuals[2] / residuals[1]).headline("times the residual");
    }
    let table = table(&rows);
    run.chart("precision", &table.caption, &chart(&table))?;
    run.table("residuals", table);
    Ok(found.because("The rounding of the Radeon's chip was not verified: published measurements place it between the \
                      two."))
}

/// The residuals, one row per format and grid.
pub fn table(rows: &[Row]) -> Table {
    let caption = "Best true residual of conjugate gradients in each number format, relative to the right-hand side.";
    let mut table = Table::new(caption, ["format", "cells per side", RESIDUAL]);
    for row in rows {
        for ((name, _), residual) in FORMATS.iter().zip(row.residuals) {
            table.push([(*name).into(), row.side.into(), residual.into()]);
        }
    }
    table
}

const RESIDUAL: &str = "best true residual";

/// Residuals over sizes.
pub fn chart(table: &Table) -> Chart {
    let axes = [Axis::logarithmic("cells per side"), Axis::logarithmic("best true residual")];
    table.chart("Conjugate gradients in the number formats of 2003", axes, &[RESIDUAL])
}
