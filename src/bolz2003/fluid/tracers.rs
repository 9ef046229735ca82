//! Tracers of the motion: particles and dye, carried by the velocity on the GPU.

use std::rc::Rc;

use crate::bolz2003::Error;
use crate::stream::{Format, Pair, Pass, Rect, Rects, Stream};

use super::domain::Domain;

use super::simulation::Fluid;

/// Particles per row of their stream.
const ROW: usize = 256;

/// Particles, as a stream of positions.
pub struct Particles {
    domain: Rc<Domain>,
    /// Position (column, row, from 0.5) and age, which is negative before birth.
    places: Pair,
    /// Position of birth, and lifetime.
    births: Stream,
    all: Rects,
}

impl Particles {
    /// Creates at least `number` particles. With an inlet they are born in it, one after the other;
    /// otherwise they are spread over the domain.
    pub fn new(domain: &Rc<Domain>, number: usize) -> Result<Self, Error> {
        let machine = domain.machine();
        let rows = number.div_ceil(ROW).max(1);
        let size = (ROW as u32, rows as u32);
        let births: Vec<[f32; 4]> = (0..ROW * rows).map(|k| birth(domain, k)).collect();
        let start: Vec<[f32; 4]> = births
            .iter()
            .enumerate()
            .map(|(k, &[x, y, life, _])| match domain.settings().inlet {
                Some(_) => [x, y, -life * quasi_random(k, 3), 0.0],
                None => [x, y, 0.0, 0.0],
            })
            .collect();
        let format = Format::Rgba32F;
        let places = Pair::zeros(machine, "particles", size, format)?;
        places.front().write(start.as_flattened())?;
        Ok(Self {
            domain: Rc::clone(domain),
            places,
            births: Stream::from_data(machine, "births", size, format, births.as_flattened())?,
            all: machine.rect(Rect::of_size(size.0, size.1))?,
        })
    }

    /// Number of particles, including those that are not born yet.
    pub fn number(&self) -> u32 {
        let (columns, rows) = self.births.size();
        columns * rows
    }

    /// Advances them by one step.
    pub fn step(&mut self, fluid: &Fluid) -> Result<(), Error> {
        self.places.draw(|places, next| {
            Ok(Pass::new(&self.domain.kernels.move_particles)
                .read("particles", places)
                .read("births", &self.births)
                .read("velocity", fluid.velocity())
                .set("dt", self.domain.settings().dt as f32)
                .set("extent", self.domain.last())
                .draw(next, &self.all)?)
        })
    }

    /// Reads back positions (column and row from 0.5) and ages of all particles already born.
    pub fn read(&self) -> Result<Vec<[f32; 3]>, Error> {
        let records = self.places.front().read()?;
        let place = |record: &[f32]| [record[0], record[1], record[2]];
        let born = |&[_, _, age]: &[f32; 3]| age >= 0.0;
        Ok(records.chunks_exact(4).map(place).filter(born).collect())
    }
}

/// Position of birth and lifetime of particle `k`.
fn birth(domain: &Domain, k: usize) -> [f32; 4] {
    let settings = domain.settings();
    let [columns, rows] = domain.last();
    let [across, along, span] = [0, 1, 2].map(|axis| quasi_random(k, axis));
    match settings.inlet {
        None => [0.5 + across * columns, 0.5 + along * rows, f32::MAX, 0.0],
        Some(inlet) => {
            let swept = (inlet.speed * settings.dt) as f32;
            // At a quarter of the inlet's speed it takes this long to reach the other end.
            let crossing = 4.0 * columns / inlet.speed as f32;
            let y = inlet.first as f32 + along * inlet.rows as f32;
            [0.5 + across * swept, y, crossing * (0.2 + 0.8 * span), 0.0]
        }
    }
}

/// Number `k` of an evenly spread sequence in [0, 1), a different one on each axis: multiples of the
/// powers of the generalised golden ratio (Roberts 2018), which never repeat.
fn quasi_random(k: usize, axis: usize) -> f32 {
    // The root of g^5 = g + 1.
    const RATIO: f64 = 1.167_303_978_261_418_7;
    let step = RATIO.powi(-(axis as i32) - 1);
    (0.5 + step * k as f64).fract() as f32
}

/// Two dyes, one for each half of the inlet.
pub struct Dye {
    domain: Rc<Domain>,
    dye: Pair,
    inlet: Option<(Rects, f32)>,
}

impl Dye {
    /// Creates clear fluid. Without an inlet the lower and the upper half of the domain are dyed.
    pub fn new(domain: &Rc<Domain>) -> Result<Self, Error> {
        let inlet = match domain.settings().inlet {
            None => None,
            Some(inlet) => {
                let opening = Rect::at([0, inlet.first as u32], (1, inlet.rows as u32));
                let middle = inlet.first as f32 + 0.5 * inlet.rows as f32;
                Some((domain.machine().rect(opening)?, middle))
            }
        };
        let dye = domain.plain_pair("dye", Format::Rg32F)?;
        if inlet.is_none() {
            let grid = domain.grid();
            let halves = (0..grid.nodes()).flat_map(|place| {
                let upper = 2 * (place / grid.columns()) > grid.cells[1];
                [f32::from(!upper), f32::from(upper)]
            });
            dye.front().write(&halves.collect::<Vec<_>>())?;
        }
        Ok(Self { domain: Rc::clone(domain), dye, inlet })
    }

    /// Advances it by one step.
    pub fn step(&mut self, fluid: &Fluid) -> Result<(), Error> {
        let domain = &self.domain;
        self.dye.draw(|dye, next| {
            // §4.1.1: C(dye, −Δt u), traced back as the velocity is
            Pass::new(&domain.kernels.advect)
                .read("quantity", dye)
                .read("velocity", fluid.velocity())
                .set("dt", domain.settings().dt as f32)
                .set("extent", domain.last())
                .draw(next, &domain.nodes)?;
            if let Some((opening, middle)) = &self.inlet {
                Pass::new(&domain.kernels.dye_inlet).set("middle", *middle).draw(next, opening)?;
            }
            Ok(())
        })
    }

    /// Concentrations, one node per texel.
    pub fn concentrations(&self) -> &Stream {
        self.dye.front()
    }
}
