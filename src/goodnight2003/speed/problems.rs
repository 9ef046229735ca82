//! Problems and settings for timings.

use std::f64::consts::TAU;

use crate::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Problem, ProblemError, Side,
};

/// The far radius of the flow problem, in radii of the cylinder.
const FAR: f64 = 20.0;

/// The stream function around a cylinder on n² nodes: ln r along the columns, the angle, which is
/// periodic, along the rows; prescribed on the cylinder and far away. The problem of Figs. 3 and 4.
pub fn flow(n: u32) -> Result<Problem, ProblemError> {
    let intervals = f64::from(n.max(2) - 1);
    let grid = Grid {
        x: Axis::new(n, 0.0, FAR.ln() / intervals)?,
        y: Axis::periodic(n, 0.0, TAU / intervals)?,
    };
    let far = (0..n).map(|row| Condition::value((FAR - 1.0 / FAR) * grid.y.position(0, row).sin()));
    let boundaries = Boundaries::new()
        .with(&grid, Side::West, Condition::value(0.0))
        .with_each(Side::East, far.collect());
    let source = vec![0.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}

/// A plate on n² nodes, heated evenly and kept cold along its sides. The problem of Fig. 2.
pub fn plate(n: u32) -> Result<Problem, ProblemError> {
    let grid = Grid::unit(n, n)?;
    let boundaries = Boundaries::all(&grid, Condition::value(0.0));
    let source = vec![-1.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}
