//! The result, in the unit of g.

use serde::Serialize;
use serde_json::{Value, json};

use crate::bolz2003::grid::hierarchy::{Coarsest, Weights};
use crate::bolz2003::grid::poisson::{Equation, Options, Solution};
use crate::solver::Reason;

use super::super::arguments::name_of;
use super::Arguments;

/// A solve that converged in single precision counts as converged if the residual in double precision is at
/// most this multiple of the tolerance: the allowance for rounding b and u.
const ROUNDING: f64 = 2.0;

/// Residuals up to this multiple of the smallest count as equal to it.
const AT_ROUNDING: f64 = 1.5;

/// The result. Norms are 2-norms over the nodes, in the unit of g.
#[derive(Serialize)]
pub struct Solved {
    /// Columns and rows of nodes.
    pub size: [usize; 2],
    boundary: [&'static str; 4],
    rhs: String,
    /// Reason for stopping, by the true residual.
    pub reason: Reason,
    /// Number of cycles.
    pub cycles: usize,
    /// Number of cycles, and the residual after them.
    pub history: Vec<(usize, f64)>,
    /// Reduction of the residual per cycle, from the start to the smallest residual.
    factor: Option<f64>,
    residual: f64,
    /// |b − A u| in double precision.
    pub residual_true: f64,
    /// |b|
    pub norm_b: f64,
    /// Residual at which the equation counts as solved.
    pub tolerance: f64,
    removed_mean: f64,
    /// Largest error, if the solution is known.
    error_max: Option<f64>,
    u_min: f64,
    u_max: f64,
    /// Those for stencils, textures and programs, and those for the cycles.
    seconds: Value,
    /// Part of |b − A u| that rounding u to double precision leaves, if that ended the solve.
    #[serde(skip)]
    pub rounding: Option<f64>,
    /// Width of the rectangle.
    #[serde(skip)]
    pub width: f64,
    /// u at every node.
    #[serde(skip)]
    pub u: Vec<f64>,
}

impl Solved {
    /// The result of the command from that of the library.
    pub fn new(
        arguments: &Arguments,
        options: &Options,
        (equation, exact): (&Equation, Option<Vec<f64>>),
        solution: Solution,
    ) -> Self {
        // The library's residuals are integrated over the control volumes.
        let unit = equation.spacing * equation.spacing;
        let norm_b = solution.norm_of_b / unit;
        let (before, steps) = (options.cycles_before(), solution.history.into_iter());
        let mut history: Vec<(usize, f64)> =
            steps.map(|(cycles, residual)| (cycles + before, residual / unit)).collect();
        if history[0].0 > 0 {
            // Full multigrid starts from u = 0.
            history.insert(0, (0, norm_b));
        }
        let residual_true = solution.true_residual / unit;
        let tolerance = options.criteria.tolerance(norm_b * unit) / unit;
        // NaN is not within the tolerance.
        let within = residual_true <= ROUNDING * tolerance;
        let reason = match solution.outcome.reason {
            Reason::Converged if !within => Reason::Stagnated,
            reason => reason,
        };
        let rounding = (reason == Reason::Stagnated && options.refine.is_some())
            .then(|| equation.rounding(&solution.u) / unit)
            .filter(|&rounding| residual_true <= rounding);
        let error_max = exact.map(|exact| {
            let pairs = solution.u.iter().zip(&exact);
            pairs.map(|(u, exact)| (u - exact).abs()).fold(0.0, f64::max)
        });
        let u = || solution.u.iter().copied();
        Solved {
            size: [equation.grid.columns(), equation.grid.rows()],
            boundary: arguments.boundary.names(),
            rhs: arguments.rhs.to_string(),
            reason,
            cycles: solution.outcome.iterations + before,
            factor: factor(&history),
            residual: history.last().map_or(0.0, |&(_, last)| last),
            history,
            residual_true,
            norm_b,
            tolerance,
            removed_mean: solution.removed_mean,
            error_max,
            u_min: u().fold(f64::INFINITY, f64::min),
            u_max: u().fold(f64::NEG_INFINITY, f64::max),
            seconds: json!({
                "set_up": solution.set_up_seconds,
                "solve": solution.solve_seconds,
            }),
            rounding,
            width: equation.grid.cells[0] as f64 * equation.spacing,
            u: solution.u,
        }
    }

    /// Tests whether u is worth writing: its file has single precision.
    pub fn is_usable(&self) -> bool {
        let finite = self.u.iter().all(|&u| (u as f32).is_finite());
        finite && self.reason != Reason::Diverged
    }
}

/// Mean reduction (or growth) of the residual per cycle. A solve that reaches the rounding error continues for
/// a while near its smallest residual; those cycles do not count.
fn factor(history: &[(usize, f64)]) -> Option<f64> {
    let (_, first) = *history.first()?;
    let last = *history.last()?;
    let smallest = history.iter().map(|&(_, r)| r).fold(first, f64::min);
    let down = history.iter().find(|&&(_, r)| r <= AT_ROUNDING * smallest);
    let (cycles, residual) = if last.1 < first { *down? } else { last };
    let factor = (residual / first).powf(1.0 / cycles as f64);
    (cycles > 0 && factor.is_finite()).then_some(factor)
}

/// The settings, which `--json` prints with the result.
pub fn settings(arguments: &Arguments, options: &Options, equation: &Equation) -> Value {
    let hierarchy = &options.hierarchy;
    let (weights, omega) = match hierarchy.weights {
        Weights::Fixed(omega) => ("fixed", Some(omega)),
        Weights::Chebyshev => ("chebyshev", None),
    };
    json!({
        "spacing": equation.spacing,
        "sigma": arguments.sigma,
        "cycle": if options.cycle.visits == 1 { "v" } else { "w" },
        "pre": options.cycle.before,
        "post": options.cycle.after,
        "full": options.full,
        "weights": weights,
        "omega": omega,
        "coarsest": match hierarchy.coarsest {
            Coarsest::Jacobi { .. } => "jacobi",
            Coarsest::ConjugateGradients { .. } => "cg",
        },
        "stencils": name_of(options.stencils),
        "layout": name_of(hierarchy.layout),
        "border": name_of(hierarchy.sync),
        "refine": options.refine.unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_the_way_down() {
        let halved = [(0, 8.0), (2, 2.0), (4, 0.5), (6, 0.6), (8, 0.45)];
        assert!((factor(&halved).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(factor(&[(0, 8.0), (1, 4.0), (2, 32.0)]), Some(2.0));
        assert_eq!(factor(&[(0, 8.0)]), None);
        assert_eq!(factor(&[(0, 0.0), (1, 0.0)]), None);
    }
}
