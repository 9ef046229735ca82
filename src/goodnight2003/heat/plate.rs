//! From a scene to a boundary value problem: ∇²T = −S/k.

use crate::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Problem, ProblemError, Side,
};
use crate::io::grey::nodes_of;
use crate::simulation::Setting;

use super::{Scene, SceneError};

/// A plate whose steady temperature is sought.
#[derive(Debug, Clone)]
pub struct Plate {
    /// ∇²U = −S/k for U = T − [`reference`](Self::reference).
    pub problem: Problem,
    /// The middle of the temperatures that the conditions prescribe. What is left to single
    /// precision is how far a temperature is from it.
    pub reference: f64,
    /// k, the thermal conductivity.
    pub conductivity: f64,
    /// Width and height.
    pub extent: [f64; 2],
}

impl Plate {
    /// The problem that a scene describes.
    ///
    /// # Errors
    /// [`SceneError`]: what is wrong, where, and the remedy. Whether a problem without prescribed
    /// temperatures has a solution, [`Problem::balance`] tells.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
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
        })
    }

    /// The same with an even source or sink over the whole plate that makes up for what sources and
    /// sides bring too much or too little, where no side holds a temperature: then there is a steady
    /// state. Returns the heat that it adds in all; 0 where nothing has to be done.
    pub fn make_up(&mut self) -> Result<f64, ProblemError> {
        let scales = self.problem.scales()?;
        match self.problem.balance(&scales) {
            Err(ProblemError::Incompatible(sum)) => {
                let even = sum / (self.extent[0] * self.extent[1]);
                self.problem.source.iter_mut().for_each(|f| *f -= even);
                Ok(self.conductivity * sum)
            }
            other => other.map(|()| 0.0),
        }
    }

    /// T at every node from what the solver has found. Where no side holds a temperature, its mean
    /// over the plate is zero.
    pub fn temperature(&self, solution: &[f64]) -> Vec<f64> {
        let shift = match self.problem.is_singular() {
            true => -self.mean(solution),
            false => self.reference,
        };
        solution.iter().map(|u| u + shift).collect()
    }

    /// The mean over the plate of values at its nodes.
    pub fn mean(&self, values: &[f64]) -> f64 {
        let grid = &self.problem.grid;
        let (columns, _) = grid.size(0);
        let part = |node: usize| {
            let (column, row) = (node as u32 % columns, node as u32 / columns);
            grid.x.width(0, column) * grid.y.width(0, row) * values[node]
        };
        grid.originals(0).map(part).sum::<f64>() / (self.extent[0] * self.extent[1])
    }
}

/// Cells between so many nodes; one at least, so that it is the axis that refuses fewer.
fn cells(nodes: u32) -> f64 {
    f64::from(nodes.max(2) - 1)
}

