//! Pictures of the fluid: a quantity in colours, and particles over it (Bolz et al. 2003, Fig. 5).

use std::collections::HashMap;
use std::rc::Rc;

use crate::bolz2003::Error;
use crate::picture::Canvas;
use crate::picture::colour::Stop;
use crate::picture::colour::oklab::{colour, table};
use crate::stream::{Format, Kernel, Pass, Point, Stream, StreamError};

use super::domain::{COLOURS, Domain};

use super::simulation::Fluid;
use super::tracers::{Dye, Particles};

/// Colours of quantities that are not negative: night blue to teal, dark enough for particles to show.
pub const RISING: [Stop; 5] = [
    [0.13, 0.020, 275.0],
    [0.22, 0.065, 282.0],
    [0.33, 0.105, 270.0],
    [0.46, 0.115, 250.0],
    [0.60, 0.105, 215.0],
];

/// Blue for one sign, amber for the other, dark in between: for signed quantities.
pub const SIGNED: [Stop; 7] = [
    [0.88, 0.070, 215.0],
    [0.66, 0.130, 240.0],
    [0.38, 0.110, 262.0],
    [0.13, 0.015, 290.0],
    [0.40, 0.110, 30.0],
    [0.68, 0.150, 52.0],
    [0.90, 0.110, 88.0],
];

/// Background, lower dye and upper dye.
pub const DYES: [Stop; 3] = [[0.13, 0.020, 275.0], [0.62, 0.125, 235.0], [0.70, 0.140, 60.0]];

/// Old particles and young particles.
pub const PARTICLES: [Stop; 2] = [[0.78, 0.100, 70.0], [0.93, 0.070, 90.0]];

/// Speed and vorticity of the brightest colours, relative to a typical speed: a shear layer of eight grid spaces has full
/// brightness.
pub const BRIGHTEST: [f64; 2] = [1.2, 0.125];

/// Quantity shown in colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shown {
    /// Speed
    Speed,
    /// Vorticity: blue clockwise, amber counter-clockwise
    Vorticity,
    /// Two dyes, one for each half of the jet
    Dye,
    /// Pressure
    Pressure,
}

impl Shown {
    /// All quantities.
    pub const ALL: [Self; 4] = [Self::Speed, Self::Vorticity, Self::Dye, Self::Pressure];
}

/// Draws pictures of one domain, with its upper side up.
pub struct Painter {
    domain: Rc<Domain>,
    /// A typical speed of the fluid, in grid spaces per unit of time.
    speed: f32,
    quantity: Stream,
    rising: Stream,
    signed: Stream,
}

impl Painter {
    /// Creates a painter with colours scaled to a typical speed of the fluid, in grid spaces per unit of time.
    pub fn new(domain: &Rc<Domain>, speed: f64) -> Result<Self, Error> {
        let table = |label: &str, stops: &[Stop]| {
            let colours = table(stops, COLOURS).into_iter();
            let records: Vec<f32> = colours.flat_map(|[r, g, b]| [r, g, b, 1.0]).collect();
            let size = (COLOURS as u32, 1);
            Stream::from_data(domain.machine(), label, size, Format::Rgba32F, &records)
        };
        Ok(Self {
            domain: Rc::clone(domain),
            speed: speed as f32,
            quantity: domain.plain("shown", Format::R32F)?,
            rising: table("rising colours", &RISING)?,
            signed: table("signed colours", &SIGNED)?,
        })
    }

