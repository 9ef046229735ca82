//! A solve whose method is left open: methods are tried until one converges, and the reason of a failure is looked for
//! in double precision.

use crate::solver::dense::Lu;
use crate::solver::{Csr, Reason};

use super::method::Method;
use super::options::Options;
use super::prepared::{equilibration, norm, power_of_two};
use super::solution::Solution;

/// Maximum number of rows of a matrix that LU is tried on. The time grows with the third power of the rows: on two cores
/// 2 s for 500 rows, 30 s for 1200.
pub const DENSE: usize = 1200;

/// The number of iterations of a method that take about as long as LU, which even without rows waits for its programs.
fn as_long_as_lu(method: Method, rows: usize) -> usize {
    (100 + 2 * rows + rows * rows / 25) / method.products()
}

/// Solves by the method of the options. Without a method and a layout, it tries the method that suits the matrix, then
/// another one on Krylov spaces that may do better, and LU for at most [`DENSE`] rows; those before LU may then each take
/// about the time of LU. The failed ones are in [`Solution::tried`]. If all fail, the one with the smallest residual is
/// returned.
///
/// `solve` solves by the method of its options, from an initial x.
///
/// # Errors
/// Those of the first solve. A method that this machine cannot run is left out.
pub fn by_attempts<E>(
    a: &Csr<f64>,
    b: &[f64],
    options: &Options,
    mut solve: impl FnMut(&Options, Option<&[f64]>) -> Result<Solution, E>,
) -> Result<Solution, E> {
    let is_open = options.method.is_none() && options.layout.is_none();
    let is_small = is_open && a.rows() <= DENSE;
    let all = options.criteria.max_iterations;
    let most = |method| if is_small { all.min(as_long_as_lu(method, a.rows())) } else { all };
    let limited = |method, max_iterations| {
        let mut options = Options { method, ..options.clone() };
        options.criteria.max_iterations = max_iterations;
        options
    };
    let allowed = if is_small { most(Method::suited_to(a)) } else { all };
    let mut best = solve(&limited(options.method, allowed), None)?;
    // Iterations that the caller has limited are not followed by others.
    let is_limited = best.reason == Reason::MaximumIterations && best.iterations >= all;
    if is_open && !is_limited {
        let first = best.method;
        // More iterations are allowed than this one has had.
        let is_short = allowed < all && best.reason == Reason::MaximumIterations;
        let is_other = !matches!(best.reason, Reason::MaximumIterations | Reason::Stagnated);
        let second = match first {
            Method::Pcg if best.reason == Reason::Indefinite => Some(Method::Minres),
            Method::Bicg if !is_small => Some(Method::Bicgstab),
            Method::Bicgstab if !is_small && is_other => Some(Method::Bicg),
            _ => None,
        };
        let second = second.map(|method| (method, most(method)));
        for (method, most) in [second, is_small.then_some((Method::Lu, all))].into_iter().flatten()
        {
            if best.reason != Reason::Converged {
                best = best.or(solve(&limited(Some(method), most), None));
            }
        }
        if is_short && best.reason != Reason::Converged && explain(a, b, &best).is_none() {
            let start = best.has_x().then(|| best.x.clone());
            best = best.or(solve(&limited(Some(first), all), start.as_deref()));
        }
    }
    if best.reason != Reason::Converged
        && !is_limited
        && let Some((reason, least)) = explain(a, b, &best)
    {
        (best.reason, best.least) = (reason, least);
    }
    Ok(best)
}

impl Solution {
    /// This one or the next, whichever has converged or has the smaller residual.
    fn or<E>(self, next: Result<Self, E>) -> Self {
        let Ok(next) = next else { return self };
        let is_better = next.reason == Reason::Converged
            || next.has_x() && (!self.has_x() || next.residual < self.residual);
        let (mut best, other) = if is_better { (next, self) } else { (self, next) };
        let mut tried = other.tried;
        tried.append(&mut best.tried);
        tried.push((other.method, other.reason));
        Solution { tried, ..best }
    }
}

/// The reason why no method can converge, in double precision: a vector w with wᵀ A = 0, up to rounding errors, so that
/// ‖b − A x‖ ≥ |wᵀ b| / ‖w‖ for all x, and that bound if it is above the tolerance. `None` if no w is found.
fn explain(a: &Csr<f64>, b: &[f64], solution: &Solution) -> Option<(Reason, Option<f64>)> {
    let scale = power_of_two(a.values());
    let a = a.map(|value| value * scale);
    let [rows, columns] = equilibration(&a);
    let transpose = a.scaled(&rows, &columns).transpose();
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
