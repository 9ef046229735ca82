//! Conjugate gradients as the paper lists them (Krüger and Westermann 2003, section 5.1), call by call,
//! and the choice of a simulation between this listing and fragstream's variant.
//!
//! The listing takes three sums per iteration; the one of line 5 is that of line 11 one iteration before.
//! The variant, [`crate::solver::conjugate_gradients()`], takes two, and finally checks b − A x.

use crate::kruger2003::vectors::operations::{cl_mat_vec, cl_vec_op, cl_vec_reduce};
use crate::kruger2003::{AlgebraError, DiagonalMatrix, Matrix};
use crate::solver::{Criteria, LinearSystem, Operation, Reason, TextureSpace, Workspace};
use crate::stream::{Reduce, Stream, StreamError};

/// Variant of conjugate gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gradients {
    /// The paper's listing, with three sums.
    Listed,
    /// fragstream's variant, with two sums.
    #[default]
    TwoSums,
}

/// Iterations done and the residual norm reached.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Left {
    /// Number of iterations.
    pub iterations: usize,
    /// Norm of the residual; not finite after a breakdown.
    pub residual: f64,
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
        Ok(Self {
            r: space.zeros()?,
            p: space.zeros()?,
            q: space.zeros()?,
            next: space.zeros()?,
        })
    }

    /// Solves A x = b starting from x. The check of line 14 compares the residual with `criteria`'s
    /// absolute tolerance; it is also made before the first iteration, which could divide zero by zero.
    /// `each` is called with every new x.
    pub fn solve(
        &mut self,
        space: &TextureSpace,
        (a, b): (&dyn Matrix, &Stream),
        x: &mut Stream,
        criteria: &Criteria,
        mut each: impl FnMut(&Stream),
    ) -> Result<Left, AlgebraError> {
        use Operation::{Add, Subtract};
        let swap = std::mem::swap::<Stream>;
        let Self { r, p, q, next } = self;
        cl_mat_vec(space, Subtract, Some((a, x)), Some(b), next)?; // 1
        cl_vec_op(space, Add, Some((-1.0, next)), None, r)?; // 2
        cl_vec_op(space, Add, Some((1.0, r)), None, p)?; // 3
        let mut left = Left {
            iterations: 0,
            residual: f64::INFINITY,
        };
        while left.iterations < criteria.max_iterations {
            let rho = cl_vec_reduce(space, Reduce::Sum, r, Some(r))?; // 5
            left.residual = rho.sqrt();
            if !left.residual.is_finite() || left.residual <= criteria.atol {
                break;
            }
            cl_mat_vec(space, Add, Some((a, p)), None, q)?; // 6
            let alpha = rho / cl_vec_reduce(space, Reduce::Sum, p, Some(q))?; // 7, 8
            cl_vec_op(space, Add, Some((1.0, x)), Some((alpha, p)), next)?; // 9
            swap(x, next);
            cl_vec_op(space, Subtract, Some((1.0, r)), Some((alpha, q)), next)?; // 10
            swap(r, next);
            let squared = cl_vec_reduce(space, Reduce::Sum, r, Some(r))?; // 11
            let beta = squared / rho; // 12
            cl_vec_op(space, Add, Some((1.0, r)), Some((beta, p)), next)?; // 13
            swap(p, next);
            left = Left {
                iterations: left.iterations + 1,
                residual: squared.sqrt(),
            };
            each(x);
        }
        Ok(left)
    }
}

/// The solver of a simulation, with its vectors.
pub enum GradientSolver {
    /// The paper's listing.
    Listed(ListedGradients),
    /// fragstream's variant.
    TwoSums(Workspace<TextureSpace>),
}

impl GradientSolver {
    /// Creates the vectors in this space.
    pub fn new(space: &TextureSpace, gradients: Gradients) -> Result<Self, StreamError> {
        Ok(match gradients {
            Gradients::Listed => Self::Listed(ListedGradients::new(space)?),
            Gradients::TwoSums => Self::TwoSums(Workspace::new(space)?),
        })
    }

    /// Solves A x = b starting from x.
    pub fn solve(
        &mut self,
        space: &TextureSpace,
        (a, b): (&DiagonalMatrix, &Stream),
        x: &mut Stream,
        criteria: &Criteria,
    ) -> Result<Left, AlgebraError> {
        let workspace = match self {
            Self::Listed(listed) => return listed.solve(space, (a, b), x, criteria, |_| ()),
            Self::TwoSums(workspace) => workspace,
        };
        let system = LinearSystem {
            space,
            operator: a,
            preconditioner: None,
            b,
        };
        let outcome = workspace.solve(&system, x, criteria, |_| ())?;
        Ok(Left {
            iterations: outcome.iterations,
            residual: match outcome.reason {
                Reason::NotFinite => f64::NAN,
                _ => outcome.residual,
            },
        })
    }
}
