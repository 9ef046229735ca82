//! How a problem is solved.

use crate::solver::Criteria;
use crate::solver::multigrid::Cycle;

use super::super::products::EllpackLayout;

/// What the defect is multiplied with in a sweep, x ← x + ω M⁻¹ (b − A x).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Smoother {
    /// The inverse diagonal: the paper's
    Jacobi,
    /// A sparse approximate inverse with A's pattern: the paper's future work
    Spai,
}

/// What the stream processor computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Precision {
    /// Defects in pairs of floats, cycles in single precision
    Mixed,
    /// All in double precision inside programs, as in the paper; 48 bits between them
    Native,
    /// All in pairs of floats, about 48 bits
    Pairs,
    /// All in single precision
    Single,
}

/// How much a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Passes {
    /// The paper's: defect, product with M⁻¹, sum; product with P, sum
    Separate,
    /// A sweep of Jacobi's method in one, and a correction in one
    Fused,
}

/// How a problem is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// M⁻¹
    pub smoother: Smoother,
    /// ω
    pub omega: f64,
    /// The shape of a cycle: a V-cycle over all levels in the paper.
    pub cycle: Cycle,
    /// The defect is reduced by this factor.
    pub reduction: f64,
    /// At most so many cycles.
    pub max_cycles: usize,
    /// How matrices lie in textures (the CPU has its own way).
    pub layout: EllpackLayout,
    /// How much a pass does (on the stream processor).
    pub passes: Passes,
}

impl Settings {
    /// §4.2, CIRCLE: Jacobi with ω = 0.7, four sweeps before and after. The paper does not print when
    /// it stops; here it does at 1e-8 of the first defect, or after 100 cycles.
    pub const fn paper_circle() -> Self {
        Self {
            smoother: Smoother::Jacobi,
            omega: 0.7,
            cycle: Cycle::v(4, 4),
            reduction: 1e-8,
            max_cycles: 100,
            layout: EllpackLayout::paper_2011(),
            passes: Passes::Separate,
        }
    }

    /// §4.2, BLOOD: ω = 0.5, 64 sweeps before and after.
    pub const fn paper_blood() -> Self {
        Self {
            omega: 0.5,
            cycle: Cycle::v(64, 64),
            ..Self::paper_circle()
        }
    }

    /// When to stop, for a first defect of this norm.
    pub fn criteria(&self, first: f64) -> Criteria {
        Criteria {
            rtol: 0.0,
            atol: self.reduction * first,
            max_iterations: self.max_cycles,
            patience: 20,
            ..Criteria::default()
        }
    }

    /// §4.2: on the coarsest level conjugate gradients with Jacobi's preconditioner, to two digits.
    pub fn coarsest(&self) -> Criteria {
        Criteria::to(1e-2)
    }
}
