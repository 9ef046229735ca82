//! Conjugate gradients as the paper lists them (Krüger and Westermann 2003, section 5.1), call by call.
//!
//! The listing takes three sums per iteration; the one of line 5 is that of line 11 one iteration before.
//! fragstream's variant, [`crate::solver::conjugate_gradients()`], takes two, and finally checks b − A x.

use crate::scene::{Effort, NotFinite};
use crate::solver::{Criteria, Operation, TextureSpace};
use crate::stream::{Reduce, Stream, StreamError};

use super::{Error, Matrix, cl_mat_vec, cl_vec_op, cl_vec_reduce};

/// Fails if the iterations of a simulation's step broke down.
pub(super) fn finite(effort: Effort, what: &'static str, steps: usize) -> Result<Effort, Error> {
    if effort.residual.is_finite() {
        return Ok(effort);
    }
    let remedy = "take a smaller time step or weaker forces";
    Err(Error::NotFinite(NotFinite { what, steps, remedy }))
}

/// The vectors of the paper's listing, in addition to b and x.
pub struct ListedGradients {
    r: Stream,
    p: Stream,
    q: Stream,
    /// Target of the next x, r and p: superscript i + 1.
    next: Stream,
}

impl ListedGradients {
    /// Creates the vectors in this space.
    pub fn new(space: &TextureSpace) -> Result<Self, StreamError> {
        Ok(Self { r: space.zeros()?, p: space.zeros()?, q: space.zeros()?, next: space.zeros()? })
    }

    /// Solves A x = b starting from x. The check of line 14 compares the residual with the
    /// tolerance of `criteria`, relative to the first residual; it is also made before the first iteration, which could
    /// divide zero by zero.
    /// `each` is called with every new x.
    /// After a breakdown the residual is not finite.
    pub fn solve(
        &mut self,
        space: &TextureSpace,
        (a, b): (&dyn Matrix, &Stream),
        x: &mut Stream,
        criteria: &Criteria,
        mut each: impl FnMut(&Stream),
    ) -> Result<Effort, Error> {
        use Operation::{Add, Subtract};
        let swap = std::mem::swap::<Stream>;
        let Self { r, p, q, next } = self;
        // §5.1, lines 1 to 3: p = r = −(A x − b)
        cl_mat_vec(space, Subtract, Some((a, x)), Some(b), next)?; // 1
        cl_vec_op(space, Add, Some((-1.0, next)), None, r)?; // 2
        cl_vec_op(space, Add, Some((1.0, r)), None, p)?; // 3
        let mut left = Effort { iterations: 0, residual: f64::INFINITY };
        let mut tolerance = None;
        while left.iterations < criteria.max_iterations {
            // §5.1, lines 5 to 8: ρ = rᵀr, q = A p, α = ρ / pᵀq
            let rho = cl_vec_reduce(space, Reduce::Sum, r, Some(r))?; // 5
            left.residual = rho.sqrt();
            let tolerance = *tolerance.get_or_insert(criteria.tolerance(left.residual));
            if !left.residual.is_finite() || left.residual <= tolerance {
                break;
            }
            cl_mat_vec(space, Add, Some((a, p)), None, q)?; // 6
            let alpha = rho / cl_vec_reduce(space, Reduce::Sum, p, Some(q))?; // 7, 8
            // §5.1, lines 9 to 13: x ← x + α p, r ← r − α q, β = rᵀr / ρ, p ← r + β p
            cl_vec_op(space, Add, Some((1.0, x)), Some((alpha, p)), next)?; // 9
            swap(x, next);
            cl_vec_op(space, Subtract, Some((1.0, r)), Some((alpha, q)), next)?; // 10
            swap(r, next);
            let squared = cl_vec_reduce(space, Reduce::Sum, r, Some(r))?; // 11
            let beta = squared / rho; // 12
            cl_vec_op(space, Add, Some((1.0, r)), Some((beta, p)), next)?; // 13
            swap(p, next);
            left = Effort { iterations: left.iterations + 1, residual: squared.sqrt() };
            each(x);
        }
        Ok(left)
    }
}
