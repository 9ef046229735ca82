//! What came out, in the unit of g, and how it is printed.

use serde_json::{Value, json};

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::poisson::{Equation, Solution};
use crate::solver::Reason;

use super::super::arguments::{Tolerances, name_of};
use super::super::failure::Failure;
use super::super::session::Output;
use super::Arguments;
use super::method::Method;
use super::picture::range;
use super::right_side::RightSide;

/// A solve that counts as converged in single precision is one if the residual in double precision
/// is at most so many times the tolerance: the room for rounding b and u.
const ROUNDING: f64 = 2.0;

/// Residuals up to so many times the smallest are as good as that.
const AT_ROUNDING: f64 = 1.5;

/// So many entries of the history are printed.
const PRINTED: usize = 10;

/// What came out. Norms are 2-norms over the nodes, in the unit of g.
pub struct Solved {
    /// The nodes.
    pub grid: Grid,
    /// The distance of two nodes.
    pub spacing: f64,
    /// u at every node.
    pub u: Vec<f64>,
    /// Why it stopped, held against the true residual.
    pub reason: Reason,
    /// How many cycles it took.
    pub cycles: usize,
    /// Cycles done and the residual then.
    pub history: Vec<(usize, f64)>,
    /// By which factor a cycle reduces the residual, from the start to the smallest residual.
    pub factor: Option<f64>,
    /// |b − A u| in double precision.
    pub true_residual: f64,
    /// |b|
    pub norm_of_b: f64,
    /// The residual at which it is solved.
    pub tolerance: f64,
    /// What rounding u in double precision leaves of |b - A u|, where that ended it.
    pub rounding: Option<f64>,
    /// What was taken off g.
    pub removed_mean: f64,
    /// The largest error, if the solution is known.
    pub error: Option<f64>,
    /// The smallest and the largest u.
    pub range: (f64, f64),
    /// Seconds for stencils, textures and programs.
    pub set_up_seconds: f64,
    /// Seconds for the cycles.
    pub solve_seconds: f64,
}

impl Solved {
    /// From what the library returns.
    pub fn new(
        method: &Method,
        equation: &Equation,
        right_side: &RightSide,
        solution: Solution,
    ) -> Self {
        // The library integrates g over the control volumes.
        let unit = equation.spacing * equation.spacing;
        let norm_of_b = solution.norm_of_b / unit;
        let (before, steps) = (method.cycles_before(), solution.history.into_iter());
        let mut history: Vec<(usize, f64)> = steps
            .map(|(cycles, residual)| (cycles + before, residual / unit))
            .collect();
        if history[0].0 > 0 {
            // Before full multigrid u was zero.
            history.insert(0, (0, norm_of_b));
        }
        let true_residual = solution.true_residual / unit;
        let Tolerances { rtol, atol } = method.tolerances;
        let tolerance = (rtol * norm_of_b).max(atol);
        // NaN is not within the tolerance either.
        let within = true_residual <= ROUNDING * tolerance;
        let reason = match solution.outcome.reason {
            Reason::Converged if !within => Reason::Stagnated,
            reason => reason,
        };
        let rounding = (reason == Reason::Stagnated && method.refine > 0)
            .then(|| equation.rounding(&solution.u) / unit)
            .filter(|&rounding| true_residual <= rounding);
        let error = right_side.exact.as_ref().map(|exact| {
            let pairs = solution.u.iter().zip(exact);
            pairs
                .map(|(u, exact)| (u - exact).abs())
                .fold(0.0, f64::max)
        });
        Solved {
            grid: equation.grid,
            spacing: equation.spacing,
            reason,
            cycles: solution.outcome.iterations + before,
            factor: factor(&history),
            history,
            true_residual,
            norm_of_b,
            tolerance,
            rounding,
            removed_mean: solution.removed_mean,
            error,
            range: range(solution.u.iter().copied()),
            u: solution.u,
            set_up_seconds: solution.set_up_seconds,
            solve_seconds: solution.solve_seconds,
        }
    }

    /// Whether u is worth a file, which holds single precision at most.
    pub fn is_usable(&self) -> bool {
        let finite = self.u.iter().all(|&u| (u as f32).is_finite());
        finite && self.reason != Reason::Diverged
    }

    fn relative(&self, norm: f64) -> f64 {
        match norm {
            0.0 => 0.0,
            norm => norm / self.norm_of_b,
        }
    }
}

/// The mean factor of a cycle on the way down, or up. A solve that ends at rounding goes on for a
/// while near its smallest residual; those cycles do not count.
fn factor(history: &[(usize, f64)]) -> Option<f64> {
    let (_, first) = *history.first()?;
    let last = *history.last()?;
    let smallest = history.iter().map(|&(_, r)| r).fold(first, f64::min);
    let down = history.iter().find(|&&(_, r)| r <= AT_ROUNDING * smallest);
    let (cycles, residual) = if last.1 < first { *down? } else { last };
    let factor = (residual / first).powf(1.0 / cycles as f64);
    (cycles > 0 && factor.is_finite()).then_some(factor)
}