    /// Draws the present state of the fluid. Without `dye`, [`Shown::Dye`] shows the speed.
    pub fn draw(
        &self,
        fluid: &Fluid,
        shown: Shown,
        dye: Option<&Dye>,
        particles: Option<&Particles>,
        canvas: &Canvas,
    ) -> Result<(), Error> {
        match (shown, dye) {
            (Shown::Dye, Some(dye)) => self.draw_dye(dye, canvas)?,
            (Shown::Speed | Shown::Dye, _) => {
                Pass::new(&self.domain.kernels.speed)
                    .read("velocity", fluid.velocity())
                    .draw(&self.quantity, &self.domain.nodes)?;
                self.draw_quantity(&self.rising, [0.0, BRIGHTEST[0] as f32 * self.speed], canvas)?;
            }
            (Shown::Vorticity, _) => {
                self.compute_vorticity(fluid)?;
                let most = BRIGHTEST[1] as f32 * self.speed;
                self.draw_quantity(&self.signed, [-most, most], canvas)?;
            }
            (Shown::Pressure, _) => {
                let grid = self.domain.pressure.grid();
                grid.unlayer(fluid.pressure(), &self.quantity)?;
                // The pressure that stops the fluid.
                let most = 0.5 * self.speed * self.speed * self.domain.settings().dt as f32;
                self.draw_quantity(&self.signed, [-most, most], canvas)?;
            }
        }
        match particles {
            None => Ok(()),
            Some(particles) => self.draw_particles(&particles.read()?, canvas),
        }
    }

    /// Computes the vorticity of every node, in the order of the nodes.
    pub fn vorticity(&self, fluid: &Fluid) -> Result<Vec<f32>, Error> {
        self.compute_vorticity(fluid)?;
        Ok(self.quantity.read()?)
    }

    fn compute_vorticity(&self, fluid: &Fluid) -> Result<(), StreamError> {
        Pass::new(&self.domain.kernels.vorticity)
            .read("velocity", fluid.velocity())
            .set("last", self.domain.last())
            .draw(&self.quantity, &self.domain.nodes)
    }

    fn draw_quantity(
        &self,
        colours: &Stream,
        range: [f32; 2],
        canvas: &Canvas,
    ) -> Result<(), StreamError> {
        let pass = self
            .over_nodes(&self.domain.kernels.picture, canvas)
            .read("quantity", &self.quantity)
            .read("colours", colours)
            .set("range", range);
        canvas.draw(pass)
    }

    fn draw_dye(&self, dye: &Dye, canvas: &Canvas) -> Result<(), StreamError> {
        let [ground, lower, upper] = DYES.map(colour);
        let pass = self
            .over_nodes(&self.domain.kernels.picture_dye, canvas)
            .read("dye", dye.concentrations())
            .set("background", ground)
            .set("lower_dye", lower)
            .set("upper_dye", upper);
        canvas.draw(pass)
    }

    fn over_nodes<'k>(&self, kernel: &'k Kernel, canvas: &Canvas) -> Pass<'k> {
        let spacing = canvas.spacing(self.domain.grid().cells[0] as u32);
        (Pass::new(kernel).set("extent", self.domain.last())).set("spacing", spacing)
    }

    /// Covers one sample per particle. Positions and ages are read back, since a vertex program of 2003
    /// could not fetch.
    fn draw_particles(&self, particles: &[[f32; 3]], canvas: &Canvas) -> Result<(), Error> {
        let last = self.domain.last();
        let size = [canvas.stream().width(), canvas.stream().height()];
        let sample = |&[x, y, age]: &[f32; 3]| {
            let share = [(x - 0.5) / last[0], (y - 0.5) / last[1]];
            let inside = share.iter().all(|share| (0.0..1.0).contains(share));
            let target = [0, 1].map(|axis| (share[axis] * size[axis] as f32) as i32);
            inside.then(|| (target, (-0.01 * age).exp2()))
        };
        // Of the particles that share a sample, the last one is visible.
        let youth: HashMap<[i32; 2], f32> = particles.iter().filter_map(sample).collect();
        let point = |(target, value)| Point { target, value, source: target };
        let points: Vec<Point> = youth.into_iter().map(point).collect();
        let [old, young] = PARTICLES.map(colour);
        Pass::new(&self.domain.kernels.particles)
            .set("old", old)
            .set("young", young)
            .draw(canvas.stream(), &self.domain.machine().points(&points)?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::colour::Linear;
    use crate::picture::colour::oklab::table;

    #[test]
    fn colours_become_lighter_away_from_zero() {
        let luminance = |c: &Linear| 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
        let rising: Vec<f32> = table(&RISING, 64).iter().map(luminance).collect();
        assert!(rising.is_sorted());
        let signed: Vec<f32> = table(&SIGNED, 65).iter().map(luminance).collect();
        assert!(signed[32..].is_sorted() && signed[..=32].iter().rev().is_sorted());
    }
}
