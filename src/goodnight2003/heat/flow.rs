//! What heat goes where: sources against what leaves through the sides.

use crate::goodnight2003::{Problem, ProblemError, Side};

use super::Plate;

/// Heat a unit of time, in all and through the sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeatFlow {
    /// What the sources give.
    pub sources: f64,
    /// What leaves through each side; `None` where the plate is periodic.
    pub sides: [Option<f64>; 4],
}

impl HeatFlow {
    /// What leaves the plate.
    pub fn out(&self) -> f64 {
        self.sides.iter().flatten().sum()
    }

    /// What is neither left nor used up: zero once the equations are solved, on any grid, since what
    /// leaves a control volume enters the next.
    pub fn defect(&self) -> f64 {
        self.sources - self.out()
    }

    /// The larger of what is given and what passes through the sides, as a measure of the defect.
    pub fn scale(&self) -> f64 {
        let sides = self.sides.iter().flatten();
        self.sources.abs().max(sides.map(|flow| flow.abs()).sum())
    }
}

impl Plate {
    /// The heat that flows at these temperatures, one a node.
    ///
    /// A side with a prescribed slope, or with one that depends on the temperature, lets through
    /// what that says. Where the temperature is prescribed, what a control volume gets and does not
    /// pass on otherwise leaves through the side.
    ///
    /// # Errors
    /// Those of [`Problem::coefficients`].
    pub fn heat_flow(&self, temperature: &[f64]) -> Result<HeatFlow, ProblemError> {
        let problem = &self.problem;
        let coefficients = problem.coefficients(0)?;
        let (columns, rows) = problem.grid.size(0);
        let mut sources = 0.0;
        let mut sides = Side::ALL.map(|side| problem.boundaries.side(side).map(|_| 0.0));
        for row in 0..rows - u32::from(problem.grid.y.is_periodic()) {
            for column in 0..columns - u32::from(problem.grid.x.is_periodic()) {
                let node = (row * columns + column) as usize;
                let widths = [
                    problem.grid.x.width(0, column),
                    problem.grid.y.width(0, row),
                ];
                let source = -self.conductivity * problem.source[node] * widths[0] * widths[1];
                sources += source;
                let pieces = pieces(problem, (column, row), widths);
                if pieces.is_empty() {
                    continue;
                }
                let arrives = self.conductivity
                    * inflow(problem, &coefficients[node], (column, row), temperature);
                let above = temperature[node] - self.reference;
                self.leave(&pieces, above, source + arrives, &mut sides);
            }
        }
        Ok(HeatFlow { sources, sides })
    }

    /// Adds what leaves a control volume through its pieces of the sides.
    fn leave(&self, pieces: &[Piece], above: f64, available: f64, sides: &mut [Option<f64>; 4]) {
        let mut rest = available;
        let mut add = |side: Side, flow: f64| {
            if let Some(sum) = &mut sides[side as usize] {
                *sum += flow;
            }
        };
        for piece in pieces.iter().filter(|piece| !piece.condition.is_value()) {
            let c = piece.condition;
            let slope = (c.gamma - c.alpha * above) / c.beta;
            let flow = -self.conductivity * piece.length * slope;
            rest -= flow;
            add(piece.side, flow);
        }
        let held = || pieces.iter().filter(|piece| piece.condition.is_value());
        let length: f64 = held().map(|piece| piece.length).sum();
        for piece in held() {
            add(piece.side, rest * piece.length / length);
        }
    }
}

/// A control volume's piece of a side.
struct Piece {
    side: Side,
    length: f64,
    condition: crate::goodnight2003::Condition,
}

fn pieces(problem: &Problem, (column, row): (u32, u32), widths: [f64; 2]) -> Vec<Piece> {
    let (columns, rows) = problem.grid.size(0);
    let touching = [
        (column == 0).then_some((row, widths[1])),
        (column + 1 == columns).then_some((row, widths[1])),
        (row == 0).then_some((column, widths[0])),
        (row + 1 == rows).then_some((column, widths[0])),
    ];
    let pieces = Side::ALL
        .into_iter()
        .zip(touching)
        .filter_map(|(side, touching)| {
            let (node, length) = touching?;
            let condition = problem.boundaries.side(side)?[node as usize];
            Some(Piece {
                side,
                length,
                condition,
            })
        });
    pieces.collect()
}

/// Σ a_k (T_k − T) at a node.
fn inflow(problem: &Problem, a: &[f64; 4], (column, row): (u32, u32), t: &[f64]) -> f64 {
    let (columns, rows) = problem.grid.size(0);
    let at = |column: u32, row: u32| t[(row * columns + column) as usize];
    let before = |node: u32, nodes: u32| if node > 0 { node - 1 } else { nodes - 2 };
    let after = |node: u32, nodes: u32| if node + 1 < nodes { node + 1 } else { 1 };
    let neighbours = [
        at(before(column, columns), row),
        at(after(column, columns), row),
        at(column, before(row, rows)),
        at(column, after(row, rows)),
    ];
    let here = at(column, row);
    // Beyond a side that is not periodic the coefficient is zero.
    a.iter().zip(neighbours).map(|(a, t)| a * (t - here)).sum()
}
