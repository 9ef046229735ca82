//! The fluid as films step and show it, with its tracers.

use crate::picture::Canvas;
use crate::simulation::{Fields, Simulation};
use crate::stream::Machine;

use super::domain::Domain;
use super::initial::shear_layer;
use super::picture::{Painter, Shown};
use super::settings::FluidError;
use super::simulation::{Divergence, Fluid};
use super::tracers::{Dye, Particles};

/// A fluid with its picture.
pub struct Scene<'a> {
    /// The fluid.
    pub fluid: Fluid<'a>,
    /// Painter of its pictures.
    pub painter: Painter<'a>,
    shown: Shown,
    dye: Option<Dye<'a>>,
    particles: Option<Particles<'a>>,
    /// Divergence in the last step, if it was measured.
    pub divergence: Option<Divergence>,
}

impl<'a> Scene<'a> {
    /// Creates a fluid at rest with its inlet, or, without an inlet, two opposed streams. It carries
    /// `particles` particles, and dye if dye is shown.
    pub fn new(domain: &'a Domain, shown: Shown, particles: usize) -> Result<Self, FluidError> {
        let mut fluid = Fluid::at_rest(domain)?;
        let inlet = domain.settings().inlet;
        if inlet.is_none() {
            fluid.set_velocity(&shear_layer(domain.grid(), 1.0))?;
            fluid.project()?;
        }
        Ok(Self {
            fluid,
            painter: Painter::new(domain, inlet.map_or(1.0, |inlet| inlet.speed))?,
            shown,
            dye: match shown {
                Shown::Dye => Some(Dye::new(domain)?),
                _ => None,
            },
            particles: match particles {
                0 => None,
                _ => Some(Particles::new(domain, particles)?),
            },
            divergence: None,
        })
    }
}

impl Simulation for Scene<'_> {
    type Error = FluidError;

    fn machine(&self) -> &Machine {
        self.fluid.domain.machine()
    }

    fn grid(&self) -> String {
        let grid = self.fluid.domain.grid();
        format!("{}x{}", grid.columns(), grid.rows())
    }

    fn step(&mut self, measured: bool) -> Result<(), FluidError> {
        self.divergence = if measured {
            Some(self.fluid.measured_step()?)
        } else {
            self.fluid.step()?;
            None
        };
        if let Some(dye) = &mut self.dye {
            dye.step(&self.fluid)?;
        }
        if let Some(particles) = &mut self.particles {
            particles.step(&self.fluid)?;
        }
        Ok(())
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), FluidError> {
        let (dye, particles) = (self.dye.as_ref(), self.particles.as_ref());
        self.painter
            .draw(&self.fluid, self.shown, dye, particles, canvas)
    }

    fn row(&mut self) -> Result<Option<Fields>, FluidError> {
        let step = self.fluid.steps as f64;
        Ok(self.divergence.map(|divergence| {
            vec![
                ("step", step),
                ("divergence_before", divergence.before),
                ("divergence_after", divergence.after),
                ("residual", divergence.residual),
            ]
        }))
    }

    fn progress(&self) -> String {
        self.divergence.map_or_else(String::new, |divergence| {
            let Divergence { before, after, .. } = divergence;
            format!("divergence {before:.1e} to {after:.1e}")
        })
    }
}
