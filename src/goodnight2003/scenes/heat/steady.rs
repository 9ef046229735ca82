//! The steady temperature of a plate, and where its heat goes.

use serde::Serialize;
use web_time::Instant;

use crate::base::error::counted;
use crate::goodnight2003::{Equations, Error, Refined, Settings, Solved, Solver, Test};
use crate::solver::{Criteria, Seconds};
use crate::stream::{Machine, Size};

use super::{HeatFlow, Plate};

/// A steady temperature.
#[derive(Debug, Clone, Serialize)]
pub struct Steady {
    /// Columns and rows of nodes.
    pub size: Size,
    /// Middle of the prescribed temperatures.
    pub reference_temperature: f64,
    /// Outcome of the solve.
    #[serde(flatten)]
    pub solved: Solved,
    /// Range of the temperature.
    pub temperature: Summary,
    /// Largest difference from the solution, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Heat per unit of time.
    pub heat: HeatFlow,
    /// Seconds by part.
    pub seconds: Seconds,
    /// The plate.
    #[serde(skip)]
    pub plate: Plate,
    /// T at every node, row by row from the south.
    #[serde(skip)]
    pub values: Vec<f64>,
}

/// The lowest, the highest and the mean value.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Summary {
    /// Lowest value.
    pub minimum: f64,
    /// Highest value.
    pub maximum: f64,
    /// Mean over the plate.
    pub mean: f64,
}

impl Steady {
    /// Solves a plate, with at most this number of corrections in double precision. `observer` receives the number of
    /// cycles done and the norm of the residual.
    pub fn solve(
        machine: &Machine,
        plate: Plate,
        settings: &Settings,
        criteria: &Criteria,
        corrections: usize,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Self, Error> {
        let start = Instant::now();
        // So that neither temperatures nor the squares of residuals leave the range of single precision.
        let scale = Equations::new(&plate.problem)?.power_of_two();
        let solver = Solver::new(machine, &plate.problem.scaled(scale), settings)?;
        let set_up = start.elapsed().as_secs_f64();
        // What an occlusion query counts has no unit.
        let unit = if settings.test == Test::Occlusion { 1.0 } else { scale };
        let scaled = Criteria { atol: criteria.atol * scale, ..*criteria };
        let shown = |cycles, found: f64| observer(cycles, found / unit);
        // The heat that is missing has a criterion of its own.
        let enough = |u: &[f64]| {
            let u: Vec<f64> = u.iter().map(|u| u / scale).collect();
            let HeatFlow { defect, turnover, .. } = plate.heat_flow(&plate.temperature(&u))?;
            Ok(defect.abs() <= 100.0 * criteria.rtol * turnover)
        };
        let Refined { mut solution, mut solved } =
            solver.solve_refined(&scaled, corrections, enough, shown)?;
        solution.iter_mut().for_each(|u| *u /= scale);
        solved.history.iter_mut().for_each(|found| *found /= unit);
        for norm in [&mut solved.residual, &mut solved.tolerance, &mut solved.rounding] {
            *norm /= scale;
        }
        if let Some(rows) = &mut solved.rows {
            rows.worst_residual /= scale;
            rows.error = rows.error.map(|error| error / scale);
        }
        let values = plate.temperature(&solution);
        let seconds = Seconds { set_up, solve: start.elapsed().as_secs_f64() - set_up };
        let temperature = Summary {
            minimum: values.iter().copied().fold(f64::INFINITY, f64::min),
            maximum: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean: plate.mean(&values),
        };
        Ok(Self {
            size: plate.problem.grid.size(0),
            reference_temperature: plate.reference,
            solved,
            temperature,
            error: None,
            heat: plate.heat_flow(&values)?,
            seconds,
            plate,
            values,
        })
    }

    /// x, y and T of every node.
    pub fn nodes(&self) -> impl Iterator<Item = [f64; 3]> {
        let grid = &self.plate.problem.grid;
        let points = grid.places(0).map(|place| grid.point(place));
        points.zip(&self.values).map(|([x, y], t)| [x, y, *t])
    }

    /// Size, cycles and range on one line.
    pub fn summary(&self) -> String {
        let (columns, rows) = self.size;
        let Summary { minimum, maximum, mean } = self.temperature;
        let cycles = counted(self.solved.cycles, "cycle");
        format!(
            "{columns} × {rows} nodes, {cycles}; from {minimum:.2} to {maximum:.2}, mean {mean:.2}"
        )
    }
}