/// What `--json` prints.
pub fn json(arguments: &Arguments, solved: &Solved) -> Value {
    let method = &arguments.method;
    json!({
        "size": [solved.grid.columns(), solved.grid.rows()],
        "spacing": solved.spacing,
        "boundary": arguments.boundary.names(),
        "sigma": arguments.sigma,
        "rhs": arguments.rhs.to_string(),
        "cycle": name_of(method.cycle),
        "pre": method.pre,
        "post": method.post,
        "weights": if method.omega.is_some() { "fixed" } else { "chebyshev" },
        "omega": method.omega,
        "coarsest": name_of(method.coarsest),
        "stencils": name_of(method.stencils),
        "layout": name_of(method.layout),
        "border": name_of(method.border),
        "refine": method.refine,
        "reason": solved.reason.to_string(),
        "cycles": solved.cycles,
        "history": solved.history,
        "factor": solved.factor,
        "residual": solved.history.last().map_or(0.0, |&(_, last)| last),
        "residual_true": solved.true_residual,
        "norm_b": solved.norm_of_b,
        "tolerance": solved.tolerance,
        "removed_mean": solved.removed_mean,
        "error_max": solved.error,
        "u_min": solved.range.0,
        "u_max": solved.range.1,
        "seconds": {"set_up": solved.set_up_seconds, "solve": solved.solve_seconds},
    })
}

/// The same for people.
pub fn print(arguments: &Arguments, solved: &Solved, out: &mut Output) -> Result<(), Failure> {
    let (method, grid) = (&arguments.method, &solved.grid);
    let (columns, rows) = (grid.columns(), grid.rows());
    let sigma = match arguments.sigma {
        0.0 => String::new(),
        sigma => {
            let sign = if sigma < 0.0 { '-' } else { '+' };
            format!(" {sign} {} u", sigma.abs())
        }
    };
    let width = grid.cells[0] as f64 * solved.spacing;
    let boundary = arguments.boundary;
    let mut lines = vec![
        (
            "equation",
            format!("-lap u{sigma} = g, g is {}", arguments.rhs),
        ),
        (
            "grid",
            format!("{columns} x {rows} nodes, {width:.4} x 1, {boundary}"),
        ),
        ("method", shape_of(method)),
        ("textures", textures_of(method)),
    ];
    if solved.removed_mean != 0.0 {
        lines.push((
            "removed",
            format!("{:.6e}, the mean of g", solved.removed_mean),
        ));
    }
    let history = history_of(solved);
    lines.extend([
        ("reason", solved.reason.to_string()),
        ("cycles", solved.cycles.to_string()),
        (
            "history",
            format!("{history} of |b| = {:.3e}", solved.norm_of_b),
        ),
    ]);
    if let Some(factor) = solved.factor {
        lines.push(("factor", format!("{factor:.4} a cycle")));
    }
    let (truth, goal) = (solved.true_residual, solved.tolerance);
    let relative = solved.relative(truth);
    let residual =
        format!("{truth:.3e}, {relative:.3e} of |b|, in double precision (goal {goal:.3e})");
    lines.push(("residual", residual));
    if let Some(error) = solved.error {
        lines.push(("error", format!("{error:.3e} at most, u being known")));
    }
    let (low, high) = solved.range;
    let (set_up, solve) = (solved.set_up_seconds, solved.solve_seconds);
    lines.extend([
        ("u", format!("from {low:.6e} to {high:.6e}")),
        ("seconds", format!("set-up {set_up:.4}, solve {solve:.4}")),
    ]);
    out.rows(12, &lines)
}

fn shape_of(method: &Method) -> String {
    let Method { pre, post, .. } = method;
    let shape = match name_of(method.cycle).as_str() {
        "fmg" => format!("full multigrid, then V({pre},{post})"),
        letter => format!("{}({pre},{post})", letter.to_uppercase()),
    };
    let weights = match method.omega {
        Some(omega) => format!("weight {omega}"),
        None => "Chebyshev's weights".to_owned(),
    };
    match method.refine {
        0 => format!("{shape}, {weights}, single precision"),
        1 => format!("{shape}, {weights}, corrected in double precision every cycle"),
        cycles => {
            format!(
                "{shape}, {weights}, corrected in double precision after {cycles} cycles at most"
            )
        }
    }
}

fn textures_of(method: &Method) -> String {
    let [stencils, layout] = [name_of(method.stencils), name_of(method.layout)];
    let [border, coarsest] = [name_of(method.border), name_of(method.coarsest)];
    format!("stencils {stencils}, layout {layout}, border {border}, coarsest {coarsest}")
}

/// Relative residuals, those in the middle left out where they are many.
fn history_of(solved: &Solved) -> String {
    let entry =
        |&(cycle, residual): &(usize, f64)| format!("{cycle}: {:.1e}", solved.relative(residual));
    let entries: Vec<String> = solved.history.iter().map(entry).collect();
    let half = PRINTED / 2;
    if entries.len() <= PRINTED {
        return entries.join(", ");
    }
    let (first, last) = (&entries[..half], &entries[entries.len() - half..]);
    format!("{}, …, {}", first.join(", "), last.join(", "))
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
