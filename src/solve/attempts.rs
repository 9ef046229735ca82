//! A solve whose method is left open: a table of attempts on one prepared system, and the reason if none converges, in
//! double precision.

use super::error::SolveError;
use crate::layouts::LayoutsError;
use crate::solver::dense::Lu;
use crate::solver::{Csr, Ending, Reason};
use crate::stream::Machine;

use super::choice;
use super::method::Method;
use super::options::Options;
use super::prepared::{Prepared, equilibration, norm, power_of_two};
use super::solution::{Solution, Tried};
use super::{Event, Solver};

/// Maximum number of rows of a matrix whose null vector is looked for by a decomposition in double precision.
const DENSE: usize = 1200;

/// Steps per unit of a null vector of few digits.
const DIGITS: f64 = (1_u64 << 30) as f64;

/// Number of products with A that take about as long as LU, which even without rows waits for its programs.
fn as_long_as_lu(rows: usize) -> usize {
    100 + 2 * rows + rows * rows / 25
}

/// A method, and the condition on the best attempt so far.
type Attempt = (Method, fn(&Solution) -> bool);

/// The methods after the first one, in this order.
const ATTEMPTS: [Attempt; 3] = [
    (Method::Minres, |best| best.method == Method::Pcg && best.reason == Reason::Indefinite),
    // What has stagnated would stagnate again. If LU takes less than about two seconds, it is next.
    (Method::Bicg, |best| {
        let is_other = !matches!(*best.reason, Reason::MaximumIterations | Reason::Stagnated);
        is_other && best.method == Method::Bicgstab && as_long_as_lu(best.rows) > 11_100
    }),
    (Method::Lu, |_| true),
];

/// A matrix, and the attempts to solve its systems.
///
/// A method or a layout in the options is the only attempt. Otherwise the method that suits the matrix comes first, then
/// another Krylov method that may do better, then LU, and at last the first method again, with all its iterations.
pub struct Attempts {
    first: Prepared,
    options: Options,
    /// Maximum number of seconds of an LU decomposition that was not asked for, by the forecast of its first columns.
    pub lu_seconds: f64,
}

impl Attempts {
    /// Prepares the matrix. [`Self::lu_seconds`] are 60.
    pub fn new(a: &Csr<f64>, options: &Options) -> Result<Self, SolveError> {
        Ok(Self { first: Prepared::new(a, options)?, options: options.clone(), lu_seconds: 60.0 })
    }

    /// The system as the first attempt solves it.
    pub fn first(&self) -> &Prepared {
        &self.first
    }

