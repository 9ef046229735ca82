//! The result of a solve, and hints if it did not converge.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::counted;
use crate::solve::{Method, Solution};
use crate::solver::{Csr, Reason};

use super::super::failure::Failure;

/// Largest number of rows for which the hint suggests LU.
const DENSE: usize = 3000;

/// The result as it is printed; residuals are norms in the unit of b, as `norm_b` and `tolerance` are.
pub fn result(solution: &Solution, a: &Csr<f64>) -> Value {
    json!({
        "rows": a.rows(),
        "entries": a.entries(),
        "layout": solution.layout.to_string(),
        "storage": solution.storage,
        "method": solution.method.to_string(),
        "reason": solution.reason,
        "iterations": solution.iterations,
        "corrections": solution.corrections,
        "residual_recursive": solution.history.last(),
        "residual_true": solution.residual,
        "norm_b": solution.norm_of_b,
        "tolerance": solution.tolerance,
        "condition_iterated": solution.condition,
        "attainable_single": solution.rounding.single,
        "attainable_double": solution.rounding.double,
        "seconds": solution.seconds,
    })
}

/// The failure of a solve that did not converge.
pub fn unconverged(solution: &Solution, matrix: &Path) -> Failure {
    Failure::unconverged(
        format_args!("{}: {}", matrix.display(), solution.method),
        solution.reason,
        counted(solution.iterations, "iteration"),
        [solution.residual, solution.tolerance],
        better(solution),
    )
}

/// The hint for this matrix and this method.
fn better(solution: &Solution) -> Option<String> {
    let largest = solution.x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let last = solution.history.last().copied().unwrap_or(f64::NAN);
    if last <= solution.tolerance && largest < f64::MIN_POSITIVE {
        return Some("x is smaller than the smallest double (2e-308): scale b up".to_owned());
    }
    let next = next(solution);
    Some(match (solution.reason, solution.method) {
        (Reason::Stagnated | Reason::NotFinite, Method::Multigrid) => {
            "Choose a smaller --omega, or more sweeps (--pre, --post)".to_owned()
        }
        (Reason::Stagnated, _) => stagnated(solution, next),
        (Reason::Indefinite, _) => {
            format!("The matrix is not positive definite, or nearly singular: try --method {next}")
        }
        (Reason::Breakdown, _) => {
            format!("The search directions became orthogonal: try --method {next}")
        }
        (Reason::Diverged | Reason::NotFinite, Method::GaussSeidel) => {
            format!("Sweeps diverge on this matrix: try --method {next}")
        }
        _ => return None,
    })
}

/// The hint for a solve at the limit of its precision.
fn stagnated(solution: &Solution, next: &str) -> String {
    let condition = match solution.condition {
        Some(condition) => {
            let of = if solution.method == Method::Cg { "" } else { " with the preconditioner" };
            format!("The condition number{of} is {condition:.0e} or more. ")
        }
        None => String::new(),
    };
    let [single, double] = [solution.rounding.single, solution.rounding.double];
    let remedy = match solution.corrections {
        0 => ": leave out --refine 0".to_owned(),
        _ => format!(" ({double:.0e} in double precision): try --method {next}"),
    };
    format!(
        "{condition}Rounding x to single precision alone leaves a residual of {single:.0e}{remedy}, or choose \
         a larger --rtol"
    )
}

/// The method to try after this one.
fn next(solution: &Solution) -> &'static str {
    let is_small = solution.x.len() <= DENSE;
    match solution.method {
        Method::Cg => "pcg",
        Method::Pcg | Method::Bicg | Method::Bicgstab | Method::GaussSeidel if is_small => "lu",
        Method::Pcg | Method::Bicg | Method::GaussSeidel => "bicgstab",
        Method::Bicgstab => "bicg",
        Method::Lu | Method::Multigrid => "pcg or bicgstab",
    }
}
