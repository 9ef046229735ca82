//! Settings of a fluid, and the system that a step solves (Krüger and Westermann 2003, section 6).

use crate::kruger2003::Gradients;
use crate::kruger2003::matrices::five_point::five_point;
use crate::kruger2003::simulation::error::{check_share, check_size};
use crate::simulation::Setting;
use crate::solver::{Criteria, Csr};
use crate::stream::Size;

use super::Interpolation;

/// Effect of walls on fluid along them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Walls {
    /// No effect.
    Slip,
    /// The fluid sticks to them; the upper wall moves to the right at this speed.
    Stick {
        /// The speed of the lid.
        lid: f64,
    },
}

impl Walls {
    /// 1 if fluid slips along walls and −1 if it sticks, and the speed of the upper wall.
    pub fn slip_and_lid(self) -> [f64; 2] {
        match self {
            Self::Slip => [1.0, 0.0],
            Self::Stick { lid } => [-1.0, lid],
        }
    }
}

/// Settings of a fluid. Lengths are in cells; the unit of time is the caller's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FluidSettings {
    /// Columns and rows of cells.
    pub size: Size,
    /// Time step. Default 1.
    pub dt: f64,
    /// Viscosity, in squared cells per unit of time. Default 0.
    pub viscosity: f64,
    /// Effect of walls. Default: the fluid sticks.
    pub walls: Walls,
    /// Interpolation between texels in advection.
    pub interpolation: Interpolation,
    /// Iterations of conjugate gradients per step. Default 4, as in the paper.
    pub iterations: usize,
    /// Variant of conjugate gradients. Default: two reductions per iteration.
    pub gradients: Gradients,
    /// True to start from the previous step's pressure, as in the paper, and false to start from zero.
    pub warm_start: bool,
    /// Share of the dye that is left after a step. Default 1.
    pub fade: f64,
}

impl FluidSettings {
    /// The paper's settings: semi-Lagrangian advection interpolates linearly, as Stam's does, and four iterations of
    /// the paper's listing solve for the pressure.
    pub fn paper_2003(width: u32, height: u32) -> Self {
        Self {
            interpolation: Interpolation::Linear,
            gradients: Gradients::Listed,
            ..Self::new(width, height)
        }
    }

    /// fragstream's variant for a box of this size: advection interpolates by cubics, which smooth less.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            size: (width, height),
            dt: 1.0,
            viscosity: 0.0,
            walls: Walls::Stick { lid: 0.0 },
            interpolation: Interpolation::default(),
            iterations: 4,
            gradients: Gradients::default(),
            warm_start: true,
            fade: 1.0,
        }
    }

    /// A square box whose lid moves by one cell per unit of time, with this Reynolds number: lid speed
    /// times side over viscosity. The step is as long as the viscosity allows, and at most one
    /// unit of time.
    pub fn cavity(side: u32, reynolds: f64) -> Self {
        Self {
            walls: Walls::Stick { lid: 1.0 },
            ..Self::new(side, side).with_viscosity(f64::from(side) / reynolds)
        }
    }

    /// The same with this viscosity, and a step of one unit of time, or the longest stable step with
    /// a margin of a fifth.
    pub fn with_viscosity(self, viscosity: f64) -> Self {
        Self {
            dt: (0.8 * longest_step(viscosity)).min(1.0),
            viscosity,
            ..self
        }
    }

    /// Checks the settings, and that the step is stable.
    pub fn check(&self) -> Result<(), Setting> {
        check_size(self.size, 4)?;
        let (nu, dt) = (self.viscosity, self.dt);
        Setting::not_negative("the viscosity", nu)?;
        Setting::positive("the time step", dt)?;
        let longest = longest_step(nu);
        let remedy = format!("with this viscosity only steps up to {longest:.4} are stable");
        Setting::check("the time step", dt, dt <= longest, remedy)?;
        if let Walls::Stick { lid } = self.walls {
            Setting::finite("the speed of the lid", lid)?;
        }
        check_share("the share of dye left after a step", self.fade)?;
        Setting::at_least("the number of iterations", self.iterations, 1)
    }

    /// −L, for the pressure. It is singular: the pressure is determined only up to a constant.
    pub fn matrix(&self) -> Csr<f64> {
        five_point(self.size, 1.0, |_| 0.0)
    }

    /// Stopping criteria of a step's iterations.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: 1e-6,
            atol: 1e-12,
            max_iterations: self.iterations,
            ..Criteria::default()
        }
    }
}

/// The longest step for which explicit diffusion is stable.
fn longest_step(viscosity: f64) -> f64 {
    1.0 / (4.0 * viscosity)
}
