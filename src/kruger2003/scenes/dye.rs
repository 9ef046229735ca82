//! Dye in a fluid: pens, a lid or the mouse stir it (Krüger and Westermann 2003, Fig. 8).

use std::f64::consts::TAU;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kruger2003::{Error, Fluid, FluidSettings, Interpolation, Stroke, Walls};
use crate::picture::Canvas;
use crate::scene::{
    self, BoxedError, Done, Drawn, Effort, Entry, Exercise, Fields, Filmed, Interactive, Preset,
    Push, Scale, Setting, Tool, Typed, check_memory,
};
use crate::settings::{Flat, GridSize, flat, pair, typed};
use crate::solver::multigrid::SWEEPS;
use crate::stream::{Machine, Size, Stream};

use super::picture::{FluidShown, Painter, SIGNED_COLOURS, SPEED_COLOURS};
use super::random;

/// The entry of the registry.
pub static DYE: Entry = Entry {
    name: "dye",
    alias: Some("navier-stokes"),
    paper: "kruger2003",
    section: "section 6",
    about: "Simulate an incompressible fluid with dye, in textures (kruger2003, section 6)",
    details: "Pens stir the fluid and leave dye, or the lid of the box moves to the right and drags the fluid along. \
              Lengths are in cells.\n\n\
              The table has one row per tenth of the steps: the divergence (root mean square), and the residual that \
              the iterations for the pressure leave.",
    views: &["dye", "streaks", "velocity", "pressure", "residual"],
    every: 4,
    outputs: &[],
    interactive: Interactive {
        preset: "",
        motion: "pens stir",
        second: "without dye",
        unit: "time step",
        counted: "iterations",
        detail: 0.4,
        coarser: 1,
        exercise: Some(Exercise {
            program: "kruger2003/simulation/project",
            replace: "return fetch(pressure",
            with: "return 0.3 * fetch(pressure",
            effect: "The pressure no longer keeps the fluid together.",
        }),
    },
    film: Filmed {
        preset: "film",
        title: "Dye in a fluid: four iterations for the pressure",
        start: "",
        step: "",
        reads: true,
        side: Some(24),
    },
    settings: Typed::of::<Settings>(),
};

/// Bytes of memory per cell.
const CELL: u64 = 260;

/// Viscosity if neither it nor a Reynolds number is given.
const VISCOSITY: f64 = 0.01;

/// Settings of a fluid with dye. Lengths are in cells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Number of cells
    #[serde(with = "pair")]
    #[schemars(with = "GridSize")]
    pub size: Size,
    /// Reynolds number: speed times height over viscosity, with the speed of the lid, or one cell per unit
    /// of time
    #[schemars(extend("exclusiveMinimum" = 0.0, "instead_of" = "viscosity"))]
    pub reynolds: Option<f64>,
    /// Viscosity, in squared cells per unit of time [default: 0.01, or that of the Reynolds number]
    #[schemars(range(min = 0.0))]
    pub viscosity: Option<f64>,
    /// Time step [default: 1, or the largest stable one]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub dt: Option<f64>,
    /// Iterations of conjugate gradients for the pressure per step
    #[schemars(range(min = 1, max = SWEEPS))]
    pub iterations: usize,
    /// Start the iterations from the previous step's pressure
    #[schemars(extend("without" = "Start the iterations from zero"))]
    pub warm_start: bool,
    /// Interpolation of the advected quantities, between cells
    pub interpolation: Interpolation,
    /// Share of the dye that is left after a step
    #[schemars(extend("takes" = "SHARE"))]
    pub fade: f64,
    /// Speed of the lid, in cells per unit of time
    #[schemars(extend("takes" = "SPEED"))]
    pub lid: f64,
    /// Cells that the pens push the fluid in a step; 0 for no pens
    #[schemars(range(min = 0.0), extend("takes" = "CELLS"))]
    pub pens: f64,
    /// Random seed of the pens
    pub seed: u64,
    /// Velocity at the start
    pub start: Start,
}

/// Velocity at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// At rest
    #[default]
    Rest,
    /// Four vortices
    Vortices,
}

impl Default for Settings {
    /// The paper's: without viscosity, with dye that does not fade.
    fn default() -> Self {
        let FluidSettings { iterations, warm_start, interpolation, .. } = FluidSettings::new(1, 1);
        Self {
            size: (1024, 1024),
            reynolds: None,
            viscosity: Some(0.0),
            dt: None,
            iterations,
            warm_start,
            interpolation,
            fade: 1.0,
            lid: 0.0,
            pens: 2.0,
            seed: 1,
            start: Start::Rest,
        }
    }
}

