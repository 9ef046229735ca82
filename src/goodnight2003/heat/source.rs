//! Heat sources: rectangles, discs and Gaussian spots, spread over the control volumes of a grid.

use crate::goodnight2003::{Axis, Grid};

use super::SceneError;

/// Places along a control volume at which a curved shape is looked at.
const SAMPLES: u32 = 16;

/// A Gaussian spot ends at so many standard deviations.
const REACH: f64 = 6.0;

/// Where heat comes from. Coordinates have their origin in the south-west corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Everywhere alike between two opposite corners.
    Rectangle {
        /// The south-west corner.
        from: [f64; 2],
        /// The north-east corner.
        to: [f64; 2],
    },
    /// Everywhere alike in a disc.
    Disc {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// exp(−r²/2σ²), r the distance from a centre.
    Gaussian {
        /// The centre.
        centre: [f64; 2],
        /// σ, the standard deviation.
        deviation: f64,
    },
}

/// How much heat; negative: it is taken away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// In all, a unit of the plate's thickness and of time.
    Power(f64),
    /// An area; of a Gaussian spot, in its centre.
    Density(f64),
}

/// A source.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatSource {
    /// What messages call it, as in `source 2 (line 14)`.
    pub name: String,
    /// Where it is.
    pub shape: Shape,
    /// How strong it is.
    pub strength: Strength,
}

impl HeatSource {
    /// Whether the numbers are such that the source means something.
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
            Shape::Rectangle { .. } => "from is its south-west corner and to its north-east one",
            Shape::Disc { .. } => "the radius is not above zero",
            Shape::Gaussian { .. } => "the deviation is not above zero",
        })
    }

    /// Adds this source to what each node of the finest grid gets an area. What a control volume
    /// gets is the integral over it, so that the sum over the plate is the source's power. Beyond a
    /// periodic side the source goes on at the other one; beyond others there is no plate, and the
    /// power is that of the part on it.
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

    /// The integral of the shape over (a piece of) each control volume that it reaches; replicas left
    /// out.
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

/// From where to where.
type Interval = [f64; 2];

impl Shape {
    /// The south-west and the north-east corner of what the shape covers.
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

/// Where two intervals have more than a point in common.
fn overlap(a: Interval, b: Interval) -> Option<Interval> {
    let both = [a[0].max(b[0]), a[1].min(b[1])];
    (both[0] < both[1]).then_some(both)
}

/// The nodes whose control volumes reach into an interval, and the pieces that do. On a periodic
/// axis the interval may lie up to a period away, and the replica is left out.
fn cells(axis: &Axis, from: f64, to: f64) -> Vec<(u32, Interval)> {
    let nodes = axis.nodes(0);
    let (count, shifts) = match axis.is_periodic() {
        true => (nodes - 1, [-1.0, 0.0, 1.0].as_slice()),
        false => (nodes, [0.0].as_slice()),
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

/// From the first node to the last.
fn length(axis: &Axis) -> f64 {
    axis.position(0, axis.nodes(0) - 1) - axis.position(0, 0)
}
