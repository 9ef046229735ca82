//! Stopping criteria and reasons of solvers.
//!
//! The convention is SciPy's (‖b − A x‖ ≤ max(rtol ‖b‖, atol)); named reasons follow PETSc
//! (`KSPConvergedReason`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stopping criteria. The defaults do not change once released.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Criteria {
    /// Relative tolerance: converged is |b - A x| <= max(rtol |b|, atol)
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rtol: f64,
    /// Absolute tolerance, in the unit of b
    #[schemars(range(min = 0.0))]
    pub atol: f64,
    /// Maximum number of iterations or cycles
    #[serde(rename = "maxiter")]
    #[schemars(range(min = 1))]
    pub max_iterations: usize,
    /// Maximum number of iterations without a new smallest residual. Default 1000.
    ///
    /// The residual of conjugate gradients may grow for a long time before it falls (only the error in the norm
    /// of A falls steadily), so the default is generous.
    #[serde(skip)]
    pub patience: usize,
    /// Number of iterations of preconditioned conjugate gradients per norm of the residual; without a
    /// preconditioner the norm is always known. Default 1: the norm is taken as soon as the residual is known.
    /// If it is more, the next direction is computed first, as the counts in batty2003 imply.
    #[serde(skip)]
    pub norm_every: usize,
    /// Fraction of the largest residual so far at which an iteration ends, because rounding errors are proportional to
    /// that one, if the fraction is at most a tenth of b. Default 0; corrections in single precision use it.
    #[serde(skip)]
    pub of_largest: f64,
}

impl Default for Criteria {
    fn default() -> Self {
        Criteria {
            rtol: 1e-5,
            atol: 0.0,
            max_iterations: 10_000,
            patience: 1000,
            norm_every: 1,
            of_largest: 0.0,
        }
    }
}

impl Criteria {
    /// Exactly this number of iterations, whatever the residual, to time work or to compare iterates.
    pub fn exactly(iterations: usize) -> Self {
        Criteria { rtol: 0.0, max_iterations: iterations, ..Criteria::default() }
    }

    /// A relative tolerance, with defaults for everything else.
    pub fn to(rtol: f64) -> Self {
        Criteria { rtol, ..Criteria::default() }
    }

    /// Norm of the residual at which a system counts as solved, for a right-hand side of norm `norm_of_b`.
    pub fn tolerance(&self, norm_of_b: f64) -> f64 {
        (self.rtol * norm_of_b).max(self.atol)
    }
}

named! {
    /// Reason for stopping, with the name that commands print.
    Reason {
        /// The residual, computed again as b − A x, is within the tolerance.
        Converged = "converged",
        /// The maximum number of iterations was reached first.
        MaximumIterations = "max-iterations",
        /// A direction has pᵀAp ≤ 0; the matrix is not positive definite.
        Indefinite = "indefinite",
        /// rᵀM⁻¹r ≤ 0 for a nonzero residual.
        IndefinitePreconditioner = "indefinite-preconditioner",
        /// A divisor of biconjugate gradients became zero before the residual did.
        Breakdown = "breakdown",
        /// This precision cannot reduce the residual further.
        Stagnated = "stagnated",
        /// The residual grew without bound (multigrid, stationary methods).
        Diverged = "diverged",
        /// A decomposition met a zero pivot; the matrix is singular to single precision.
        ZeroPivot = "zero-pivot",
        /// The matrix is singular to double precision.
        Singular = "singular",
        /// The matrix is singular, and no x has a residual within the tolerance.
        Incompatible = "incompatible",
        /// NaN or infinity appeared.
        NotFinite = "not-finite",
    }
}

impl Reason {
    /// Tests whether the system is solved.
    pub fn is_converged(self) -> bool {
        self == Reason::Converged
    }
}

/// Result of a solver, except for x.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Reason for stopping.
    pub reason: Reason,
    /// Number of iterations, over all restarts.
    pub iterations: usize,
    /// Norm of the last recursive residual: the last entry of `history`.
    pub residual: f64,
    /// Norm of b − A x for the returned x, computed again in the space's own precision; `None` if the solver
    /// stopped before it was needed.
    pub verified: Option<f64>,
    /// Norm of the residual at the start and after every iteration: `iterations + 1` entries, or fewer if it
    /// was not always computed ([`Criteria::norm_every`]).
    pub history: Vec<f64>,
    /// Number of times that the recursive residual was replaced by b − A x and the method restarted.
    pub replacements: usize,
}

/// Seconds of a solve by multigrid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Seconds {
    /// Stencils, textures and programs.
    pub set_up: f64,
    /// Cycles, with the transfers of b and u.
    pub solve: f64,
}
