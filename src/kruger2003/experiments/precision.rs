//! §6: what 24 bits leave of conjugate gradients, the paper's "Achilles' heel".

use rayon::prelude::*;

use crate::card::formats::{Chopped24, Half, Nearest24};
use crate::card::interpret::Arithmetic;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::kruger2003::solvers::interpreted::{InterpretedDiagonals, InterpretedSpace};
use crate::picture::plot::{Axis, Chart, PlotError, Series, Style, chart};
use crate::solver::{Criteria, true_residual};
use crate::solver::{LinearSystem, Workspace};
use crate::stream::Machine;

use super::samples::stencil;

const PRECISION: Claim = Claim {
    id: "kruger2003/precision",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "The Radeon 9800 computes in 24 bits, which is not accurate enough in general: on \
                Poisson's equation conjugate gradients leave a hundred times the residual of single \
                precision (as an independent program of each format has it, within a factor of two).",
    paper: "“Achilles' heel” (64²: 1.1e-4 in 32, 1.1e-2 and 1.4e-2 in 24 bits; 256²: 3.0e-3, 0.28, \
            0.31)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/formats",
    section: "§6",
    title: "Conjugate gradients in the number formats of the cards",
    claims: &[PRECISION],
    run,
};

/// Sides of the grids, in cells. The last takes eight times as long as the one before.
pub const SIDES: [usize; 3] = [64, 128, 256];

/// How near the independent program has to be.
const FACTOR: f64 = 2.0;

/// Side of the grid, and what an independent program says of f32 and of s16e7, rounded and chopped.
const INDEPENDENT: [(usize, [f64; 3]); 2] =
    [(64, [1.1e-4, 1.1e-2, 1.4e-2]), (256, [3.0e-3, 0.28, 0.31])];

/// What becomes of a solve in a format.
type Solve = fn(usize) -> Result<f64, BoxedError>;

/// The formats, and a solve in each.
pub const FORMATS: [(&str, Solve); 5] = [
    ("f64", best_residual::<f64>),
    ("f32", best_residual::<f32>),
    ("s16e7, to nearest", best_residual::<Nearest24>),
    ("s16e7, chopped", best_residual::<Chopped24>),
    ("f16", best_residual::<Half>),
];

/// The best true residual of each of [`FORMATS`] on a grid, relative to the right side.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Cells a side.
    pub side: usize,
    /// In the order of [`FORMATS`].
    pub residuals: [f64; FORMATS.len()],
}

/// Solves in all formats on a grid of so many cells a side, a power of two.
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

/// The best true residual that conjugate gradients reach from zero in 4 N iterations on the five-point
/// matrix of N² cells, all of it by our own programs in this arithmetic: the operations of section 3,
/// the product by diagonals. The CPU divides. The right side is one on a rectangle, else zero.
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
    let system = LinearSystem {
        space: &space,
        operator: &operator,
        preconditioner: None,
        b: &right_side,
    };
    let criteria = Criteria::exactly(4 * side);
    let mut best = f64::INFINITY;
    let mut x = space.vector(&vec![0.0; b.len()]);
    Workspace::new(&space)?.recursion(&system, &mut x, &criteria, |progress| {
        let x: Vec<f64> = progress.x.data().iter().map(|x| x.to_f64()).collect();
        // The lengths agree: both are of the grid.
        let residual = true_residual(&matrix, &b, &x).map_or(f64::NAN, |found| found.relative);
        best = best.min(residual);
    })?;
    Ok(best)
}

fn run(_: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sides: &[usize] = if options.quick { &SIDES[..1] } else { &SIDES };
    let rows: Vec<Row> = sides
        .iter()
        .map(|&side| row(side))
        .collect::<Result<_, _>>()?;
    let is_near = |row: &Row| {
        let known = INDEPENDENT.iter().find(|(side, _)| *side == row.side);
        known.is_none_or(|(_, known)| {
            let mut pairs = row.residuals[1..].iter().zip(known);
            pairs.all(|(found, known)| (1.0 / FACTOR..=FACTOR).contains(&(found / known)))
        })
    };
    let holds = rows.iter().all(is_near);
    let of_row = |row: &Row| {
        let [_, single, nearest, chopped, half] = row.residuals;
        let side = row.side;
        format!(
            "{side}²: {single:.1e} in 32, {nearest:.1e} and {chopped:.1e} in 24, {half:.1e} in 16 bits"
        )
    };
    let measured: Vec<String> = rows.iter().map(of_row).collect();
    let why = "The best residual of 4 N iterations, from x in double precision. How an R300 rounds was \
               not verified; between the two, by published measurements. Double precision reaches 1e-9 \
               and less.";
    let finding = PRECISION.judge(holds, measured.join("; "), why);
    Ok(vec![finding.with_figure(
        "kruger2003/precision.png",
        "The best residual that conjugate gradients leave of Poisson's equation in each format.",
        picture(&rows)?,
    )])
}

/// Residuals against sizes, PNG.
///
/// # Errors
/// If it cannot be drawn.
pub fn picture(rows: &[Row]) -> Result<Vec<u8>, PlotError> {
    let series = FORMATS.iter().enumerate().map(|(format, (name, _))| {
        let points = rows
            .iter()
            .map(|row| (row.side as f64, row.residuals[format]));
        Series::new(*name, Style::LinePoints, points)
    });
    chart(&Chart {
        title: "What conjugate gradients leave in the formats of 2003".into(),
        x: Axis::logarithmic("cells a side"),
        y: Axis::logarithmic("best true residual, of the right side's"),
        series: series.collect(),
        marks: Vec::new(),
    })
}
