//! Heat sources: rectangles, discs and Gaussian spots, spread over the control volumes of a grid.

use crate::goodnight2003::{Axis, Grid};

use super::SceneError;

/// Points along a control volume at which a curved shape is sampled.
const SAMPLES: u32 = 16;

/// Radius of a Gaussian spot, in standard deviations.
const REACH: f64 = 6.0;

/// Shape of a source. Coordinates have their origin in the south-west corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Uniform between two opposite corners.
    Rectangle {
        /// The south-west corner.
        from: [f64; 2],
        /// The north-east corner.
        to: [f64; 2],
    },
    /// Uniform in a disc.
    Disc {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// exp(−r²/2σ²), where r is the distance from a centre.
    Gaussian {
        /// The centre.
        centre: [f64; 2],
        /// σ, the standard deviation.
        deviation: f64,
    },
}

/// Strength of a source; negative if heat is removed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// In total, per unit of the plate's thickness and of time.
    Power(f64),
    /// Per unit area; for a Gaussian spot, at its centre.
    Density(f64),
}

/// A source.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatSource {
    /// Name in messages, as in `source 2 (line 14)`.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its strength.
    pub strength: Strength,
}

impl HeatSource {
    /// Checks that the numbers define a source.
    pub fn check(&self) -> Result<(), &'static str> {
        let (Strength::Power(strength) | Strength::Density(strength)) = self.strength;
        let bounds = self.shape.bounds();
        let is_finite = |number: &f64| (*number as f32).is_finite();
        if !bounds.as_flattened().iter().all(is_finite) || !is_finite(&strength) {
            return Err("a number is not finite in single precision");
        }
        let [[west, south], [east, north]] = bounds;
        if west < east && south < north {
            return Ok(());
        }
        Err(match self.shape {
            Shape::Rectangle { .. } => {
                "from must be its south-west corner and to its north-east corner"
            }
            Shape::Disc { .. } => "the radius is not above zero",
            Shape::Gaussian { .. } => "the deviation is not above zero",
        })
    }

    /// Adds this source to the density at each node of the finest grid. A control volume receives
    /// the integral over it, so that the sum over the plate is the source's power. Across a
    /// periodic side the source continues at the opposite one; outside other sides there is no plate, and the
    /// power is that of the part on the plate.
    pub fn add_to(&self, grid: &Grid, density: &mut [f64]) -> Result<(), SceneError> {
        let amounts = self.amounts(grid);
        let total: f64 = amounts.iter().map(|(_, integral)| integral).sum();
        if total <= 0.0 {
            let [width, height] = [&grid.x, &grid.y].map(length);
            return Err(SceneError::Beside {
                source_name: self.name.clone(),
                width,
                height,
            });
        }
        let scale = match self.strength {
            Strength::Power(power) => power / total,
            Strength::Density(density) => density,
        };
        let (columns, rows) = grid.size(0);
        for ((column, row), integral) in amounts {
            let volume = grid.x.width(0, column) * grid.y.width(0, row);
            for j in replicas(&grid.y, row, rows) {
                for i in replicas(&grid.x, column, columns) {
                    let density = &mut density[(j * columns + i) as usize];
                    *density += scale * integral / volume;
                    if !(*density as f32).is_finite() {
                        return Err(SceneError::TooStrong(self.name.clone()));
                    }
                }
            }
        }
        Ok(())
    }

    /// The integral of the shape over each control volume (or piece of one) that it overlaps, without
    /// replicas.
    fn amounts(&self, grid: &Grid) -> Vec<((u32, u32), f64)> {
        let [[west, south], [east, north]] = self.shape.bounds();
        let across = cells(&grid.x, west, east);
        let mut all = Vec::new();
        for (row, y) in cells(&grid.y, south, north) {
            let amount = |&(column, x)| ((column, row), self.shape.integral(x, y));
            all.extend(across.iter().map(amount));
        }
        all
    }
}

/// Start and end.
type Interval = [f64; 2];

impl Shape {
    /// The south-west and the north-east corner of the shape's bounding box.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let around =
            |centre: [f64; 2], reach: f64| [centre.map(|c| c - reach), centre.map(|c| c + reach)];
        match *self {
            Shape::Rectangle { from, to } => [from, to],
            Shape::Disc { centre, radius } => around(centre, radius),
            Shape::Gaussian { centre, deviation } => around(centre, REACH * deviation),
        }
    }

    /// The integral over a rectangle within the bounds.
    fn integral(&self, x: Interval, y: Interval) -> f64 {
        match *self {
            Shape::Rectangle { .. } => (x[1] - x[0]) * (y[1] - y[0]),
            // Chords are exact, their sum is by the midpoint rule.
            Shape::Disc { centre, radius } => midpoints(x, |x| {
                let half = (radius * radius - (x - centre[0]).powi(2)).max(0.0).sqrt();
                overlap(y, [centre[1] - half, centre[1] + half]).map_or(0.0, |[a, b]| b - a)
            }),
            Shape::Gaussian { centre, deviation } => {
                let bell =
                    |centre: f64| move |at: f64| (-0.5 * ((at - centre) / deviation).powi(2)).exp();
                midpoints(x, bell(centre[0])) * midpoints(y, bell(centre[1]))
            }
        }
    }
}

/// The integral of a function by the midpoint rule.
fn midpoints([from, to]: Interval, function: impl Fn(f64) -> f64) -> f64 {
    let step = (to - from) / f64::from(SAMPLES);
    let places = (0..SAMPLES).map(|k| from + (f64::from(k) + 0.5) * step);
    places.map(function).sum::<f64>() * step
}

/// The common part of two intervals, if it is more than a point.
fn overlap(a: Interval, b: Interval) -> Option<Interval> {
    let both = [a[0].max(b[0]), a[1].min(b[1])];
    (both[0] < both[1]).then_some(both)
}

/// The nodes whose control volumes overlap an interval, and the overlaps. On a periodic
/// axis the interval may be up to a period away, and the replica is left out.
fn cells(axis: &Axis, from: f64, to: f64) -> Vec<(u32, Interval)> {
    let nodes = axis.nodes(0);
    let (count, shifts) = if axis.is_periodic() {
        (nodes - 1, [-1.0, 0.0, 1.0].as_slice())
    } else {
        (nodes, [0.0].as_slice())
    };
    let mut found = Vec::new();
    for node in 0..count {
        let at = axis.position(0, node);
        let [before, after] = [axis.before(0, node), axis.after(0, node)];
        let half = |interval: Option<f64>| 0.5 * interval.unwrap_or(0.0);
        let own = [at - half(before), at + half(after)];
        for shift in shifts {
            let shifted = own.map(|end| end + shift * length(axis));
            found.extend(overlap(shifted, [from, to]).map(|piece| (node, piece)));
        }
    }
    found
}

/// A node and, if it is the first one of a period, its replica.
fn replicas(axis: &Axis, node: u32, nodes: u32) -> impl Iterator<Item = u32> {
    let replica = (axis.is_periodic() && node == 0).then_some(nodes - 1);
    std::iter::once(node).chain(replica)
}

/// Distance from the first node to the last.
fn length(axis: &Axis) -> f64 {
    axis.position(0, axis.nodes(0) - 1) - axis.position(0, 0)
}