impl Settings {
    /// The settings of the fluid.
    pub fn fluid(&self) -> FluidSettings {
        let (columns, rows) = self.size;
        let speed = if self.lid == 0.0 { 1.0 } else { self.lid.abs() };
        let of_reynolds = |reynolds| speed * f64::from(rows) / reynolds;
        let viscosity = self.viscosity.or(self.reynolds.map(of_reynolds)).unwrap_or(VISCOSITY);
        let settings = FluidSettings::new(columns, rows).with_viscosity(viscosity);
        FluidSettings {
            dt: self.dt.unwrap_or(settings.dt),
            iterations: self.iterations,
            warm_start: self.warm_start,
            interpolation: self.interpolation,
            walls: Walls::Stick { lid: self.lid },
            fade: self.fade,
            ..settings
        }
    }

    /// The pens, if they stir.
    pub fn pens(&self) -> Option<Pens> {
        let pens = Pens { speed: self.pens as f32 / self.fluid().dt as f32, seed: self.seed };
        (self.pens > 0.0).then_some(pens)
    }

    /// A typical speed, in cells per unit of time.
    fn fast(&self) -> f32 {
        let lid = if self.lid == 0.0 { 1.0 } else { 0.6 * self.lid.abs() as f32 };
        self.pens().map_or(lid, |pens| pens.speed)
    }

    /// Fluid at the start; bands of dye wait for a lid that moves, and for vortices.
    pub fn at_start(&self, machine: &Machine) -> Result<Fluid, Error> {
        let mut fluid = Fluid::at_rest(machine, self.fluid())?;
        if self.lid != 0.0 || self.start != Start::Rest {
            bands(&mut fluid)?;
        }
        if self.start == Start::Vortices {
            let [width, height] = [self.size.0, self.size.1].map(f64::from);
            fluid.set_velocity(|[x, y]| {
                let ([x, y], speed) = ([TAU * x / width, TAU * y / height], 0.5);
                [speed * x.sin() * y.cos(), -speed * height / width * x.cos() * y.sin()]
            })?;
        }
        Ok(fluid)
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        if let Some(reynolds) = self.reynolds {
            Setting::positive("the Reynolds number", reynolds)?;
        }
        Setting::not_negative("the push of the pens", self.pens)?;
        self.fluid().check()?;
        Ok(check_memory(self.size, CELL)?)
    }

    fn texels(&self) -> usize {
        let (columns, rows) = self.size;
        columns as usize * rows as usize / 2
    }

    fn resize(&mut self, side: u32) {
        self.pens *= f64::from(side) / f64::from(self.size.1.max(1));
        self.size = (side, side);
    }

    fn resolved(&self) -> Result<Flat, BoxedError> {
        let FluidSettings { viscosity, dt, .. } = self.fluid();
        Ok(flat(&Self { viscosity: Some(viscosity), dt: Some(dt), ..*self }))
    }

    fn start(&self, machine: &Machine, _: Drawn) -> Result<Box<dyn scene::Scene>, BoxedError> {
        Ok(Box::new(Scene::new(machine, *self)?))
    }

    #[rustfmt::skip]
    fn presets() -> Vec<Preset<Self>> {
        let paper = Self::default();
        let usual = Self { size: (192, 128), viscosity: None, fade: 0.998, ..paper };
        let cavity = Self {
            size: (128, 128),
            reynolds: Some(1000.0),
            viscosity: None,
            lid: 1.0,
            pens: 0.0,
            ..paper
        };
        let vortices = Self { size: (64, 64), pens: 0.0, start: Start::Vortices, ..paper };
        let cubic = Self { interpolation: Interpolation::Cubic, ..usual };
        vec![
            Preset::new("stir", "three pens on 192x128 cells, in dye that fades (fragstream's variant)", 300, usual),
            Preset::new("fig8", "three pens, on 1024x1024 cells (Fig. 8)", 300, paper),
            Preset::new("paper", "the same", 300, paper),
            Preset::new("streaks", "streaks along the velocity below the dye (fragstream's variant)", 300, usual)
            .seen(1),
            Preset::new("cubic", "cubic interpolation (fragstream's variant)", 300, cubic),
            Preset::new("cavity", "a square box whose lid moves, with bands of dye below", 600, cavity),
            Preset::new("vortices", "four vortices in a box, without viscosity", 100, vortices),
            Preset::new("film", "small, for a film", 4, usual.on(24)),
        ]
    }
}

/// Pens that stir a fluid and leave dye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pens {
    /// Distance by which a pen pushes the fluid in a unit of time, in cells.
    pub speed: f32,
    /// Random seed of their paths.
    pub seed: u64,
}

