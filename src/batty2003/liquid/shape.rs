//! Shapes of liquid, solids and inflows.

use crate::mesh::vector::{norm, subtract};
use crate::simulation::Setting;

/// A body in space, given by its distance.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A box, between two opposite corners (m).
    Box {
        /// The corner with the smallest coordinates.
        from: [f64; 3],
        /// The corner with the largest coordinates.
        to: [f64; 3],
    },
    /// A sphere (m).
    Sphere {
        /// Its centre.
        centre: [f64; 3],
        /// Its radius.
        radius: f64,
    },
}

impl Shape {
    /// Distance of a position from the surface (m), negative inside.
    pub fn distance(&self, at: [f64; 3]) -> f64 {
        match self {
            Self::Box { from, to } => {
                let beyond = |axis: usize| (from[axis] - at[axis]).max(at[axis] - to[axis]);
                let beyond = [0, 1, 2].map(beyond);
                let inside = beyond
                    .into_iter()
                    .fold(f64::NEG_INFINITY, f64::max)
                    .min(0.0);
                norm(beyond.map(|d| d.max(0.0))) + inside
            }
            Self::Sphere { centre, radius } => norm(subtract(at, *centre)) - radius,
        }
    }

    /// Checks its numbers.
    pub fn check(&self) -> Result<(), Setting> {
        match self {
            Self::Box { from, to } => {
                Setting::vector("a corner of a box", from)?;
                Setting::vector("a corner of a box", to)?;
                (0..3).try_for_each(|axis| {
                    let side = to[axis] - from[axis];
                    let remedy = "let every coordinate of `to` be above that of `from`";
                    Setting::check("a side of a box", side, side > 0.0, remedy)
                })
            }
            Self::Sphere { centre, radius } => {
                Setting::vector("the centre of a sphere", centre)?;
                let remedy = "give a positive number of metres";
                Setting::check("the radius of a sphere", *radius, *radius > 0.0, remedy)
            }
        }
    }
}
