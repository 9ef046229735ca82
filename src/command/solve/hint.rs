//! Hints for a solve that did not converge.

use crate::base::error::counted;
use crate::solve::{Method, Options, Solution};
use crate::solver::Reason;

/// The remedy for what no method here solves.
const DIRECT: &str = "use a sparse direct solver in double precision, such as SciPy's spsolve";

/// The methods that failed before, as in `pcg stopped: indefinite; bicg: stagnated`.
pub fn tried(solution: &Solution) -> String {
    let each = solution.tried.iter().map(|tried| format!("{}: {}", tried.method, tried.reason));
    each.collect::<Vec<_>>().join("; ").replacen(':', " stopped:", 1)
}

/// Writes the remedy for options.
type LeaveOut<'a> = &'a dyn Fn(&[&str]) -> String;

/// Longest LU decomposition, in seconds, that is recommended.
const LONGEST: f64 = 600.0;

/// Evidence for the reason, and a remedy that has not been tried; `leave_out` undoes options.
pub fn hint(solution: &Solution, options: &Options, leave_out: LeaveOut<'_>) -> String {
    let others = match solution.tried.is_empty() {
        true => String::new(),
        false => format!("{}. ", tried(solution)),
    };
    let next = next(solution, options, leave_out);
    let correct = format!("correct it, or {DIRECT}");
    let largest = solution.x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let is_finite = solution.x.iter().all(|x| x.is_finite());
    let last = solution.history.last().copied().unwrap_or(f64::NAN);
    let is_solved = last <= solution.tolerance;
    let allowed = options.criteria.max_iterations;
    let is_few = allowed < Options::default().criteria.max_iterations;
    let (why, remedy) = match (*solution.reason, solution.method) {
        (Reason::NotFinite, _) if is_solved && !is_finite => {
            ("x is larger than the largest double (2e308)", "scale b down")
        }
        (Reason::Stagnated, _) if is_solved && largest < f64::MIN_POSITIVE => {
            ("x is smaller than the smallest double (2e-308)", "scale b up")
        }
        (Reason::Singular, _) if solution.rounding.double > solution.tolerance => (
            "The matrix is singular to double precision, and rounding errors leave this residual",
            "choose a larger --rtol",
        ),
        (Reason::Singular, _) => {
            ("The matrix is singular to double precision", "correct the matrix")
        }
        (Reason::Incompatible, _) => {
            let least = solution.least.unwrap_or(solution.residual);
            let why = format!("The matrix is singular, and no x has a residual below {least:.3e}");
            return others + &why + ": correct the matrix or b";
        }
        (Reason::MaximumIterations, _) if solution.iterations < allowed => {
            return others + "Allow more corrections with --refine";
        }
        (Reason::MaximumIterations, _) if is_few => {
            return others + "Allow more iterations with --maxiter, or " + &next;
        }
        (Reason::MaximumIterations, _) => ("That number of iterations does not suffice", &*next),
        (_, Method::Multigrid) => return others + "Choose a smaller --omega",
        (Reason::Stagnated, _) => return others + &stagnated(solution, &next, leave_out),
        (Reason::Indefinite, _) => {
            ("The matrix is not positive definite, or nearly singular", &*next)
        }
        (Reason::IndefinitePreconditioner, _) => {
            ("The diagonal is not positive in single precision", &*next)
        }
        (Reason::Breakdown, _) => ("The search directions became orthogonal", &*next),
        (Reason::ZeroPivot, _) => {
            ("The matrix is singular, or nearly so in single precision", &*correct)
        }
        (_, Method::GaussSeidel) => ("Sweeps diverge on this matrix", &*next),
        (Reason::NotFinite, _) => ("Numbers left the range of single precision", &*next),
        (Reason::Diverged | Reason::Converged, _) => ("The residual grew without bound", &*next),
    };
    format!("{others}{why}: {remedy}")
}

/// The hint for a solve at the limit of its precision.
fn stagnated(solution: &Solution, next: &str, leave_out: LeaveOut<'_>) -> String {
    let condition = solution.condition.map_or(String::new(), |condition| {
        let of = if solution.method == Method::Cg { "" } else { " with the preconditioner" };
        format!("The condition number{of} is {condition:.0e} or more. ")
    });
    let [single, double] = [solution.rounding.single, solution.rounding.double];
    let rounding = "Rounding x to single precision alone leaves a residual of";
    let why = match solution.corrections {
        0 if single > solution.tolerance => {
            let refined = leave_out(&["--refine"]);
            format!("{rounding} {single:.0e}: {refined}, or choose a larger --rtol")
        }
        0 => {
            let refined = leave_out(&["--refine"]);
            format!("Single precision does not reduce the residual further: {refined}")
        }
        // No method can do better.
        _ if double > solution.tolerance => {
            let remedy = match double > solution.norm_of_b {
                true => "scale the rows of A and b to one size",
                false => "choose a larger --rtol",
            };
            format!("{rounding} {single:.0e}, and to double precision {double:.0e}: {remedy}")
        }
        _ => format!(
            "{rounding} {single:.0e} ({double:.0e} in double precision), and corrections do not reduce it further: \
             {next}"
        ),
    };
    condition + &why
}

/// Remedy that may solve the system, never one that has failed.
fn next(solution: &Solution, options: &Options, leave_out: LeaveOut<'_>) -> String {
    let given = [
        options.method.map(|_| "--method"),
        options.layout.map(|_| "--layout"),
        options.rectangle.map(|_| "--rect"),
    ];
    let given: Vec<&str> = given.into_iter().flatten().collect();
    match solution.forecast {
        _ if !given.is_empty() => {
            format!("{}, so that several methods are tried", leave_out(&given))
        }
        Some(seconds) if seconds <= LONGEST => {
            let seconds = counted(seconds.round() as usize, "second");
            format!("try --method lu (about {seconds}), or {DIRECT}")
        }
        _ => DIRECT.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Attempts, solve_csr};
    use crate::solver::Csr;
    use crate::stream::Machine;

    #[test]
    fn lu_is_left_out_by_its_forecast_and_recommended_if_it_takes_minutes() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        // Rotations by a right angle, on which BiCGSTAB breaks down.
        let n = 40;
        let entry = |k: usize| (k, k ^ 1, if k.is_multiple_of(2) { 1.0 } else { -1.0 });
        let a = Csr::from_triplets(n, n, (0..n).map(entry)).unwrap();
        let (b, options) = (vec![1.0; n], Options::default());
        let mut attempts = Attempts::new(&a, &options).unwrap();
        attempts.lu_seconds = 0.0;
        let left_out = attempts.solve(&machine, &b, None, &mut |_| ()).unwrap();
        assert!(!left_out.reason.is_converged() && left_out.tried.is_empty());
        assert!(left_out.forecast.is_some_and(|seconds| seconds > 0.0 && seconds < 60.0));
        let leave_out = |names: &[&str]| format!("leave out {}", names.join(" and "));
        let hint = |forecast| {
            let mut solution = left_out.clone();
            solution.forecast = forecast;
            hint(&solution, &options, &leave_out)
        };
        assert!(hint(left_out.forecast).contains(": try --method lu (about "));
        assert!(hint(Some(3151.0)).ends_with(&format!("orthogonal: {DIRECT}")));
        let chosen = Options { method: Some(Method::Lu), ..options.clone() };
        assert!(solve_csr(&machine, &a, &b, &chosen).unwrap().reason.is_converged());
        // Within the 60 seconds of the default it is the second attempt.
        let solution = solve_csr(&machine, &a, &b, &options).unwrap();
        assert_eq!((solution.method, solution.tried.len()), (Method::Lu, 1));
    }
}