/// The colours of the pens' dye, in linear light.
pub const DYES: [[f32; 3]; 3] = [[1.0, 0.30, 0.05], [0.05, 0.42, 1.0], [0.25, 0.85, 0.30]];

impl Pens {
    /// Stirs the fluid before this step.
    pub fn push(&self, step: u32, fluid: &mut Fluid) -> Result<(), Error> {
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
pub fn bands(fluid: &mut Fluid) -> Result<(), Error> {
    let (width, height) = fluid.settings().size;
    let (width, height) = (width as f32, height as f32);
    for band in 0..6 {
        let y = height * (band as f32 + 0.5) / 6.0;
        let stroke = Stroke { from: [0.0, y], to: [width, y], radius: height / 22.0 };
        fluid.inject(&stroke, DYES[band % 3].map(|light| 1.4 * light))?;
    }
    Ok(())
}

/// A fluid with dye, pens and its pictures.
pub struct Scene {
    settings: Settings,
    fluid: Fluid,
    pens: Option<Pens>,
    stirring: bool,
    /// A typical speed, in cells per unit of time.
    fast: f32,
    painter: Painter,
}

impl Scene {
    /// Fluid at the start.
    pub fn new(machine: &Machine, settings: Settings) -> Result<Self, Error> {
        Ok(Self {
            fluid: settings.at_start(machine)?,
            fast: settings.fast(),
            pens: settings.pens(),
            stirring: true,
            painter: Painter::new(machine)?,
            settings,
        })
    }
}

impl scene::Scene for Scene {
    fn step(&mut self, _measured: bool) -> Done {
        if let Some(pens) = self.pens.filter(|_| self.stirring) {
            pens.push(self.fluid.steps() as u32, &mut self.fluid)?;
        }
        Ok(self.fluid.step()?)
    }

    fn draw(&mut self, view: usize, canvas: &Canvas) -> Done {
        Ok(self.painter.draw_fluid(&self.fluid, FluidShown::ALL[view], self.fast, canvas)?)
    }

    fn size(&self) -> Size {
        self.settings.size
    }

    fn scale(&self, view: usize) -> Option<Scale> {
        let shown = FluidShown::ALL[view];
        let most = shown.brightest(&self.fluid, self.fast)?;
        Some(match shown {
            FluidShown::Velocity => Scale { colours: SPEED_COLOURS.to_vec(), ends: [0.0, most] },
            _ => Scale::signed(&SIGNED_COLOURS, most),
        })
    }

    /// The fluid takes a fraction of the mouse's speed. The first button also leaves dye, in another colour
    /// with each stroke; the second does not.
    fn push(&mut self, push: &Push) -> Done {
        let stroke = Stroke { from: push.from, to: push.to, radius: push.radius };
        let (dx, dy) = (push.to[0] - push.from[0], push.to[1] - push.from[1]);
        let length = dx.hypot(dy);
        if length > 0.0 {
            let dt = self.fluid.settings().dt as f32;
            let speed = (0.25 * push.way / dt).min(1.5 * self.fast);
            self.fluid.push(&stroke, [dx, dy].map(|part| speed * part / length))?;
        }
        if push.tool == Tool::First {
            let light = 0.12 + 0.2 * (push.way / push.radius).min(2.0);
            let dye = DYES[push.stroke % DYES.len()];
            self.fluid.inject(&stroke, dye.map(|part| light * part))?;
        }
        Ok(())
    }

    fn motion(&mut self) -> Option<&mut bool> {
        Some(&mut self.stirring)
    }

    fn reset(&mut self) -> Done {
        self.fluid = self.settings.at_start(self.fluid.machine())?;
        Ok(())
    }

    fn steer(&mut self, settings: &Flat) -> Result<bool, BoxedError> {
        let settings: Settings = typed(settings)?;
        let steered =
            settings.start == self.settings.start && self.fluid.steer(settings.fluid())?;
        if steered {
            (self.settings, self.pens, self.fast) = (settings, settings.pens(), settings.fast());
        }
        Ok(steered)
    }

    fn effort(&self) -> Effort {
        self.fluid.effort()
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        self.fluid.streams()
    }

    fn row(&mut self) -> Result<Option<Fields>, BoxedError> {
        let step = self.fluid.steps();
        if step == 0 {
            return Ok(None);
        }
        Ok(Some(vec![
            ("step", step as f64),
            ("divergence", self.fluid.divergence()?),
            ("residual", self.fluid.effort().residual),
        ]))
    }
}
