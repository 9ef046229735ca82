//! The problems of the paper's experiments that are stated without a scene.

use std::f64::consts::TAU;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goodnight2003::{Axis, Boundaries, Condition, Error, Grid, Metric, Problem, Side};
use crate::stream::Size;

/// A problem that is stated without a scene. Its unknown has no unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stated {
    /// An evenly heated square with cold sides (Fig. 2)
    Plate,
    /// The stream function around a cylinder, by the logarithm of the radius and the angle (Figs. 3 and 4)
    Flow,
    /// A known solution, with --coordinates and --boundary
    Manufactured,
}

/// The far radius of the flow problem, in radii of the cylinder.
const FAR: f64 = 20.0;

/// The stream function around a cylinder: ln r along the columns, the angle, which is
/// periodic, along the rows; prescribed on the cylinder and far away. The problem of Figs. 3 and 4.
pub fn flow((columns, rows): Size) -> Result<Problem, Error> {
    let intervals = |nodes: u32| f64::from(nodes.max(2) - 1);
    let grid = Grid {
        x: Axis::new(columns, 0.0, FAR.ln() / intervals(columns))?,
        y: Axis::periodic(rows, 0.0, TAU / intervals(rows))?,
    };
    let far =
        (0..rows).map(|row| Condition::value((FAR - 1.0 / FAR) * grid.y.position(0, row).sin()));
    let boundaries = Boundaries::new()
        .with(&grid, Side::West, Condition::value(0.0))
        .with_each(Side::East, far.collect());
    let source = vec![0.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}

/// A plate, heated evenly and kept cold along its sides. The problem of Fig. 2.
pub fn plate((columns, rows): Size) -> Result<Problem, Error> {
    let grid = Grid::unit(columns, rows)?;
    let boundaries = Boundaries::all(&grid, Condition::value(0.0));
    let source = vec![-1.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}
