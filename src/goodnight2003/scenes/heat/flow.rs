//! Heat flow: sources against the flow through the sides.

use serde::{Serialize, Serializer};

use crate::goodnight2003::{Condition, Error, Problem, Side};

use super::Plate;

/// Heat per unit of time, in total and through the sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HeatFlow {
    /// Heat from the sources.
    pub sources: f64,
    /// Part of it that [`Plate::make_up`] has added.
    pub made_up: f64,
    /// Outflow through each side; `None` for a periodic side.
    #[serde(flatten, serialize_with = "by_name")]
    pub sides: [Option<f64>; 4],
    /// All heat given or taken, inside or at sides, by magnitude: the measure for a defect.
    pub turnover: f64,
    /// Sources minus outflow: zero once the equations are solved, on any grid, since heat that
    /// leaves a control volume enters the next.
    pub defect: f64,
}

fn by_name<S: Serializer>(sides: &[Option<f64>; 4], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Side::ALL.map(|side| side.to_string()).iter().zip(sides))
}

impl Plate {
    /// Computes the heat flow for these temperatures, one per node.
    ///
    /// The flux through a side is the one its condition prescribes. Where the temperature is prescribed
    /// it is the residual of the node's balance: the heat that a control volume receives and does not
    /// pass on otherwise.
    pub fn heat_flow(&self, temperature: &[f64]) -> Result<HeatFlow, Error> {
        let problem = &self.problem;
        let coefficients = problem.coefficients()?;
        let mut flow = HeatFlow {
            sources: 0.0,
            made_up: self.made_up,
            sides: Side::ALL.map(|side| problem.boundaries.side(side).map(|_| 0.0)),
            turnover: 0.0,
            defect: 0.0,
        };
        for node in problem.grid.originals(0) {
            let place = problem.grid.place(node);
            let (x, y) = (&problem.grid.x, &problem.grid.y);
            let [xi, eta] = problem.grid.point(place);
            let [h1, h2, k] = problem.metric_at(xi, eta)?;
            let widths = [h1 * x.width(0, place.0), h2 * y.width(0, place.1)];
            let source = -self.conductivity * problem.source[node] * widths[0] * widths[1];
            flow.sources += source;
            flow.turnover += source.abs();
            let (grid, lengths) = (&problem.grid, [k * widths[1], k * widths[0]]);
            let pieces: Vec<_> = problem.boundaries.pieces(grid, place, lengths).collect();
            if pieces.is_empty() {
                continue;
            }
            let arrives = inflow(problem, &coefficients[node], place, temperature)
                .map(|flow| self.conductivity * flow);
            let above = temperature[node] - self.reference;
            self.leave(&pieces, above, source, arrives, &mut flow);
        }
        flow.defect = flow.sources - flow.sides.iter().flatten().sum::<f64>();
        Ok(flow)
    }

    /// Adds the outflow of a control volume through its pieces of the sides, given its source and the
    /// inflow along x and along y.
    fn leave(
        &self,
        pieces: &[(Side, Condition, f64)],
        above: f64,
        source: f64,
        arrives: [f64; 2],
        total: &mut HeatFlow,
    ) {
        let mut rest = source + arrives[0] + arrives[1];
        let mut add = |side: Side, flow: f64| {
            total.turnover += flow.abs();
            if let Some(sum) = &mut total.sides[side as usize] {
                *sum += flow;
            }
        };
        for (side, c, length) in pieces.iter().filter(|(_, c, _)| !c.is_value()) {
            let slope = (c.gamma - c.alpha * above) / c.beta;
            let flow = -self.conductivity * length * slope;
            rest -= flow;
            add(*side, flow);
        }
        let held = pieces.iter().filter(|(_, c, _)| c.is_value());
        let held: Vec<Side> = held.map(|(side, ..)| *side).collect();
        match held[..] {
            [] => {}
            [only] => add(only, rest),
            // At a corner, heat continues in its direction, through the side that it meets.
            _ => {
                for side in held {
                    let along = match side {
                        Side::West | Side::East => arrives[0],
                        Side::South | Side::North => arrives[1],
                    };
                    add(side, along + 0.5 * source);
                }
            }
        }
    }
}

/// Σ a_k (T_k − T) at a node, along x and along y.
fn inflow(problem: &Problem, a: &[f64; 4], (column, row): (u32, u32), t: &[f64]) -> [f64; 2] {
    let (columns, rows) = problem.grid.size(0);
    let here = t[(row * columns + column) as usize];
    let from = |a: f64, column: u32, row: u32| a * (t[(row * columns + column) as usize] - here);
    // Outside a side that is not periodic the coefficient is zero.
    let before = |node: u32, nodes: u32| if node > 0 { node - 1 } else { nodes - 2 };
    let after = |node: u32, nodes: u32| if node + 1 < nodes { node + 1 } else { 1 };
    [
        from(a[0], before(column, columns), row) + from(a[1], after(column, columns), row),
        from(a[2], column, before(row, rows)) + from(a[3], column, after(row, rows)),
    ]
}
