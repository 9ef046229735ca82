//! Strokes: the effect of a mouse on water or on a fluid (Krüger and Westermann 2003, section 6), and the automatic ones
//! of the commands and the figures: rain, a finger, pens.

use std::rc::Rc;

use crate::random::SplitMix64;
use crate::simulation::Setting;
use crate::stream::{Kernel, Machine, Pass, Rects, Size, Source, Stream, StreamError, source};

use super::{Fluid, KrugerError, Water};

/// The program of a stroke.
const STROKE: Source = source!(kruger2003, "simulation/stroke");

/// A line along which the surface or the fluid is pushed. Lengths are in cells, from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Start.
    pub from: [f32; 2],
    /// End; may be equal to the start.
    pub to: [f32; 2],
    /// Distance from the line at which the push has decreased to 1/e.
    pub radius: f32,
}

impl Stroke {
    /// A push at one position.
    pub fn at(place: [f32; 2], radius: f32) -> Self {
        Self { from: place, to: place, radius }
    }
}

/// Draws strokes into streams.
pub(crate) struct Strokes(Rc<Kernel>);

impl Strokes {
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self(machine.kernel(&STROKE, &[])?))
    }

    /// target ← before + amount × the stroke's profile: a bell curve across its line. With a `ring` of
    /// the other sign around it, the sum of the changes is zero for a short stroke. `origin` is
    /// the position of the lower left corner of the cells in the textures.
    pub fn draw(
        &self,
        (before, target): (&Stream, &Stream),
        origin: [f32; 2],
        (stroke, with_ring): (&Stroke, bool),
        amount: [f32; 4],
        extent: &Rects,
    ) -> Result<(), StreamError> {
        Pass::new(&self.0)
            .read("before", before)
            .set("a", stroke.from)
            .set("b", stroke.to)
            .set("origin", origin)
            // A program divides by it.
            .set("radius", stroke.radius.max(1e-3))
            .set("ring", f32::from(with_ring))
            .set("amount", amount)
            .draw(target, extent)
    }
}

/// A number from 0 to 1: element `number` of the seed's sequence.
fn random(seed: u64, number: u64) -> f32 {
    SplitMix64::new(seed).skip(number).uniform() as f32
}

/// Rain on water, and a finger that moves in a circle in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rain {
    /// Steps between two drops; no drops if 0.
    pub every: u32,
    /// True if there is a finger.
    pub finger: bool,
    /// Random seed of the drops' positions.
    pub seed: u64,
}

impl Rain {
    /// A typical height of the waves.
    pub const HEIGHT: f32 = 0.5;

    /// Disturbs the water before this step.
    pub fn push(&self, step: u32, water: &mut Water) -> Result<(), KrugerError> {
        let settings = *water.settings();
        let (width, height) = (settings.size.0 as f32, settings.size.1 as f32);
        let courant = settings.courant as f32;
        let side = width.min(height);
        if self.every > 0 && step.is_multiple_of(self.every) {
            let number = 2 * u64::from(step / self.every);
            let inside = |share: f32| 0.08 + 0.84 * share;
            let place = [
                inside(random(self.seed, number)) * width,
                inside(random(self.seed, number + 1)) * height,
            ];
            let radius = side / 36.0;
            water.push(&Stroke::at(place, radius), -1.6 * courant / radius)?;
        }
        if self.finger {
            // Faster than waves, so that it leaves a wake.
            let orbit = 0.27 * side;
            let at = |step: f32| {
                let angle = 1.35 * courant * step / orbit;
                let (sine, cosine) = angle.sin_cos();
                [width / 2.0 + orbit * cosine, height / 2.0 + orbit * sine]
            };
            let radius = side / 70.0;
            let stroke = Stroke { from: at(step as f32), to: at(step as f32 + 1.0), radius };
            // A force during one step: its change of height per step grows with the square of the time step.
            water.push(&stroke, -0.16 * courant * courant / radius)?;
        }
        Ok(())
    }
}

/// Pens that stir a fluid and leave dye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pens {
    /// Distance by which a pen pushes the fluid in a step, in cells.
    pub speed: f32,
    /// Random seed of their paths.
    pub seed: u64,
}

/// The colours of the pens' dye, in linear light.
pub const DYES: [[f32; 3]; 3] = [[1.0, 0.30, 0.05], [0.05, 0.42, 1.0], [0.25, 0.85, 0.30]];

impl Pens {
    /// Stirs the fluid before this step.
    pub fn push(&self, step: u32, fluid: &mut Fluid) -> Result<(), KrugerError> {
        let settings = fluid.settings();
        let (width, height) = (settings.size.0 as f32, settings.size.1 as f32);
        let (side, dt) = (width.min(height), settings.dt as f32);
        for (number, dye) in DYES.into_iter().enumerate() {
            let pen = 4 * number as u64;
            let phase = |n: u64| std::f32::consts::TAU * random(self.seed, pen + n);
            let pace = |n: u64| (0.6 + 0.5 * random(self.seed, pen + n)) * self.speed / side;
            // A different Lissajous figure for each pen.
            let at = |step: f32| {
                let time = step * dt;
                [
                    width * (0.5 + 0.36 * (2.0 * pace(2) * time + phase(0)).sin()),
                    height * (0.5 + 0.36 * (2.0 * pace(3) * time + phase(1)).sin()),
                ]
            };
            let (from, to) = (at(step as f32), at(step as f32 + 1.0));
            let radius = side / 40.0;
            let stroke = Stroke { from, to, radius };
            let way = [(to[0] - from[0]) / dt, (to[1] - from[1]) / dt];
            let push = 0.25 * self.speed / way[0].hypot(way[1]).max(1e-6);
            fluid.push(&stroke, way.map(|part| push * part))?;
            fluid.inject(&stroke, dye.map(|light| 0.12 * light))?;
        }
        Ok(())
    }
}

/// Bands of dye in a box, for the lid to stir.
pub fn bands(fluid: &mut Fluid) -> Result<(), KrugerError> {
    let (width, height) = fluid.settings().size;
    let (width, height) = (width as f32, height as f32);
    for band in 0..6 {
        let y = height * (band as f32 + 0.5) / 6.0;
        let stroke = Stroke { from: [0.0, y], to: [width, y], radius: height / 22.0 };
        fluid.inject(&stroke, DYES[band % 3].map(|light| 1.4 * light))?;
    }
    Ok(())
}

/// Fails unless the smaller side has at least this many cells.
pub(super) fn check_size((width, height): Size, least: u32) -> Result<(), Setting> {
    let smaller = width.min(height);
    let remedy = format!("give at least {least} cells");
    Setting::check("the smaller side", smaller.into(), smaller >= least, remedy)
}

/// Fails unless a number is between 0 and 1.
pub(super) fn check_share(what: &'static str, value: f64) -> Result<(), Setting> {
    let fits = (0.0..=1.0).contains(&value);
    Setting::check(what, value, fits, "give a share from 0 to 1")
}
