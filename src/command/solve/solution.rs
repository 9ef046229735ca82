//! What came out of a solve: verified, printed, and what to say if it did not converge.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use serde_json::json;

use fragstream::solver::{Outcome, Reason, true_residual};
use fragstream::stream::Machine;

use super::super::arguments::name_of;
use super::super::failure::{Failure, OUT_OF_RANGE};
use super::super::files::write_csv;
use super::super::session::Output;
use super::Arguments;
use super::method::{Layout, Method};
use super::system::System;

/// A solve that the GPU calls converged is one if b − A x, computed anew in double precision from
/// the matrix as given, is at most so many times the tolerance: the room for the rounding of A, x
/// and that residual to single precision.
const ROUNDING: f64 = 2.0;

/// Shown the iteration, the residual's norm and the tolerance.
pub type Observer<'a> = dyn FnMut(usize, f64, f64) + 'a;

/// What a method has left, in the units of the scaled system.
pub struct Solved {
    pub x: Vec<f64>,
    pub outcome: Outcome,
    /// How the matrix was stored, in a few words.
    pub storage: String,
    pub seconds: Seconds,
}

/// Where the time went.
#[derive(Default, Serialize)]
pub struct Seconds {
    pub pack: f64,
    pub upload: f64,
    pub compute: f64,
    pub read_back: f64,
}

/// A clock for the parts of a solve.
pub struct Clock {
    machine: Machine,
    since: Instant,
    pub seconds: Seconds,
}

impl Clock {
    /// A clock that begins to run.
    pub fn start(machine: &Machine) -> Self {
        Clock {
            machine: machine.clone(),
            since: Instant::now(),
            seconds: Seconds::default(),
        }
    }

    /// The seconds since the last call, all work of the machine done.
    pub fn lap(&mut self) -> f64 {
        self.machine.finish();
        let now = Instant::now();
        let lap = now - std::mem::replace(&mut self.since, now);
        lap.as_secs_f64()
    }
}

/// What came out, in the units of the system as it was given.
pub struct Solution {
    pub x: Vec<f64>,
    pub reason: Reason,
    pub history: Vec<f64>,
    iterations: usize,
    /// The residual's norm as the method had it.
    recursive: f64,
    /// ‖b − A x‖ in double precision.
    true_residual: f64,
    /// ‖b‖
    norm_of_b: f64,
    tolerance: f64,
    storage: String,
    seconds: Seconds,
}

impl Solution {
    /// Holds the outcome against the true residual, and scales everything back.
    pub fn of(system: &System, tolerance: f64, solved: Solved) -> Result<Self, Failure> {
        let Solved {
            x,
            outcome,
            storage,
            seconds,
        } = solved;
        let residual = true_residual(&system.a, &system.b, &x)?.norm;
        // NaN is not within the tolerance either.
        let within = residual <= ROUNDING * tolerance;
        let reason = match outcome.reason {
            Reason::Converged if !within => Reason::Stagnated,
            reason => reason,
        };
        let unscaled = |value: f64| value / system.scale;
        Ok(Solution {
            x: system.unscale(&x),
            reason,
            iterations: outcome.iterations,
            recursive: unscaled(outcome.residual),
            true_residual: unscaled(residual),
            norm_of_b: unscaled(system.norm_of_b()),
            tolerance: unscaled(tolerance),
            history: outcome.history.into_iter().map(unscaled).collect(),
            storage,
            seconds,
        })
    }

    /// Whether x is worth writing.
    pub fn has_x(&self) -> bool {
        self.reason != Reason::ZeroPivot && self.x.iter().all(|value| value.is_finite())
    }

    /// Writes the norm of the residual at the start and after every iteration.
    pub fn write_history(&self, path: &Path) -> Result<(), Failure> {
        let lines = self.history.iter().enumerate();
        let lines = lines.map(|(iteration, residual)| format!("{iteration},{residual:e}"));
        Ok(write_csv(path, "iteration,residual", lines)?)
    }

    /// Prints it as a table, or as JSON.
    pub fn print(
        &self,
        system: &System,
        (layout, method): (Layout, Method),
        json: bool,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let (layout, method) = (name_of(layout), name_of(method));
        let [recursive, truth] = [self.recursive, self.true_residual];
        let seconds = &self.seconds;
        if json {
            return out.json(&json!({
                "layout": layout,
                "method": method,
                "reason": self.reason.to_string(),
                "iterations": self.iterations,
                "residual_recursive": recursive,
                "residual_true": truth,
                "norm_b": self.norm_of_b,
                "tolerance": self.tolerance,
                "seconds": seconds,
            }));
        }
        let (rows, entries) = (system.a.rows(), system.a.entries());
        let norms = |unit: f64| {
            let [recursive, truth] = [recursive / unit, truth / unit];
            format!("recursive {recursive:.3e}, true {truth:.3e}")
        };
        // A residual of zero is zero, whatever b is.
        let unit = match self.norm_of_b {
            0.0 => 1.0,
            norm => norm,
        };
        let Seconds {
            pack,
            upload,
            compute,
            read_back,
        } = seconds;
        let seconds = format!(
            "pack {pack:.4}, upload {upload:.4}, compute {compute:.4}, read-back {read_back:.4}"
        );
        out.rows(
            12,
            &[
                ("matrix", format!("{rows} rows, {entries} entries")),
                ("layout", format!("{layout}, {}", self.storage)),
                ("method", method),
                ("reason", self.reason.to_string()),
                ("iterations", self.iterations.to_string()),
                ("residual", norms(1.0)),
                ("  of |b|", norms(unit)),
                ("seconds", seconds),
            ],
        )
    }

    /// Why there is no solution, and what may help.
    pub fn unconverged(&self, arguments: &Arguments, method: Method) -> Failure {
        let unwritten = match (&arguments.out, self.has_x()) {
            (Some(path), false) => format!("; {} was not written", path.display()),
            _ => String::new(),
        };
        Failure::unconverged(
            format_args!("{}: {}", arguments.matrix.display(), name_of(method)),
            self.reason,
            format_args!("{} iterations", self.iterations),
            [self.true_residual, self.tolerance],
            format_args!("{}{unwritten}", self.remedy(method)),
        )
    }

    fn remedy(&self, method: Method) -> &'static str {
        match (self.reason, method) {
            (Reason::Stagnated, Method::Cg) => {
                "single precision leads no closer: try --method pcg or a larger --rtol"
            }
            (Reason::Stagnated, Method::GaussSeidel) => {
                "sweeps lead no closer: try another --method or a larger --rtol"
            }
            (Reason::Stagnated | Reason::Diverged | Reason::NotFinite, Method::Multigrid) => {
                "cycles lead no closer: choose a smaller --omega, or more sweeps (--steps)"
            }
            (Reason::Stagnated, _) => "single precision leads no closer: try a larger --rtol",
            (Reason::MaximumIterations, _) => "allow more with --maxiter, or a larger --rtol",
            (Reason::Indefinite, _) => {
                "the matrix is not positive definite, or as good as singular"
            }
            (Reason::ZeroPivot, _) => "the matrix is singular, or as good as in single precision",
            (Reason::Diverged | Reason::NotFinite, Method::GaussSeidel) => {
                "sweeps lead away from the solution of this matrix: try --method lu"
            }
            _ => OUT_OF_RANGE,
        }
    }
}
