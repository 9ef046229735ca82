//! What can be chosen about a solver.

use super::Smoother;
use crate::solver::Cycle;

/// How a residual is measured (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Norm {
    /// The sum of magnitudes.
    L1,
    /// The root of the sum of squares.
    L2,
    /// The largest magnitude.
    Maximum,
}

impl Norm {
    /// The norm of some values.
    pub fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::L1 => values.map(f64::abs).sum(),
            Self::L2 => values.map(|v| v * v).sum::<f64>().sqrt(),
            // f64::max would drop a NaN.
            Self::Maximum => values.map(f64::abs).fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a }),
        }
    }
}

/// What can be chosen. The defaults do not change once released.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The shape of a cycle. Default V(2, 2).
    pub cycle: Cycle,
    /// How a level is smoothed. Default red-black.
    pub smoother: Smoother,
    /// Sweeps on the coarsest grid. Default 8.
    pub coarsest_sweeps: usize,
    /// Levels, the finest included. Default: as many as there can be.
    pub levels: Option<u32>,
    /// The norm of the residual. Default L2.
    pub norm: Norm,
    /// The longest side that a surface may have. Default: the driver's limit. The paper's was 2048.
    pub surface_limit: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cycle: Cycle::v(2, 2),
            smoother: Smoother::RedBlack,
            coarsest_sweeps: 8,
            levels: None,
            norm: Norm::L2,
            surface_limit: None,
        }
    }
}
