//! The result of a solve.

use web_time::Instant;

use serde::{Serialize, Serializer};

use crate::layouts::Layout;
use crate::solver::{Csr, Ending, Reason};
use crate::stream::Machine;

use super::choice::LayoutChoice;
use super::method::Method;

/// x, with the course of the solve.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
    /// The best x; not finite if there is none.
    #[serde(skip)]
    pub x: Vec<f64>,
    /// The least norm of a residual for any x, if that is above the tolerance ([`Reason::Incompatible`]).
    #[serde(skip)]
    pub least: Option<f64>,
    /// b − A x
    #[serde(skip)]
    pub(super) remainder: Vec<f64>,
    /// Attempts that failed, too.
    #[serde(skip)]
    pub tried: Vec<Tried>,
    /// Seconds that LU would have taken, if it was left out because these are too many.
    #[serde(skip)]
    pub forecast: Option<f64>,
    /// Number of rows of the matrix.
    pub rows: usize,
    /// Number of its entries.
    pub entries: usize,
    /// Its layout.
    pub layout: Layout,
    /// The choice of the layout.
    pub layout_choice: LayoutChoice,
    /// Short description of the storage.
    pub storage: String,
    /// The method that solved.
    pub method: Method,
    /// [`Reason::Converged`] if and only if the true residual is within the tolerance.
    pub reason: Ending,
    /// Iterations, summed over all corrections.
    pub iterations: usize,
    /// Corrections in double precision.
    pub corrections: usize,
    /// Norm of the residual at the start and after each iteration, from the recursion; after the last iteration
    /// of a correction it is the true one.
    #[serde(rename = "residual_recursive", serialize_with = "last")]
    pub history: Vec<f64>,
    /// ‖b − A x‖, computed in double precision from the matrix as given.
    #[serde(rename = "residual_true")]
    pub residual: f64,
    /// ‖b‖
    #[serde(rename = "norm_b")]
    pub norm_of_b: f64,
    /// Largest backward error of a row, |b − A x|ᵢ / (|A| |x| + |b|)ᵢ, if it is above [`WORST`], and its row from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_row: Option<WorstRow>,
    /// Norm of the residual at which the system counts as solved.
    pub tolerance: f64,
    /// Estimate by conjugate gradients of the condition number of A, or of the preconditioned A: a lower bound.
    #[serde(rename = "condition_iterated")]
    pub condition: Option<f64>,
    /// The limit of each precision.
    #[serde(flatten)]
    pub rounding: RoundingBound,
    /// Seconds by part.
    pub seconds: Seconds,
}

/// An attempt of a solve that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Method.
    pub method: Method,
    /// Reason for stopping.
    pub reason: Reason,
    /// Number of iterations.
    pub iterations: usize,
}

/// Backward error of a row from which on it is reported: the row's equation does not hold to three digits.
pub const WORST: f64 = 1e-3;

/// The row whose equation holds to the fewest digits.
///
/// Source: R. D. Skeel, *Scaling for numerical stability in Gaussian elimination*, 1979.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorstRow {
    /// The row, from 1.
    pub row: usize,
    /// Its residual as a fraction of the sum of the sizes of its terms.
    pub backward_error: f64,
}

impl WorstRow {
    /// The worst row of b − A x = r, if it is reported.
    pub(super) fn new(a: &Csr<f64>, x: &[f64], b: &[f64], r: &[f64]) -> Option<Self> {
        let of_row = |row: usize| {
            let terms = a.row(row).map(|(column, value)| (value * x[column]).abs());
            let backward_error = r[row].abs() / (terms.sum::<f64>() + b[row].abs());
            Self { row: row + 1, backward_error }
        };
        let rows = (0..a.rows()).map(of_row).filter(|worst| worst.backward_error > WORST);
        rows.max_by(|one, other| one.backward_error.total_cmp(&other.backward_error))
    }
}

fn last<S: Serializer>(history: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    history.last().serialize(serializer)
}

impl Solution {
    /// Tests whether x is worth keeping.
    pub fn has_x(&self) -> bool {
        let is_computed = self.iterations > 0 || self.reason.is_converged();
        is_computed && self.x.iter().all(|value| value.is_finite())
    }
}

/// Norm of the residual that rounding x alone leaves: ε ‖|A| |x|‖. A solve in that precision may not reach a
/// smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoundingBound {
    /// x in single precision.
    #[serde(rename = "attainable_single")]
    pub single: f64,
    /// x in double precision.
    #[serde(rename = "attainable_double")]
    pub double: f64,
}

impl RoundingBound {
    /// The rounding bound for A x.
    pub(super) fn new(a: &Csr<f64>, x: &[f64]) -> Self {
        let row = |row| -> f64 { a.row(row).map(|(j, value)| (value * x[j]).abs()).sum() };
        let norm = (0..a.rows()).map(|i| row(i).powi(2)).sum::<f64>().sqrt();
        Self { single: f64::from(f32::EPSILON) / 2.0 * norm, double: f64::EPSILON / 2.0 * norm }
    }

    /// The bound of a system whose rows have been multiplied by `scale`.
    pub(super) fn over(self, scale: f64) -> Self {
        Self { single: self.single / scale, double: self.double / scale }
    }
}

/// Seconds by part.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Layout and upload of the matrix, compilation of programs, decompositions.
    pub upload: f64,
    /// Work in textures, including uploads of right-hand sides.
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
    /// Starts a clock.
    pub fn start(machine: &Machine) -> Self {
        Self { machine: machine.clone(), since: Instant::now() }
    }

    /// The seconds since the last call, after all work of the machine is done.
    pub fn lap(&mut self) -> f64 {
        self.machine.finish();
        let now = Instant::now();
        let lap = now - std::mem::replace(&mut self.since, now);
        lap.as_secs_f64()
    }
}
