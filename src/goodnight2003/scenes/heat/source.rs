//! Heat sources: rectangles, spread over the control volumes of a grid.

use crate::goodnight2003::{Axis, Error, Grid};

/// Strength of a source; negative if heat is removed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// In total, per unit of the plate's thickness and of time.
    Power(f64),
    /// Per unit area.
    Density(f64),
}

/// A rectangle with uniform heat. Coordinates have their origin in the south-west corner of the plate.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatSource {
    /// Name in messages, as in `source 2 (line 14)`.
    pub name: String,
    /// The south-west corner.
    pub from: [f64; 2],
    /// The north-east corner.
    pub to: [f64; 2],
    /// Its strength.
    pub strength: Strength,
}

impl HeatSource {
    /// Checks that the numbers define a source.
    pub fn check(&self) -> Result<(), &'static str> {
        let (Strength::Power(strength) | Strength::Density(strength)) = self.strength;
        let numbers = [self.from, self.to];
        let is_finite = |number: &f64| (*number as f32).is_finite();
        if !numbers.as_flattened().iter().all(is_finite) || !is_finite(&strength) {
            return Err("a number is not finite in single precision");
        }
        if self.from[0] < self.to[0] && self.from[1] < self.to[1] {
            Ok(())
        } else {
            Err("from must be its south-west corner and to its north-east corner")
        }
    }

    /// Adds this source to the density at each node of the finest grid. A control volume receives
    /// the integral over it, so that the sum over the plate is the source's power. Across a
    /// periodic side the source continues at the opposite one; outside other sides there is no plate, and the
    /// power is that of the part on the plate.
    pub fn add_to(&self, grid: &Grid, density: &mut [f64]) -> Result<(), Error> {
        let (x, y) = (&grid.x, &grid.y);
        let [across, along] =
            [(x, 0), (y, 1)].map(|(axis, k)| overlaps(axis, [self.from[k], self.to[k]]));
        let sum = |overlaps: &[(u32, f64)]| overlaps.iter().map(|(_, length)| length).sum::<f64>();
        let area = sum(&across) * sum(&along);
        if area <= 0.0 {
            let [width, height] = [x, y].map(length);
            return Err(Error::Beside { source_name: self.name.clone(), width, height });
        }
        let strength = match self.strength {
            Strength::Power(power) => power / area,
            Strength::Density(density) => density,
        };
        let (columns, rows) = grid.size(0);
        for &(row, high) in &along {
            for &(column, wide) in &across {
                let volume = x.width(0, column) * y.width(0, row);
                for j in replicas(y, row, rows) {
                    for i in replicas(x, column, columns) {
                        let density = &mut density[(j * columns + i) as usize];
                        *density += strength * wide * high / volume;
                        if !(*density as f32).is_finite() {
                            return Err(Error::TooStrong(self.name.clone()));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The nodes whose control volumes overlap an interval, and the lengths of the overlaps. On a periodic
/// axis the interval may be up to a period away, and the replica is left out.
fn overlaps(axis: &Axis, [from, to]: [f64; 2]) -> Vec<(u32, f64)> {
    let shifts = if axis.is_periodic() { [-1.0, 0.0, 1.0].as_slice() } else { &[0.0] };
    let mut found = Vec::new();
    for node in 0..axis.originals(0) {
        let at = axis.position(0, node);
        let half = |interval: Option<f64>| 0.5 * interval.unwrap_or(0.0);
        let (before, after) = (half(axis.before(0, node)), half(axis.after(0, node)));
        for shift in shifts {
            let at = at + shift * length(axis);
            let overlap = (at + after).min(to) - (at - before).max(from);
            found.extend((overlap > 0.0).then_some((node, overlap)));
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
