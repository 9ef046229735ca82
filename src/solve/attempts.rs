//! A solve whose method is left open: a table of attempts on one prepared system, and the reason if none converges, in
//! double precision.

use crate::layouts::LayoutsError;
use crate::solver::dense::Lu;
use crate::solver::{Csr, Ending, Reason};
use crate::stream::Machine;

use super::method::Method;
use super::options::Options;
use super::prepared::{Prepared, equilibration, norm, power_of_two};
use super::solution::{Solution, Tried};
use super::{Event, Solver};

/// Maximum number of rows of a matrix whose null vector is looked for by a decomposition in double precision.
const DENSE: usize = 1200;

/// Number of rows up to which LU takes about two seconds on two cores: no other method is worth trying before it.
const QUICK: usize = 500;

/// Maximum number of seconds of an LU decomposition that was not asked for, by the forecast of its first columns.
pub const LU_SECONDS: f64 = 60.0;

/// An attempt after one that has not converged.
struct Attempt {
    /// Method; `None` is the first one again, from the best x so far.
    method: Option<Method>,
    /// True if it may take about as many iterations as LU takes time, false if all that are allowed.
    is_limited: bool,
    /// Condition on the best attempt so far.
    when: fn(&Solution) -> bool,
}

/// The attempts after the first one, in this order.
const ATTEMPTS: [Attempt; 4] = [
    Attempt {
        method: Some(Method::Minres),
        is_limited: true,
        when: |best| best.method == Method::Pcg && best.reason == Reason::Indefinite,
    },
    // What has stagnated would stagnate again.
    Attempt {
        method: Some(Method::Bicg),
        is_limited: true,
        when: |best| {
            let is_other = best.reason != Reason::MaximumIterations;
            let is_other = is_other && best.reason != Reason::Stagnated;
            best.rows > QUICK && best.method == Method::Bicgstab && is_other
        },
    },
    Attempt { method: Some(Method::Lu), is_limited: false, when: |_| true },
    Attempt { method: None, is_limited: false, when: |_| true },
];

/// Number of iterations of a method that take about as long as LU, which even without rows waits for its programs.
fn as_long_as_lu(method: Method, rows: usize) -> usize {
    (100 + 2 * rows + rows * rows / 25) / method.products()
}

/// A matrix with the attempts at its systems: with a method or a layout in the options one attempt; otherwise the method
/// that suits the matrix, another one on Krylov spaces that may do better, LU if its forecast is at most [`LU_SECONDS`],
/// and the first method with all its iterations.
pub struct Attempts {
    first: Prepared,
    options: Options,
}

impl Attempts {
    /// Prepares the matrix.
    ///
    /// # Errors
    /// As [`Prepared::new`].
    pub fn new(a: &Csr<f64>, options: &Options) -> Result<Self, LayoutsError> {
        Ok(Self { first: Prepared::new(a, options)?, options: options.clone() })
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
    ) -> Result<Solution, LayoutsError> {
        let Self { first, options } = self;
        let mut attempt = |system: &Prepared, max_iterations, start: Option<&[f64]>| {
            let mut options = options.clone();
            options.criteria.max_iterations = max_iterations;
            system.check(machine, options.limit)?;
            let solver = Solver::upload(machine, system.clone(), &options, observer)?;
            solver.solve(b, start, observer)
        };
        let all = options.criteria.max_iterations;
        let limit = |method| all.min(as_long_as_lu(method, first.a.rows()));
        let is_open = options.method.is_none() && options.layout.is_none();
        let allowed = if is_open { limit(first.method) } else { all };
        let mut best = attempt(first, allowed, start)?;
        // Iterations that the caller has limited are not followed by others.
        let is_ended = |best: &Solution| {
            best.reason.is_converged()
                || best.reason == Reason::MaximumIterations && best.iterations >= all
        };
        let is_short = allowed < all && best.reason == Reason::MaximumIterations;
        // `Some` once a reason has been looked for in factors, which no other x would change.
        let mut explained = None;
        for Attempt { method, is_limited, when } in &ATTEMPTS {
            if !is_open || is_ended(&best) || !when(&best) {
                continue;
            }
            let next = match *method {
                Some(method) => {
                    let most = if *is_limited { limit(method) } else { all };
                    attempt(&first.by(method, options), most, start)
                }
                None if is_short => {
                    explained = Some(explain(&first.a, b, &best));
                    if explained != Some(None) {
                        break;
                    }
                    let x = best.has_x().then(|| best.x.clone());
                    attempt(first, all, x.as_deref())
                }
                None => break,
            };
            best = match next {
                Ok(next) => best.or(next),
                Err(LayoutsError::TooSlow { seconds, .. }) => {
                    Solution { forecast: Some(seconds), ..best }
                }
                Err(
                    LayoutsError::NoBarrier { .. }
                    | LayoutsError::TooLarge { .. }
                    | LayoutsError::Unsuited(_),
                ) => best,
                Err(error) => return Err(error),
            };
        }
        if !is_ended(&best) {
            let explained = match explained {
                Some(explained) if b.len() <= DENSE => explained,
                _ => explain(&first.a, b, &best),
            };
            if let Some((reason, least)) = explained {
                (best.reason, best.least) = (Ending::failed(reason), least);
            }
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

/// The reason why no method can converge, in double precision: a vector w with wᵀ A = 0, up to rounding errors, so that
/// ‖b − A x‖ ≥ |wᵀ b| / ‖w‖ for all x, and that bound if it is above the tolerance. `None` if no w is found.
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
    let scale = power_of_two(b);
    let along = w.iter().zip(b).map(|(w, b)| w * b * scale).sum::<f64>() / scale;
    let least = along.abs() / norm(&w);
    Some(match least > solution.tolerance {
        true => (Reason::Incompatible, Some(least)),
        false => (Reason::Singular, None),
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
