//! The result of a solve.

use web_time::Instant;

use serde::Serialize;

use crate::layouts::Layout;
use crate::solver::{Csr, Reason};
use crate::stream::Machine;

use super::method::Method;

/// x, and how it came about.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The best x that was found; not all finite where there is none.
    pub x: Vec<f64>,
    /// [`Reason::Converged`] if and only if the true residual is within the tolerance.
    pub reason: Reason,
    /// The method that solved.
    pub method: Method,
    /// The layout of the matrix.
    pub layout: Layout,
    /// The storage in a few words.
    pub storage: String,
    /// Iterations, of all corrections together.
    pub iterations: usize,
    /// Corrections in double precision.
    pub corrections: usize,
    /// The norm of the residual at the start and after each iteration, as the method had it; after the
    /// last iteration of a correction it is the true one.
    pub history: Vec<f64>,
    /// ‖b − A x‖, computed in double precision from the matrix as given.
    pub residual: f64,
    /// ‖b‖
    pub norm_of_b: f64,
    /// The residual's norm at which the system counts as solved.
    pub tolerance: f64,
    /// The condition number of A, or of the preconditioned A, as conjugate gradients have met it: a lower
    /// bound.
    pub condition: Option<f64>,
    /// The limit of each precision.
    pub reach: Reach,
    /// Seconds by part.
    pub seconds: Seconds,
}

impl Solution {
    /// Whether x is worth keeping.
    pub fn has_x(&self) -> bool {
        self.reason != Reason::ZeroPivot && self.x.iter().all(|value| value.is_finite())
    }
}

/// The norm of the residual that rounding x alone leaves: ε ‖|A| |x|‖. No solve in a precision promises
/// to come below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// x in single precision.
    pub single: f64,
    /// x in double precision.
    pub double: f64,
}

impl Reach {
    /// The reach for A x, whose rows have been multiplied by `scale`.
    pub(super) fn new(a: &Csr<f64>, x: &[f64], scale: f64) -> Self {
        let row = |row| -> f64 { a.row(row).map(|(j, value)| (value * x[j]).abs()).sum() };
        let norm = (0..a.rows()).map(|i| row(i).powi(2)).sum::<f64>().sqrt() / scale;
        Self {
            single: f64::from(f32::EPSILON) / 2.0 * norm,
            double: f64::EPSILON / 2.0 * norm,
        }
    }
}

/// Seconds by part.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Laying out and uploading the matrix, compiling programs, decompositions.
    pub upload: f64,
    /// Work in textures, right-hand sides uploaded.
    pub compute: f64,
    /// Reading x back.
    pub read_back: f64,
    /// Residuals in double precision.
    pub refine: f64,
}

/// A clock for the parts of a solve.
pub(super) struct Clock {
    machine: Machine,
    since: Instant,
}

impl Clock {
    /// A clock that begins to run.
    pub fn start(machine: &Machine) -> Self {
        Self {
            machine: machine.clone(),
            since: Instant::now(),
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
