//! The fluid as films step and show it, with its tracers.

use std::f64::consts::PI;

use crate::bolz2003::Error;
use crate::bolz2003::grid::geometry::Grid;
use crate::picture::Canvas;
use crate::simulation::{Fields, Simulation};
use crate::stream::Machine;

use super::domain::Domain;
use super::picture::{Painter, Shown};

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
    pub fn new(domain: &'a Domain, shown: Shown, particles: usize) -> Result<Self, Error> {
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
    type Error = Error;

    fn machine(&self) -> &Machine {
        self.fluid.domain.machine()
    }

    fn grid(&self) -> String {
        let grid = self.fluid.domain.grid();
        format!("{}x{}", grid.columns(), grid.rows())
    }

    fn step(&mut self, measured: bool) -> Result<(), Error> {
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

    fn draw(&mut self, canvas: &Canvas) -> Result<(), Error> {
        let (dye, particles) = (self.dye.as_ref(), self.particles.as_ref());
        self.painter.draw(&self.fluid, self.shown, dye, particles, canvas)
    }

    fn row(&mut self) -> Result<Option<Fields>, Error> {
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

/// Initial velocities in a closed box, one per node: two opposed streams, `speed` to the right above the middle and to the left below it. A few long
/// waves disturb the layer between them, so that it rolls up.
pub fn shear_layer(grid: &Grid, speed: f64) -> Vec<[f32; 2]> {
    let [width, height] = grid.cells.map(|n| n as f64);
    let thickness = height / 40.0;
    let velocity = |place: usize| {
        let [x, y] = grid.node(place).map(|index| index as f64);
        let above = (y - height / 2.0) / thickness;
        let waves = [(4.0, 0.3), (7.0, 1.1), (11.0, 2.0)];
        let disturbance: f64 =
            waves.iter().map(|(n, phase)| (n * 2.0 * PI * x / width + phase).sin()).sum();
        let near = (-(above / 4.0).powi(2)).exp();
        [speed * above.tanh(), 0.05 * speed * disturbance * near].map(|v| v as f32)
    };
    (0..grid.nodes()).map(velocity).collect()
}
