//! What came out of a solve: printed, written, and what to say if it did not converge.

use serde_json::json;

use crate::layouts::solve::{Method, Solution};
use crate::solver::{Csr, Reason};

use super::super::failure::{Failure, OUT_OF_RANGE};
use super::super::session::Output;
use super::Arguments;

/// Rows up to which LU is worth a try.
const DENSE: usize = 3000;

/// Prints it as a table, or as JSON.
pub fn print(
    solution: &Solution,
    a: &Csr<f64>,
    json: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let recursive = solution.history.last().copied().unwrap_or(f64::NAN);
    let truth = solution.residual;
    let seconds = &solution.seconds;
    if json {
        return out.json(&json!({
            "layout": solution.layout.to_string(),
            "method": solution.method.to_string(),
            "reason": solution.reason.to_string(),
            "iterations": solution.iterations,
            "corrections": solution.corrections,
            "residual_recursive": recursive,
            "residual_true": truth,
            "norm_b": solution.norm_of_b,
            "tolerance": solution.tolerance,
            "condition": solution.condition,
            "reach_single": solution.reach.single,
            "reach_double": solution.reach.double,
            "seconds": seconds,
        }));
    }
    let norms = |unit: f64| {
        let [recursive, truth] = [recursive / unit, truth / unit];
        format!("recursive {recursive:.3e}, true {truth:.3e}")
    };
    // A residual of zero is zero, whatever b is.
    let unit = match solution.norm_of_b {
        0.0 => 1.0,
        norm => norm,
    };
    let corrected = match solution.corrections {
        0 => String::new(),
        1 => ", 1 correction in double precision".to_owned(),
        n => format!(", {n} corrections in double precision"),
    };
    let layout = format!("{}, {}", solution.layout, solution.storage);
    let mut rows = vec![
        (
            "matrix",
            format!("{} rows, {} entries", a.rows(), a.entries()),
        ),
        ("layout", layout),
        ("method", solution.method.to_string()),
        ("reason", solution.reason.to_string()),
        ("iterations", format!("{}{corrected}", solution.iterations)),
        ("residual", norms(1.0)),
        ("  of |b|", norms(unit)),
    ];
    if let Some(condition) = solution.condition {
        rows.push(("condition", format!("{condition:.1e} or more")));
    }
    rows.push((
        "seconds",
        format!(
            "upload {:.4}, compute {:.4}, read-back {:.4}, refine {:.4}",
            seconds.upload, seconds.compute, seconds.read_back, seconds.refine
        ),
    ));
    out.rows(12, &rows)
}

/// Why there is no solution, and what may help.
pub fn unconverged(solution: &Solution, arguments: &Arguments) -> Failure {
    let unwritten = match (&arguments.out, solution.has_x()) {
        (Some(path), false) => format!("; {} was not written", path.display()),
        _ => String::new(),
    };
    Failure::unconverged(
        format_args!("{}: {}", arguments.matrix.display(), solution.method),
        solution.reason,
        format_args!("{} iterations", solution.iterations),
        [solution.residual, solution.tolerance],
        format_args!("{}{unwritten}", remedy(solution)),
    )
}

fn remedy(solution: &Solution) -> String {
    let largest = solution.x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let last = solution.history.last().copied().unwrap_or(f64::NAN);
    if last <= solution.tolerance && largest < f64::MIN_POSITIVE {
        return "x is smaller than double precision holds (2e-308): give a larger b".to_owned();
    }
    let method = solution.method;
    let next = next(solution);
    match (solution.reason, method) {
        (Reason::Stagnated | Reason::Diverged | Reason::NotFinite, Method::Multigrid) => {
            "cycles lead no closer: choose a smaller --omega, or more sweeps (--pre, --post)"
                .to_owned()
        }
        (Reason::Stagnated, _) => stagnated(solution, next),
        (Reason::MaximumIterations, _) => {
            "allow more with --maxiter, or a larger --rtol".to_owned()
        }
        (Reason::Indefinite, _) => {
            format!("the matrix is not positive definite, or as good as singular: {next}")
        }
        (Reason::Breakdown, _) => format!("there was nothing left to divide by: {next}"),
        (Reason::ZeroPivot, _) => {
            "the matrix is singular, or as good as in single precision".to_owned()
        }
        (Reason::Diverged | Reason::NotFinite, Method::GaussSeidel) => {
            format!("sweeps lead away from the solution of this matrix: {next}")
        }
        _ => OUT_OF_RANGE.to_owned(),
    }
}

/// Where the precision ends, and what may help.
fn stagnated(solution: &Solution, next: String) -> String {
    let condition = match solution.condition {
        Some(condition) => format!("the condition is {condition:.0e} or more, "),
        None => String::new(),
    };
    let [single, double] = [solution.reach.single, solution.reach.double];
    let refined = match solution.corrections {
        0 => ": leave out --refine 0,".to_owned(),
        _ => format!(" ({double:.0e} in double precision): {next},"),
    };
    format!(
        "{condition}rounding x to single precision alone leaves {single:.0e}{refined} or try a larger \
         --rtol"
    )
}

/// The method to try after this one.
fn next(solution: &Solution) -> String {
    let is_small = solution.x.len() <= DENSE;
    let name = match solution.method {
        Method::Cg => "pcg",
        Method::Pcg | Method::Bicg | Method::Bicgstab | Method::GaussSeidel if is_small => "lu",
        Method::Pcg | Method::Bicg | Method::GaussSeidel => "bicgstab",
        Method::Bicgstab => "bicg",
        Method::Lu | Method::Multigrid => "pcg or bicgstab",
    };
    format!("try --method {name}")
}