    /// Solves for b, from the given x or from zero. Failed attempts are in [`Solution::tried`]. If all fail, the one with
    /// the smallest residual is returned.
    ///
    /// # Errors
    /// As [`solve_csr`](super::solve_csr). An attempt after the first one that the machine cannot hold is left out; any
    /// other error of an attempt ends the solve.
    pub fn solve(
        &self,
        machine: &Machine,
        b: &[f64],
        start: Option<&[f64]>,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Solution, SolveError> {
        let Self { first, options, lu_seconds } = self;
        let mut attempt = |system: Prepared, max_iterations, start: Option<&[f64]>| {
            let mut options = options.clone();
            options.criteria.max_iterations = max_iterations;
            system.check(machine, options.limit)?;
            Solver::upload(machine, system, &options, observer)?.solve(b, start, observer)
        };
        let all = options.criteria.max_iterations;
        let limit = |method: Method| all.min(as_long_as_lu(b.len()) / method.products());
        let is_open = options.method.is_none() && options.layout.is_none();
        let allowed = if is_open { limit(first.method) } else { all };
        first.check(machine, options.limit)?;
        let first = &choice::chosen(machine, first.clone(), options)?;
        let mut best = attempt(first.clone(), allowed, start)?;
        // Iterations that the caller has limited are not followed by others.
        let is_ended = |best: &Solution| {
            best.reason.is_converged()
                || best.reason == Reason::MaximumIterations && best.iterations >= all
        };
        let is_short = allowed < all && best.reason == Reason::MaximumIterations;
        for (method, suits) in ATTEMPTS {
            if !is_open || is_ended(&best) || !suits(&best) {
                continue;
            }
            let mut next = first.by(method, options);
            next.most_seconds = *lu_seconds;
            best = match attempt(next, limit(method), start) {
                Ok(next) => best.or(next),
                Err(SolveError::TooSlow { seconds, .. }) => {
                    Solution { forecast: Some(seconds), ..best }
                }
                Err(
                    SolveError::NoBarrier { .. }
                    | SolveError::TooLarge { .. }
                    | SolveError::Layouts(LayoutsError::Unsuited(_)),
                ) => best,
                Err(error) => return Err(error),
            };
        }
        let why = |best: &Solution| match is_ended(best) {
            true => None,
            false => explain(&first.a, b, best),
        };
        let mut found = why(&best);
        if is_short && found.is_none() && !is_ended(&best) {
            let x = best.has_x().then(|| best.x.clone());
            best = best.or(attempt(first.clone(), all, x.as_deref())?);
            // Factors would be those of before.
            found = if b.len() > DENSE { why(&best) } else { None };
        }
        if let Some((reason, least)) = found {
            (best.reason, best.least) = (Ending::failed(reason), least);
        }
        Ok(best)
    }
}

impl Solution {
    /// This one or the next, whichever has converged or has the smaller residual.
    fn or(self, next: Self) -> Self {
        let is_better = next.reason.is_converged()
            || next.has_x() && (!self.has_x() || next.residual < self.residual);
        let (mut best, other) = if is_better { (next, self) } else { (self, next) };
        let mut tried = other.tried;
        tried.append(&mut best.tried);
        tried.push(Tried {
            method: other.method,
            reason: *other.reason,
            iterations: other.iterations,
        });
        Solution { tried, forecast: best.forecast.or(other.forecast), ..best }
    }
}

/// The reason why no method can converge, in double precision: a vector w with wᵀ A = 0, up to rounding errors. If it is zero
/// exactly, ‖b − A x‖ ≥ |wᵀ b| / ‖w‖ for all x, and that bound is returned if it is above the tolerance. `None` if no w is
/// found.
fn explain(a: &Csr<f64>, b: &[f64], solution: &Solution) -> Option<(Reason, Option<f64>)> {
    let [rows, columns] = equilibration(a);
    let transpose = a.clone().scaled(&rows, &columns).transpose();
    let n = b.len();
    let w = if n <= DENSE {
        null_vector(&transpose)?
    } else {
        // The residual is one, if all that A can reduce is gone.
        solution.remainder.iter().zip(&rows).map(|(r, row)| r / row).collect()
    };
    let [mut product, mut sizes] = [vec![0.0; n], vec![0.0; n]];
    let size: Vec<f64> = w.iter().map(|w| w.abs()).collect();
    transpose.multiply_parallel(&w, &mut product).ok()?;
    transpose.map(f64::abs).multiply_parallel(&size, &mut sizes).ok()?;
    let is_null = norm(&product) <= 4.0 * f64::EPSILON * (n as f64).sqrt().max(4.0) * norm(&sizes);
    if !is_null {
        return None;
    }
    let w: Vec<f64> = w.iter().zip(&rows).map(|(w, row)| w * row).collect();
    let Some(w) = exact_null_vector(a, &w) else {
        return Some((Reason::Singular, None));
    };
    let scale = power_of_two(b);
    let along = w.iter().zip(b).map(|(w, b)| w * b * scale).sum::<f64>() / scale;
    let least = along.abs() / norm(&w);
    // A bound above the residual that was found is a rounding error itself.
    Some(match least > solution.tolerance && least <= solution.residual {
        true => (Reason::Incompatible, Some(least)),
        false => (Reason::Singular, None),
    })
}

/// A vector near a multiple of w, of few digits, with wᵀ A = 0 exactly, if there is one.
fn exact_null_vector(a: &Csr<f64>, w: &[f64]) -> Option<Vec<f64>> {
    let sizes = w.iter().map(|w| w.abs());
    let largest = sizes.clone().fold(0.0, f64::max);
    let smallest = sizes.filter(|w| *w > DIGITS.recip() * largest).fold(largest, f64::min);
    let transpose = a.transpose();
    [largest, smallest].into_iter().find_map(|unit| {
        let rounded: Vec<f64> = w.iter().map(|w| (w / unit * DIGITS).round() / DIGITS).collect();
        let mut product = vec![0.0; a.columns()];
        transpose.multiply_parallel(&rounded, &mut product).ok()?;
        product.iter().all(|&sum| sum == 0.0).then_some(rounded)
    })
}

/// A vector w with B w near zero, if there is one: B⁻¹ of any vector.
fn null_vector(b: &Csr<f64>) -> Option<Vec<f64>> {
    let n = b.rows();
    let mut dense = b.to_dense();
    // Without a zero pivot even if B has one: a change of the size of rounding errors.
    dense.iter_mut().step_by(n + 1).for_each(|entry| *entry += 2.0 * f64::EPSILON);
    let factors = Lu::new(n, dense).ok()?;
    let any: Vec<f64> = (0..n).map(|k| (1.0 + 7.0 * k as f64).sin()).collect();
    let w = factors.solve(1, &any);
    let scale = power_of_two(&w);
    Some(w.iter().map(|w| w * scale).collect())
}
