//! Hints for a solve that did not converge.

use crate::error::counted;
use crate::solve::{Method, Options, Solution};
use crate::solver::Reason;

/// The remedy for what no method here solves.
const DIRECT: &str = "use a sparse direct solver in double precision, such as SciPy's spsolve";

/// The methods that failed before, as in `pcg stopped: indefinite; bicg: stagnated`.
pub fn tried(solution: &Solution) -> String {
    let each = solution.tried.iter().map(|tried| format!("{}: {}", tried.method, tried.reason));
    each.collect::<Vec<_>>().join("; ").replacen(':', " stopped:", 1)
}

/// Evidence for the reason, and a remedy that has not been tried.
pub fn hint(solution: &Solution, options: &Options) -> String {
    let others = match solution.tried.is_empty() {
        true => String::new(),
        false => format!("{}. ", tried(solution)),
    };
    let last = solution.history.last().copied().unwrap_or(f64::NAN);
    if last <= solution.tolerance {
        let largest = solution.x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if solution.x.iter().any(|x| !x.is_finite()) {
            return others + "x is larger than the largest double (2e308): scale b down";
        } else if largest < f64::MIN_POSITIVE {
            return others + "x is smaller than the smallest double (2e-308): scale b up";
        }
    }
    let is_open = options.method.is_none() && options.layout.is_none();
    let is_open = is_open && options.rectangle.is_none();
    let next = next(solution, is_open);
    others + &match (*solution.reason, solution.method) {
        (Reason::Singular, _) => {
            "The matrix is singular, and rounding errors leave this residual: correct the matrix"
                .to_owned()
        }
        (Reason::Incompatible, _) => format!(
            "The matrix is singular, and no x has a residual below {:.3e}: correct the matrix or b",
            solution.least.unwrap_or(solution.residual)
        ),
        (Reason::MaximumIterations, _) if solution.iterations < options.criteria.max_iterations => {
            format!("Allow more corrections with --refine, or {next}")
        }
        (Reason::MaximumIterations, _) => {
            format!("Allow more iterations with --maxiter, or {next}")
        }
        (Reason::Stagnated | Reason::Diverged | Reason::NotFinite, Method::Multigrid) => {
            "Choose a smaller --omega, or more sweeps (--pre, --post)".to_owned()
        }
        (Reason::Stagnated, _) => stagnated(solution, &next),
        (Reason::Indefinite, _) => {
            format!("The matrix is not positive definite, or nearly singular: {next}")
        }
        (Reason::IndefinitePreconditioner, _) => {
            format!("The diagonal is not positive: {next}")
        }
        (Reason::Breakdown, _) => format!("The search directions became orthogonal: {next}"),
        (Reason::ZeroPivot, _) => {
            format!(
                "The matrix is singular, or nearly so in single precision: correct it, or {DIRECT}"
            )
        }
        (Reason::Diverged | Reason::NotFinite, Method::GaussSeidel) => {
            format!("Sweeps diverge on this matrix: {next}")
        }
        (Reason::NotFinite, _) => {
            format!("Numbers left the range of single precision: scale the equation, or {next}")
        }
        (Reason::Diverged | Reason::Converged, _) => {
            format!("The residual grew without bound: {next}")
        }
    }
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
    let rounding = "Rounding x to single precision alone leaves a residual of";
    condition
        + &match solution.corrections {
            0 if single > solution.tolerance => {
                format!("{rounding} {single:.0e}: leave out --refine 0, or choose a larger --rtol")
            }
            0 => "Single precision does not reduce the residual further: leave out --refine 0"
                .to_owned(),
            // No method can do better.
            _ if double > solution.tolerance => format!(
                "{rounding} {single:.0e}, and to double precision {double:.0e}: choose a larger --rtol, or scale \
                 the rows of A and b to one size"
            ),
            _ if single > solution.tolerance => format!(
                "{rounding} {single:.0e} ({double:.0e} in double precision), and corrections do not reduce it \
                 further: {next}"
            ),
            _ => format!(
                "Corrections in single precision do not reduce the residual further: {next}"
            ),
        }
}

/// Remedy that may solve the system, never one that has failed.
fn next(solution: &Solution, is_open: bool) -> String {
    match solution.forecast {
        _ if !is_open => {
            "leave out --method and --layout, so that several methods are tried".to_owned()
        }
        Some(seconds) => {
            let seconds = counted(seconds.round() as usize, "second");
            format!("try --method lu (about {seconds}), or {DIRECT}")
        }
        None => DIRECT.to_owned(),
    }
}
