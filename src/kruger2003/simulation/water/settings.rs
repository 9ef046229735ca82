//! What water is like, and the system that a step solves (Krüger and Westermann 2003, section 6).

use crate::kruger2003::Gradients;
use crate::kruger2003::matrices::five_point::five_point;
use crate::kruger2003::simulation::error::{check_share, check_size};
use crate::simulation::Setting;
use crate::solver::{Criteria, Csr};
use crate::stream::Size;

/// A residual this small is water at rest: its square is still far from the smallest float.
const REST: f64 = 1e-12;

/// What waves meet at the edges of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Shore {
    /// A wall: they come back
    #[default]
    Reflecting,
    /// Open water: they leave
    Absorbing,
}

/// What the water is like. Lengths are in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaterSettings {
    /// Columns and rows of cells.
    pub size: Size,
    /// Cells that a wave travels in a step: the Courant number c Δt / h. Beyond 1 an explicit
    /// scheme would be unstable; 1 unless set.
    pub courant: f64,
    /// The share of its speed that the surface loses in a step; 0 unless set.
    pub damping: f64,
    /// What waves meet at the edges.
    pub shore: Shore,
    /// Iterations of conjugate gradients in a step; 5 unless set, as in the paper.
    pub iterations: usize,
    /// Whose they are; ours unless set.
    pub gradients: Gradients,
}

impl WaterSettings {
    /// As the paper has it: its listing of conjugate gradients, five iterations a step.
    pub fn paper_2003(width: u32, height: u32) -> Self {
        Self {
            gradients: Gradients::Listed,
            ..Self::new(width, height)
        }
    }

    /// Water on a grid of this size, with as many iterations, ours.
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

    /// Whether they make sense.
    pub fn check(&self) -> Result<(), Setting> {
        check_size(self.size, 2)?;
        Setting::positive("the Courant number", self.courant)?;
        check_share("the damping of a step", self.damping)?;
        Setting::at_least("the number of iterations", self.iterations, 1)
    }

    /// What a face on an edge adds to D.
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

    /// When the iterations of a step end.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: f64::from(f32::EPSILON),
            atol: REST,
            max_iterations: self.iterations,
            ..Criteria::default()
        }
    }
}
