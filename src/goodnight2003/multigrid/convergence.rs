//! Convergence: the residual, measured on the GPU (goodnight2003 §4.1.3), and the true residual, which
//! checks every solve.

use std::rc::Rc;

use serde::Serialize;

use crate::solver::{Ending, Reason};
use crate::stream::{Edges, Format, Kernel, Machine, Pass, Rect, Reduce, Reduction, StreamError};

use super::levels::Levels;
use super::programs::EXCEEDS;
use super::settings::{Norm, Settings, Test};
use crate::goodnight2003::{Error, Grid, Level};

/// Measures the residuals in the texels of the finest level.
pub enum Meter {
    /// Counts nodes that exceed the tolerance.
    Occlusion(Rc<Kernel>),
    /// Reads residuals back.
    ReadBack(Norm, Rect),
    /// Combines them by passes.
    Reduction(Norm, Vec<Reduction>),
}

impl Meter {
    /// Creates a meter for the finest level of a grid.
    pub fn new(
        machine: &Machine,
        settings: &Settings,
        grid: &Grid,
        levels: &Levels,
    ) -> Result<Self, Error> {
        let (norm, storage) = (settings.norm, &levels.storage);
        let place = storage.source(0);
        // Replicas are counted once.
        let once = Rect {
            width: place.rect.width - u32::from(grid.x.is_periodic()),
            height: place.rect.height - u32::from(grid.y.is_periodic()),
            ..place.rect
        };
        let size = storage.surface(place).size();
        let reduction = |operator| {
            let edges = Edges::Bounded;
            Reduction::of_part(machine, size, once, Format::Rgba32F, operator, edges)
        };
        Ok(match settings.test {
            Test::Occlusion => Self::Occlusion(machine.kernel(&EXCEEDS, &[])?),
            Test::ReadBack => Self::ReadBack(norm, once),
            Test::Reduction => {
                let operators: &[Reduce] = match norm {
                    Norm::L1 => &[Reduce::AbsoluteSum],
                    Norm::L2 => &[Reduce::Sum],
                    Norm::Maximum => &[Reduce::Maximum, Reduce::Minimum],
                };
                let reductions = operators.iter().map(|operator| reduction(*operator));
                Self::Reduction(norm, reductions.collect::<Result<_, _>>()?)
            }
        })
    }

    /// Computes the residuals of the finest level and measures them: their norm, or the number of nodes
    /// that exceed the tolerance. A norm must not exceed the tolerance; the number of nodes
    /// must be zero.
    pub fn measure(&self, levels: &Levels, tolerance: f64) -> Result<f64, StreamError> {
        levels.residual(0)?;
        let storage = &levels.storage;
        let (source, target) = (storage.source(0), storage.target(0));
        let state = storage.surface(source);
        match self {
            // Surviving fragments are drawn into the next state, which overwrites them.
            Self::Occlusion(exceeds) => {
                // §4.1.3: an occlusion query counts the fragments with |r| > ε
                let survivors = Pass::new(exceeds)
                    .read("state", state)
                    .set("target", target.corner())
                    .set("source", source.corner())
                    .set("tolerance", tolerance as f32)
                    .draw_counting(storage.surface(target), target.rect)?;
                Ok(f64::from(survivors))
            }
            Self::ReadBack(norm, once) => {
                let texels = state.read_rect(*once)?;
                Ok(norm.of(texels.iter().skip(1).step_by(4).map(|r| f64::from(*r))))
            }
            Self::Reduction(norm, reductions) => {
                let mut found = 0.0f64;
                // §4.1.3: ‖r‖ by recursive reduction, like a mipmap
                for reduction in reductions {
                    let [_, r, ..] = match norm {
                        Norm::L2 => reduction.of_product(state, state)?,
                        _ => reduction.of(state)?,
                    };
                    found = Norm::Maximum.of([found, f64::from(r)].into_iter());
                }
                Ok(match norm {
                    Norm::L2 => found.sqrt(),
                    _ => found,
                })
            }
        }
    }

    /// The largest allowed result of [`Meter::measure`].
    pub fn limit(&self, tolerance: f64) -> f64 {
        match self {
            Self::Occlusion(_) => 0.0,
            _ => tolerance,
        }
    }
}

/// Residual of a solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The residual of each node.
    pub residual: Vec<f64>,
    /// Its norm; replicas are counted once.
    pub norm: f64,
    /// The norm that rounding alone can leave: at each node, four times the unit roundoff times the sum
    /// of all terms' magnitudes, with the largest magnitude of U in place of U.
    pub rounding: f64,
}

impl Check {
    /// Computes the residual of a solution for a right-hand side, one value per node, in the equations of a level;
    /// `roundoff` is the unit roundoff of the surface on which the solution was computed.
    pub fn new(equations: &Level, u: &[f64], f: &[f64], norm: Norm, roundoff: f64) -> Self {
        let residual = equations.residual(f, u);
        let largest = Norm::Maximum.of(u.iter().copied());
        let magnitude = |node: usize| equations.magnitude(node, f[node], largest);
        let once = || equations.originals();
        Self {
            norm: norm.of(once().map(|node| residual[node])),
            rounding: 4.0 * roundoff * norm.of(once().map(magnitude)),
            residual,
        }
    }

    /// The end of a solve that has stopped for the `method`'s reason.
    pub fn ending(&self, method: Reason, tolerance: f64) -> Ending {
        Ending::judge(method, &self.residual, |_| self.norm, tolerance)
    }
}

/// Residual of each row in the unit of the unknown: D⁻¹ (b − A U) with D_i = Σ_j |a_ij|, so that a row in other units, for
/// example of a side with a large α, counts as much as the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rows {
    /// ‖D⁻¹ (b − A U)‖₂ / ‖D⁻¹ b‖₂, with prescribed values eliminated; zero if b is.
    pub residual: f64,
    /// Column and row of the node with the largest residual.
    pub worst: [u32; 2],
    /// The largest residual, in the unit of U.
    pub worst_residual: f64,
    /// Estimate of the largest error, from the last two cycles.
    pub error: Option<f64>,
}

impl Rows {
    /// Computes the residuals of the rows of a solution.
    pub fn new(equations: &Level, u: &[f64], f: &[f64]) -> Self {
        let rows = |u: &[f64]| -> Vec<f64> {
            let residual = equations.residual(f, u);
            (0..u.len()).map(|node| residual[node] / equations.row_sum(node)).collect()
        };
        let norm = |rows: &[f64]| Norm::L2.of(equations.originals().map(|node| rows[node]));
        let (left, given) = (rows(u), norm(&rows(&equations.start())));
        let worst = equations.originals().max_by(|&a, &b| left[a].abs().total_cmp(&left[b].abs()));
        let worst = worst.unwrap_or(0);
        let (column, row) = equations.grid.place(worst);
        Self {
            residual: if given == 0.0 { norm(&left) } else { norm(&left) / given },
            worst: [column, row],
            worst_residual: left[worst].abs(),
            error: None,
        }
    }
}
