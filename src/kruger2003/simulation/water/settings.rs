//! Settings of water, and the system that a step solves (Krüger and Westermann 2003, section 6).

use crate::kruger2003::Gradients;
use crate::kruger2003::matrices::five_point::five_point;
use crate::kruger2003::simulation::error::{check_share, check_size};
use crate::simulation::Setting;
use crate::solver::{Criteria, Csr};
use crate::stream::Size;

/// Residual below which water is at rest: its square is still far above the smallest float.
const REST: f64 = 1e-12;

/// Behaviour of waves at the edges of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Shore {
    /// A wall: waves are reflected
    #[default]
    Reflecting,
    /// Open water: waves leave
    Absorbing,
}

/// Settings of the water. Lengths are in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct WaterSettings {
    /// Columns and rows of cells.
    #[cfg_attr(feature = "cli", arg(skip = (512, 512)))]
    pub size: Size,
    /// Courant number c Δt / h: cells that a wave travels per step. Beyond 1 an explicit scheme would be
    /// unstable
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", default_value = "1"))]
    pub courant: f64,
    /// Fraction of its speed that the surface loses per step
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "NUMBER", default_value = "0.004")
    )]
    pub damping: f64,
    /// Condition at the edges
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t = Shore::Reflecting))]
    pub shore: Shore,
    /// Iterations of conjugate gradients per step; the paper's are 5
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value = "5"))]
    pub iterations: usize,
    /// Version of conjugate gradients; fragstream's variant unless set.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub gradients: Gradients,
}

impl WaterSettings {
    /// The paper's settings: its listing of conjugate gradients, five iterations per step.
    pub fn paper_2003(width: u32, height: u32) -> Self {
        Self {
            gradients: Gradients::Listed,
            ..Self::new(width, height)
        }
    }

    /// fragstream's variant on a grid of this size, with the same number of iterations.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            size: (width, height),
            courant: 1.0,
            damping: 0.0,
            shore: Shore::Reflecting,
            iterations: 5,
            gradients: Gradients::default(),
        }
    }

    /// Checks the settings.
    pub fn check(&self) -> Result<(), Setting> {
        check_size(self.size, 2)?;
        Setting::positive("the Courant number", self.courant)?;
        check_share("the damping of a step", self.damping)?;
        Setting::at_least("the number of iterations", self.iterations, 1)
    }

    /// Contribution to D of a face on an edge.
    pub fn outlet(&self) -> f64 {
        match self.shore {
            Shore::Reflecting => 0.0,
            Shore::Absorbing => self.courant / 2.0,
        }
    }

    /// 1 + D − a L
    pub fn matrix(&self) -> Csr<f64> {
        let a = self.courant * self.courant / 2.0;
        let diagonal = |faces| 1.0 + self.damping / 2.0 + faces as f64 * self.outlet();
        five_point(self.size, a, diagonal)
    }

    /// Stopping criteria of a step's iterations.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: f64::from(f32::EPSILON),
            atol: REST,
            max_iterations: self.iterations,
            ..Criteria::default()
        }
    }
}
