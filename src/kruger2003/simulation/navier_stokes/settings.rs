//! What a fluid is like, and the system that a step solves (Krüger and Westermann 2003, section 6).

use crate::kruger2003::Gradients;
use crate::kruger2003::matrices::five_point::five_point;
use crate::kruger2003::simulation::error::{check_share, check_size};
use crate::simulation::Setting;
use crate::solver::{Criteria, Csr};
use crate::stream::Size;

use super::Interpolation;

/// What walls do to fluid along them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Walls {
    /// Nothing.
    Slip,
    /// They hold it; the upper wall moves to the right at this speed.
    Stick {
        /// The speed of the lid.
        lid: f64,
    },
}

impl Walls {
    /// 1 where fluid slips along them and −1 where it sticks, and the speed of the upper one.
    pub fn slip_and_lid(self) -> [f64; 2] {
        match self {
            Self::Slip => [1.0, 0.0],
            Self::Stick { lid } => [-1.0, lid],
        }
    }
}

/// What the fluid is like. Lengths are in cells; the unit of time is the caller's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FluidSettings {
    /// Columns and rows of cells.
    pub size: Size,
    /// The time of a step; 1 unless set.
    pub dt: f64,
    /// The viscosity, in squared cells a unit of time; 0 unless set.
    pub viscosity: f64,
    /// What walls do; they hold the fluid unless set.
    pub walls: Walls,
    /// How tracing back reads between texels.
    pub interpolation: Interpolation,
    /// Iterations of conjugate gradients in a step; 4 unless set, as in the paper.
    pub iterations: usize,
    /// Whose they are; ours unless set.
    pub gradients: Gradients,
    /// Whether they start from the last step's pressure, as in the paper, or from zero.
    pub warm_start: bool,
    /// What is left of the dye after a step; all of it unless set.
    pub fade: f64,
}

impl FluidSettings {
    /// As the paper has it: back-tracing reads linearly, as Stam's does, and four iterations of its listing
    /// solve for the pressure.
    pub fn paper_2003(width: u32, height: u32) -> Self {
        Self {
            interpolation: Interpolation::Linear,
            gradients: Gradients::Listed,
            ..Self::new(width, height)
        }
    }

    /// A box of this size, ours: back-tracing reads by cubics, which smooth less.
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

    /// A square box whose lid moves a cell a unit of time, with this Reynolds number: lid speed
    /// times side over viscosity. The step is as long as the viscosity lets it be, and at most one
    /// unit of time.
    pub fn cavity(side: u32, reynolds: f64) -> Self {
        Self {
            walls: Walls::Stick { lid: 1.0 },
            ..Self::new(side, side).with_viscosity(f64::from(side) / reynolds)
        }
    }

    /// The same with this viscosity, and a step of one unit of time, or as long as the viscosity lets it
    /// be with a fifth to spare.
    pub fn with_viscosity(self, viscosity: f64) -> Self {
        Self {
            dt: (0.8 * longest_step(viscosity)).min(1.0),
            viscosity,
            ..self
        }
    }

    /// Whether they make sense, and the step is stable.
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
        check_share("what is left of the dye", self.fade)?;
        Setting::at_least("the number of iterations", self.iterations, 1)
    }

    /// −L, for the pressure. It is singular: pressure is known but for a constant.
    pub fn matrix(&self) -> Csr<f64> {
        five_point(self.size, 1.0, |_| 0.0)
    }

    /// When the iterations of a step end.
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
