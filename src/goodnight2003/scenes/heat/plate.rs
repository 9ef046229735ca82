//! The boundary value problem of a scene: ∇²T = −S/k.

use crate::goodnight2003::{Axis, Boundaries, Condition, Error, Grid, Metric, Problem, Side};
use crate::io::grey::nodes_of;
use crate::scene::Setting;

use super::Scene;

/// A plate with unknown steady temperature.
#[derive(Debug, Clone)]
pub struct Plate {
    /// ∇²U = −S/k for U = T − [`reference`](Self::reference).
    pub problem: Problem,
    /// The middle of the prescribed temperatures. Single precision only has to represent the
    /// difference of a temperature from it.
    pub reference: f64,
    /// k, the thermal conductivity.
    pub conductivity: f64,
    /// Width and height.
    pub extent: [f64; 2],
    /// Total heat that [`make_up`](Self::make_up) has added.
    pub made_up: f64,
}

impl Plate {
    /// Builds the problem of a scene.
    /// [`Equations::balance`](crate::goodnight2003::Equations::balance) tests whether a problem without prescribed
    /// temperatures has a solution.
    pub fn new(scene: &Scene) -> Result<Self, Error> {
        let conductivity = scene.conductivity;
        Setting::positive("the conductivity", conductivity)?;
        let (columns, rows) = scene.nodes();
        let extent = match scene.extent {
            Some([width, height]) => {
                Setting::positive("the width of the plate", width)?;
                Setting::positive("the height of the plate", height)?;
                [width, height]
            }
            None => [cells(columns) / cells(rows), 1.0],
        };
        let axis = |nodes, extent: f64, periodic| {
            let axis = if periodic { Axis::periodic } else { Axis::new };
            axis(nodes, 0.0, extent / cells(nodes))
        };
        let grid = Grid {
            x: axis(columns, extent[0], scene.periodic[0])?,
            y: axis(rows, extent[1], scene.periodic[1])?,
        };
        let (boundaries, reference) = boundaries(scene, &grid)?;
        let mut source = density(scene, &grid)?;
        source.iter_mut().for_each(|s| *s /= -conductivity);
        Ok(Self {
            problem: Problem::new(grid, Metric::cartesian(), boundaries, source)?,
            reference,
            conductivity,
            extent,
            made_up: 0.0,
        })
    }

    /// The plate of a problem whose unknown has no unit.
    pub fn stated(problem: Problem) -> Self {
        let (x, y) = (&problem.grid.x, &problem.grid.y);
        let length = |axis: &Axis| axis.position(0, axis.nodes(0) - 1) - axis.position(0, 0);
        let extent = [length(x), length(y)];
        Self { problem, reference: 0.0, conductivity: 1.0, extent, made_up: 0.0 }
    }

    /// If no temperature is prescribed on any side, adds a uniform source or sink over the plate that
    /// balances the sources and sides, so that there is a steady
    /// state. Returns the total heat added; 0 if nothing is necessary.
    pub fn make_up(&mut self) -> Result<f64, Error> {
        self.made_up += self.conductivity * self.problem.make_compatible()?;
        Ok(self.made_up)
    }

    /// Computes T at every node from the solver's solution. If no temperature is prescribed on any side, its mean
    /// over the plate is zero.
    pub fn temperature(&self, solution: &[f64]) -> Vec<f64> {
        let shift = if self.problem.is_singular() { -self.mean(solution) } else { self.reference };
        solution.iter().map(|u| u + shift).collect()
    }

    /// The mean over the plate of values at its nodes.
    pub fn mean(&self, values: &[f64]) -> f64 {
        let Problem { grid, metric, .. } = &self.problem;
        let sums = grid.originals(0).fold([0.0; 2], |[sum, all], node| {
            let place = grid.place(node);
            let [xi, eta] = grid.point(place);
            let [h1, h2, _] = metric.at(xi, eta).unwrap_or([1.0; 3]);
            let area = h1 * h2 * grid.x.width(0, place.0) * grid.y.width(0, place.1);
            [sum + area * values[node], all + area]
        });
        sums[0] / sums[1]
    }
}

/// Cells between the nodes; at least one, so that the axis itself rejects too few nodes.
fn cells(nodes: u32) -> f64 {
    f64::from(nodes.max(2) - 1)
}

/// S at every node: the heat per unit area.
fn density(scene: &Scene, grid: &Grid) -> Result<Vec<f64>, Error> {
    let (columns, rows) = grid.size(0);
    let mut density = match &scene.picture {
        None => vec![0.0; grid.nodes(0)],
        Some(picture) => {
            let mut values = nodes_of(picture.grey.clone(), columns, rows);
            close(&mut values, grid);
            let heat = values.iter().map(|&v| picture.white * f64::from(v));
            heat.collect()
        }
    };
    for source in &scene.sources {
        source.add_to(grid, &mut density)?;
    }
    Ok(density)
}

/// Copies the first column and row onto their replicas.
fn close(values: &mut [f32], grid: &Grid) {
    let (columns, rows) = grid.size(0);
    let (columns, last) = (columns as usize, rows as usize - 1);
    if grid.x.is_periodic() {
        for row in values.chunks_exact_mut(columns) {
            row[columns - 1] = row[0];
        }
    }
    if grid.y.is_periodic() {
        values.copy_within(..columns, last * columns);
    }
}

/// The conditions for U = T − reference, and the reference.
fn boundaries(scene: &Scene, grid: &Grid) -> Result<(Boundaries, f64), Error> {
    let mut sides = Vec::new();
    for side in Side::ALL {
        let (axis, given) = (grid.along(side), &scene.sides[side as usize]);
        if grid.across(side).is_periodic() {
            if !given.0.is_empty() {
                return Err(Error::OverDetermined(side));
            }
            continue;
        }
        if given.0.is_empty() && scene.otherwise.0.is_empty() {
            return Err(Error::NoCondition(side));
        }
        let slack = 1e-6 * axis.interval(0, 0);
        let mut conditions = Vec::new();
        for node in 0..axis.nodes(0) {
            let at = axis.position(0, node);
            let condition = given.at(at, slack).or(scene.otherwise.at(at, slack));
            conditions.push(condition.ok_or(Error::Gap { side, at })?);
        }
        sides.push((side, conditions));
    }
    let reference = reference(sides.iter().flat_map(|(_, conditions)| conditions));
    let shifted = |c: Condition| Condition { gamma: c.gamma - c.alpha * reference, ..c };
    let mut boundaries = Boundaries::new();
    for (side, conditions) in sides {
        boundaries = boundaries.with_each(side, conditions.into_iter().map(shifted).collect());
    }
    Ok((boundaries, reference))
}

/// The middle between the lowest and the highest temperature of the conditions; 0 without conditions.
fn reference<'a>(conditions: impl Iterator<Item = &'a Condition>) -> f64 {
    let held = conditions.filter(|c| c.alpha != 0.0);
    let temperatures = held.map(|c| c.gamma / c.alpha).filter(|t| t.is_finite());
    let (low, high) = temperatures
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| (low.min(t), high.max(t)));
    if low <= high { 0.5 * low + 0.5 * high } else { 0.0 }
}
