//! The steady flow in a box with a moving lid, compared with a published solution.
//!
//! Ghia, Ghia and Shin, *High-Re solutions for incompressible flow using the Navier–Stokes equations
//! and a multigrid method*, J. Comput. Phys. 48 (1982), tables I and II, at the Reynolds number 100.

use crate::kruger2003::{Fluid, SimulationError};

/// u on the vertical line through the middle: height relative to the side, speed relative to the
/// lid's.
pub const GHIA_U: [[f64; 2]; 15] = [
    [0.0547, -0.03717],
    [0.0625, -0.04192],
    [0.0703, -0.04775],
    [0.1016, -0.06434],
    [0.1719, -0.10150],
    [0.2813, -0.15662],
    [0.4531, -0.21090],
    [0.5000, -0.20581],
    [0.6172, -0.13641],
    [0.7344, 0.00332],
    [0.8516, 0.23151],
    [0.9531, 0.68717],
    [0.9609, 0.73722],
    [0.9688, 0.78871],
    [0.9766, 0.84123],
];

/// v on the horizontal line through the middle, in the same units.
pub const GHIA_V: [[f64; 2]; 15] = [
    [0.0625, 0.09233],
    [0.0703, 0.10091],
    [0.0781, 0.10890],
    [0.0938, 0.12317],
    [0.1563, 0.16077],
    [0.2266, 0.17507],
    [0.2344, 0.17527],
    [0.5000, 0.05454],
    [0.8047, -0.24533],
    [0.8594, -0.22445],
    [0.9063, -0.16914],
    [0.9453, -0.10313],
    [0.9531, -0.08864],
    [0.9609, -0.07391],
    [0.9688, -0.05906],
];

/// The velocity on the lines through the middle of a square box whose lid has speed 1: positions
/// relative to the side, including the walls.
#[derive(Debug, Clone, PartialEq)]
pub struct CentreLines {
    /// u from the bottom to the lid.
    pub u: Vec<[f64; 2]>,
    /// v from left to right.
    pub v: Vec<[f64; 2]>,
}

impl CentreLines {
    /// Reads them from a fluid.
    pub fn of(fluid: &Fluid) -> Result<Self, SimulationError> {
        let side = fluid.settings().size.0 as usize;
        let velocity = fluid.read_velocity()?;
        let at = |x: usize, y: usize| velocity[y * (side + 1) + x].map(f64::from);
        // With an odd number of cells the middle is between two sides of cells.
        let middle = [side / 2, side.div_ceil(2)];
        let place = |cell: usize| (cell as f64 + 0.5) / side as f64;
        let line = |component: usize, end: f64, at: &dyn Fn(usize, usize) -> [f64; 2]| {
            let inner = (0..side).map(|cell| {
                let [a, b] = middle.map(|face| at(face, cell)[component]);
                [place(cell), (a + b) / 2.0]
            });
            let mut line = vec![[0.0, 0.0]];
            line.extend(inner);
            line.push([1.0, end]);
            line
        };
        Ok(Self {
            u: line(0, 1.0, &at),
            v: line(1, 0.0, &|face, cell| at(cell, face)),
        })
    }

    /// Largest differences of u and v from the published values, relative to the largest published one.
    pub fn deviations(&self) -> [f64; 2] {
        [(&self.u, &GHIA_U), (&self.v, &GHIA_V)].map(|(line, table)| {
            let largest = table.iter().fold(0.0_f64, |m, [_, v]| m.max(v.abs()));
            let off = |[place, value]: &[f64; 2]| (interpolated(line, *place) - value).abs();
            table.iter().map(off).fold(0.0, f64::max) / largest
        })
    }

    /// Largest difference between two, relative to the lid's speed.
    pub fn distance(&self, other: &Self) -> f64 {
        let pairs = self.u.iter().zip(&other.u);
        let pairs = pairs.chain(self.v.iter().zip(&other.v));
        pairs.map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max)
    }
}

/// The value at a position between the first and the last of a line.
fn interpolated(line: &[[f64; 2]], place: f64) -> f64 {
    let above = line.partition_point(|point| point[0] < place);
    let above = above.clamp(1, line.len() - 1);
    let ([x0, y0], [x1, y1]) = (line[above - 1], line[above]);
    y0 + (y1 - y0) * (place - x0) / (x1 - x0)
}

/// Runs until nothing on the lines through the middle changes by more than `change` of the lid's speed, in the time
/// in which the lid moves by half a side, and returns the lines. Gives up after the lid
/// has moved by a hundred sides.
pub fn run_until_steady(fluid: &mut Fluid, change: f64) -> Result<CentreLines, SimulationError> {
    let settings = *fluid.settings();
    let steps = (0.5 * f64::from(settings.size.0) / settings.dt).ceil() as usize;
    let mut lines = CentreLines::of(fluid)?;
    for _ in 0..200 {
        for _ in 0..steps {
            fluid.step()?;
        }
        let next = CentreLines::of(fluid)?;
        let distance = next.distance(&lines);
        lines = next;
        if distance < change {
            break;
        }
    }
    Ok(lines)
}

/// Starts with the velocity of another fluid in a box, interpolated to a box of this side, which is close to the
/// steady state. Walls keep the values that they impose.
pub fn start_from(fluid: &mut Fluid, other: &Fluid) -> Result<(), SimulationError> {
    let velocity = other.read_velocity()?;
    let columns = other.settings().size.0 as usize + 1;
    let scale = f64::from(other.settings().size.0) / f64::from(fluid.settings().size.0);
    // Between the four records around a position; u and v are offset by half a cell.
    let read = |component: usize, [x, y]: [f64; 2]| {
        let last = (columns - 1) as f64;
        let (x, y) = (x.clamp(0.0, last), y.clamp(0.0, last));
        let (left, low) = (x.floor().min(last - 1.0), y.floor().min(last - 1.0));
        let (dx, dy) = (x - left, y - low);
        let record = |dx: usize, dy: usize| {
            let index = (low as usize + dy) * columns + left as usize + dx;
            f64::from(velocity[index][component])
        };
        let lower = (1.0 - dx) * record(0, 0) + dx * record(1, 0);
        let upper = (1.0 - dx) * record(0, 1) + dx * record(1, 1);
        (1.0 - dy) * lower + dy * upper
    };
    fluid.set_velocity(|place| {
        let [x, y] = place.map(|v| v * scale);
        [read(0, [x, y - 0.5]), read(1, [x - 0.5, y])]
    })
}
