//! When a solver stops, and what it says about it.
//!
//! The convention is SciPy's (‖b − A x‖ ≤ max(rtol ‖b‖, atol)), the idea that every way of
//! stopping has a name is PETSc's (`KSPConvergedReason`).

use std::fmt;

use serde::Serialize;

#[cfg(feature = "cli")]
use crate::arguments::not_negative;

/// When to stop. The defaults do not change once released.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Criteria {
    /// Relative tolerance: converged is |b - A x| <= max(rtol |b|, atol)
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", value_parser = not_negative,
               default_value = "1e-5"))]
    pub rtol: f64,
    /// Absolute tolerance, in the unit of b
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", value_parser = not_negative,
               default_value = "0"))]
    pub atol: f64,
    /// Maximum number of iterations or cycles
    #[cfg_attr(feature = "cli", arg(long = "maxiter", value_name = "N",
               value_parser = crate::arguments::at_least_one,
               default_value_t = Criteria::default().max_iterations))]
    pub max_iterations: usize,
    /// How many iterations may pass without a new smallest residual. Default 1000.
    ///
    /// The residual of conjugate gradients may grow for a long time before it falls (only the
    /// error in the norm of A falls steadily), so this is generous.
    #[cfg_attr(feature = "cli", arg(skip = Criteria::default().patience))]
    pub patience: usize,
    /// After how many iterations of preconditioned conjugate gradients the norm of the residual is
    /// taken; without a preconditioner it is known anyway. Default 1: as soon as the residual is there.
    /// If it is more, the next direction is made first, as counts in batty2003 show it was there.
    #[cfg_attr(feature = "cli", arg(skip = 1_usize))]
    pub norm_every: usize,
}

impl Default for Criteria {
    fn default() -> Self {
        Criteria {
            rtol: 1e-5,
            atol: 0.0,
            max_iterations: 10_000,
            patience: 1000,
            norm_every: 1,
        }
    }
}

impl Criteria {
    /// So many iterations, whatever the residual, as where work is timed or iterates are compared.
    pub fn exactly(iterations: usize) -> Self {
        Criteria {
            rtol: 0.0,
            max_iterations: iterations,
            ..Criteria::default()
        }
    }

    /// Down to a relative tolerance, all else as by default.
    pub fn to(rtol: f64) -> Self {
        Criteria {
            rtol,
            ..Criteria::default()
        }
    }

    /// The residual norm at which a system with right-hand side of norm `norm_of_b` is solved.
    pub fn tolerance(&self, norm_of_b: f64) -> f64 {
        (self.rtol * norm_of_b).max(self.atol)
    }
}

/// Why a solver stopped. [`Display`](fmt::Display) gives the name that commands print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// `converged`: the residual, computed anew as b − A x, is within the tolerance.
    Converged,
    /// `max-iterations`: the iterations allowed were used up first.
    #[serde(rename = "max-iterations")]
    MaximumIterations,
    /// `indefinite`: a direction with pᵀAp ≤ 0 was met; the matrix is not positive definite.
    Indefinite,
    /// `indefinite-preconditioner`: rᵀM⁻¹r ≤ 0 for a residual that is not zero.
    IndefinitePreconditioner,
    /// `breakdown`: a number that biconjugate gradients divide by became zero before the residual did.
    Breakdown,
    /// `stagnated`: the arithmetic's precision does not lead any closer to the solution.
    Stagnated,
    /// `diverged`: the residual grew without bound (multigrid, stationary methods).
    Diverged,
    /// `zero-pivot`: a decomposition had nothing to divide by; the matrix is singular.
    ZeroPivot,
    /// `not-finite`: NaN or infinity appeared.
    NotFinite,
}

impl Reason {
    /// Whether the system is solved.
    pub fn is_converged(self) -> bool {
        self == Reason::Converged
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Reason::Converged => "converged",
            Reason::MaximumIterations => "max-iterations",
            Reason::Indefinite => "indefinite",
            Reason::IndefinitePreconditioner => "indefinite-preconditioner",
            Reason::Breakdown => "breakdown",
            Reason::Stagnated => "stagnated",
            Reason::Diverged => "diverged",
            Reason::ZeroPivot => "zero-pivot",
            Reason::NotFinite => "not-finite",
        })
    }
}

/// What a solver did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Why it stopped.
    pub reason: Reason,
    /// How many iterations it took, over all restarts.
    pub iterations: usize,
    /// The norm of the residual as the recursion last had it: the last entry of `history`.
    pub residual: f64,
    /// The norm of b − A x for the x returned, computed anew in the space's own precision; `None`
    /// where the solver stopped before it had to know.
    pub verified: Option<f64>,
    /// The norm of the residual at the start and after every iteration, `iterations + 1` entries;
    /// fewer where it was not always taken ([`Criteria::norm_every`]).
    pub history: Vec<f64>,
    /// How often the recursion's residual was replaced by b − A x and the method restarted.
    pub replacements: usize,
}