/// S at every node: the heat an area.
fn density(scene: &Scene, grid: &Grid) -> Result<Vec<f64>, SceneError> {
    let (columns, rows) = grid.size(0);
    let mut density = match &scene.picture {
        None => vec![0.0; grid.nodes(0)],
        Some(picture) => {
            let mut values = nodes_of(picture.grey.clone(), columns, rows);
            close(&mut values, grid);
            values
                .iter()
                .map(|&v| picture.white * f64::from(v))
                .collect()
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
fn boundaries(scene: &Scene, grid: &Grid) -> Result<(Boundaries, f64), SceneError> {
    let mut sides = Vec::new();
    for side in Side::ALL {
        let (axis, given) = (grid.along(side), &scene.sides[side as usize]);
        if grid.across(side).is_periodic() {
            if !given.0.is_empty() {
                return Err(ProblemError::OverDetermined(side).into());
            }
            continue;
        }
        if given.0.is_empty() && scene.otherwise.0.is_empty() {
            return Err(SceneError::NoCondition(side));
        }
        let slack = 1e-6 * axis.interval(0, 0);
        let mut conditions = Vec::new();
        for node in 0..axis.nodes(0) {
            let at = axis.position(0, node);
            let condition = given.at(at, slack).or(scene.otherwise.at(at, slack));
            conditions.push(condition.ok_or(SceneError::Gap { side, at })?);
        }
        sides.push((side, conditions));
    }
    let reference = reference(sides.iter().flat_map(|(_, conditions)| conditions));
    let shifted = |c: Condition| Condition {
        gamma: c.gamma - c.alpha * reference,
        ..c
    };
    let mut boundaries = Boundaries::new();
    for (side, conditions) in sides {
        boundaries = boundaries.with_each(side, conditions.into_iter().map(shifted).collect());
    }
    Ok((boundaries, reference))
}

/// The middle between the lowest and the highest temperature that conditions draw to; 0 without any.
fn reference<'a>(conditions: impl Iterator<Item = &'a Condition>) -> f64 {
    let held = conditions.filter(|c| c.alpha != 0.0);
    let temperatures = held.map(|c| c.gamma / c.alpha).filter(|t| t.is_finite());
    let (low, high) = temperatures.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| {
        (low.min(t), high.max(t))
    });
    if low <= high {
        0.5 * low + 0.5 * high
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goodnight2003::heat::{HeatSource, PictureSource, Shape, SideConditions, Strength};
    use image::{ImageBuffer, Luma};

    fn held() -> Scene {
        Scene {
            otherwise: SideConditions::all(Condition::value(20.0)),
            ..Scene::default()
        }
    }

    fn even(power: f64) -> HeatSource {
        HeatSource {
            name: "source 1".into(),
            shape: Shape::Rectangle {
                from: [-9.0; 2],
                to: [9.0; 2],
            },
            strength: Strength::Power(power),
        }
    }

    fn size_of(scene: &Scene) -> (u32, u32) {
        Plate::new(scene).unwrap().problem.grid.size(0)
    }

    #[test]
    fn what_is_not_said_has_square_cells() {
        assert_eq!(size_of(&held()), (257, 257));
        let mut scene = held();
        scene.extent = Some([1.0, 4.0]);
        assert_eq!(size_of(&scene), (65, 257));
        scene.size = Some((9, 6));
        assert_eq!(size_of(&scene), (9, 6));
        scene.extent = None;
        assert_eq!(Plate::new(&scene).unwrap().extent, [1.6, 1.0]);
        let mut scene = held();
        let grey = ImageBuffer::from_fn(8, 4, |x, y| Luma([(x + 8 * y) as f32]));
        scene.picture = Some(PictureSource { grey, white: 2.0 });
        scene.conductivity = 4.0;
        let problem = Plate::new(&scene).unwrap().problem;
        assert_eq!(problem.grid.size(0), (8, 4));
        // The picture's last row is the plate's first; f = -S/k.
        assert_eq!(problem.source[..3], [-12.0, -12.5, -13.0]);
    }

    #[test]
    fn conditions_are_those_of_what_is_above_the_reference() {
        let mut scene = held();
        *scene.side(Side::North) = SideConditions::all(Condition {
            alpha: 2.0,
            beta: 1.0,
            gamma: 60.0,
        });
        *scene.side(Side::West) = SideConditions::all(Condition::slope(7.0));
        let plate = Plate::new(&scene).unwrap();
        assert_eq!(plate.reference, 25.0);
        let gamma = |side| plate.problem.boundaries.side(side).unwrap()[3].gamma;
        let all = Side::ALL.map(gamma);
        assert_eq!(all, [7.0, -5.0, -5.0, 10.0]);
        let found = plate.temperature(&vec![-5.0; 257 * 257]);
        assert_eq!((found[0], plate.mean(&found)), (20.0, 20.0));
    }

    #[test]
    fn sides_are_complete_and_not_said_twice() {
        let error = Plate::new(&Scene::default()).unwrap_err();
        assert_eq!(error, SceneError::NoCondition(Side::West));
        let mut scene = held();
        scene.periodic = [true, false];
        assert!(Plate::new(&scene).is_ok());
        *scene.side(Side::East) = SideConditions::all(Condition::value(1.0));
        let error = Plate::new(&scene).unwrap_err();
        let east = ProblemError::OverDetermined(Side::East);
        assert_eq!(error, SceneError::Problem(east));
        let mut scene = Scene::default();
        for side in Side::ALL {
            *scene.side(side) = SideConditions::all(Condition::value(1.0));
        }
        scene.side(Side::South).0[0].to = 0.5;
        let gap =
            |e| matches!(e, SceneError::Gap { side: Side::South, at } if at > 0.5 && at < 0.51);
        assert!(gap(Plate::new(&scene).unwrap_err()));
        scene.otherwise = SideConditions::all(Condition::slope(0.0));
        let south = Plate::new(&scene).unwrap().problem;
        let south = south.boundaries.side(Side::South).unwrap();
        assert!(south[128].is_value() && !south[129].is_value());
    }

    #[test]
    fn a_surplus_is_made_up_for_where_nothing_holds_the_temperature() {
        let mut scene = held();
        scene.conductivity = 0.5;
        scene.sources.push(even(3.0));
        assert_eq!(Plate::new(&scene).unwrap().make_up(), Ok(0.0));
        scene.otherwise = SideConditions::all(Condition::slope(0.25));
        let mut plate = Plate::new(&scene).unwrap();
        // The sides bring k times slope times circumference.
        let added = plate.make_up().unwrap();
        assert!((added + 3.5).abs() < 1e-9, "{added}");
        let scales = plate.problem.scales().unwrap();
        assert_eq!(plate.problem.balance(&scales), Ok(()));
    }

    #[test]
    fn a_picture_on_a_periodic_plate_is_closed() {
        let mut scene = held();
        scene.periodic = [true, true];
        scene.otherwise = SideConditions::default();
        let grey = ImageBuffer::from_fn(9, 5, |x, y| Luma([(x * y) as f32]));
        scene.picture = Some(PictureSource { grey, white: 1.0 });
        let source = Plate::new(&scene).unwrap().problem.source;
        for row in 0..5 {
            assert_eq!(source[9 * row], source[9 * row + 8]);
        }
        assert_eq!(source[..9], source[36..]);
    }
}
