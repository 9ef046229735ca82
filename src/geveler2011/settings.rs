//! Settings of a solve.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solver::Criteria;
use crate::solver::multigrid::Cycle;

use super::ellpack::EllpackLayout;

/// Smoother: the M⁻¹ of a sweep, x ← x + ω M⁻¹ (b − A x).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Smoother {
    /// The inverse diagonal, as in the paper
    Jacobi,
    /// A sparse approximate inverse with A's pattern, the paper's future work
    Spai,
}

/// Arithmetic on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Defects in pairs of floats, cycles in single precision
    Mixed,
    /// Double precision inside programs, as in the paper; 48 bits between them
    Native,
    /// Pairs of floats throughout, about 48 bits
    Pairs,
    /// Single precision throughout
    Single,
}

/// Settings of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// M⁻¹
    pub smoother: Smoother,
    /// ω
    pub omega: f64,
    /// Shape of a cycle: in the paper, a V-cycle over all levels.
    pub cycle: Cycle,
    /// Factor by which the defect is reduced.
    pub reduction: f64,
    /// Maximum number of cycles.
    pub max_cycles: usize,
    /// Layout of matrices in textures (the CPU has its own).
    pub layout: EllpackLayout,
    /// Cycles go on until the estimated error is small, too; not in the paper.
    pub judges_error: bool,
}

impl Settings {
    /// §4.2, CIRCLE: Jacobi with ω = 0.7, four sweeps before and after. The paper does not print its stopping
    /// criterion; here it is 1e-8 of the first defect, or 100 cycles.
    pub const fn paper_circle() -> Self {
        Self {
            smoother: Smoother::Jacobi,
            // §4.2, CIRCLE: four times x ← x + 0.7 D⁻¹ (b − A x), before and after
            omega: 0.7,
            cycle: Cycle::v(4, 4),
            reduction: 1e-8,
            max_cycles: 100,
            layout: EllpackLayout::paper_2011(),
            judges_error: false,
        }
    }

    /// §4.2, BLOOD: ω = 0.5, 64 sweeps before and after.
    pub const fn paper_blood() -> Self {
        Self { omega: 0.5, cycle: Cycle::v(64, 64), ..Self::paper_circle() }
    }

    /// Stopping criteria for a first defect of this norm.
    pub fn criteria(&self, first: f64) -> Criteria {
        Criteria {
            rtol: 0.0,
            atol: self.reduction * first,
            max_iterations: self.max_cycles,
            patience: 20,
            ..Criteria::default()
        }
    }

    /// The M⁻¹ of a level. On the coarsest, conjugate gradients need a symmetric one (§4.2).
    pub(crate) fn smoother_on(&self, level: usize, coarsest: usize) -> Smoother {
        if level < coarsest { self.smoother } else { Smoother::Jacobi }
    }

    /// §4.2: conjugate gradients with Jacobi's preconditioner on the coarsest level, to two digits.
    pub fn coarsest(&self) -> Criteria {
        // §4.2: two digits of the first residual
        Criteria::to(1e-2)
    }
}
