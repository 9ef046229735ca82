//! The multigrid cycle, written once over levels that own their values.
//!
//! A V-cycle relaxes, projects the residual to the next coarser grid, solves there by a cycle that starts from
//! zero, interpolates the correction and relaxes again (bolz2003 §4.2). With two visits of the coarser grid it
//! is a W-cycle, with μ visits a μ-cycle.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of sweeps in a row: each has a weight of its own.
pub const SWEEPS: usize = 10_000;

/// Contents of the unknown before it is relaxed or solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Zero; the vector is not read.
    Zero,
    /// The vector is the initial value.
    Given,
}

/// Grids from the finest (level 0) to the coarsest, each with an unknown u and a right-hand side b, and the
/// operations of a cycle.
pub trait Levels {
    /// Error of an operation.
    type Error;

    /// Number of levels, at least one.
    fn levels(&self) -> usize;

    /// Performs `sweeps` sweeps of the smoother on A u = b. With [`Start::Zero`] and no sweep, u ← 0.
    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), Self::Error>;

    /// Solves A u = b on the coarsest level, as exactly as the hierarchy chooses.
    fn solve_coarsest(&mut self, start: Start) -> Result<(), Self::Error>;

    /// Makes the residual the right-hand side of the next coarser level, b ← P (b − A u).
    fn descend(&mut self, level: usize) -> Result<(), Self::Error>;

    /// Adds the unknown of the next coarser level as a correction, u ← u + S u.
    fn ascend(&mut self, level: usize) -> Result<(), Self::Error>;
}

/// Shape of a cycle. The default is the paper's V(4, 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Cycle {
    /// Sweeps before a coarser grid is visited (η₁)
    #[serde(rename = "pre")]
    #[schemars(range(max = SWEEPS))]
    pub before: usize,
    /// Sweeps afterwards (η₂)
    #[serde(rename = "post")]
    #[schemars(range(max = SWEEPS))]
    pub after: usize,
    /// Shape of a cycle: V visits each coarser grid once, W twice (μ)
    #[serde(rename = "cycle", with = "letters")]
    #[schemars(with = "String", extend("enum" = ["v", "w"], "takes" = "SHAPE"))]
    pub visits: usize,
}

/// The letter of a shape.
fn letter(visits: usize) -> &'static str {
    if visits == 1 { "v" } else { "w" }
}

/// Visits as the letter of a shape.
mod letters {
    use std::borrow::Cow;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(visits: &usize, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(super::letter(*visits))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
        Ok(if Cow::<str>::deserialize(from)? == "w" { 2 } else { 1 })
    }
}

impl fmt::Display for Cycle {
    /// The shape with its sweeps, as in `V(4,2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = letter(self.visits).to_uppercase();
        write!(f, "{letter}({},{})", self.before, self.after)
    }
}

impl Default for Cycle {
    fn default() -> Self {
        Self::v(4, 2)
    }
}

impl Cycle {
    /// V(before, after)
    pub const fn v(before: usize, after: usize) -> Self {
        Self { before, after, visits: 1 }
    }

    /// W(before, after)
    pub const fn w(before: usize, after: usize) -> Self {
        Self { before, after, visits: 2 }
    }
}

/// Performs a cycle on the finest level, which improves the solution u of A u = b.
pub fn cycle<L: Levels>(levels: &mut L, shape: Cycle, start: Start) -> Result<(), L::Error> {
    cycle_from(levels, shape, 0, start)
}

/// Performs the cycle of a level and the coarser ones.
pub(super) fn cycle_from<L: Levels>(
    levels: &mut L,
    shape: Cycle,
    level: usize,
    start: Start,
) -> Result<(), L::Error> {
    if level + 1 == levels.levels() {
        return levels.solve_coarsest(start);
    }
    levels.smooth(level, shape.before, start)?;
    levels.descend(level)?;
    let mut start = Start::Zero;
    for _ in 0..shape.visits {
        cycle_from(levels, shape, level + 1, start)?;
        start = Start::Given;
    }
    levels.ascend(level)?;
    levels.smooth(level, shape.after, Start::Given)
}
