//! `fragstream navier-stokes`: an incompressible fluid with dye (kruger2003, section 6).

use clap::{Args, ValueEnum};

use crate::arguments::{GridSize, at_least_one, count, not_negative, positive};
use crate::kruger2003::picture::FluidScene;
use crate::kruger2003::picture::FluidShown;
use crate::kruger2003::strokes::{Pens, bands};
use crate::kruger2003::{FluidSettings, Interpolation, Walls};
use crate::picture::Canvas;

use super::animation::{Destination, Width};
use super::failure::Failure;
use super::session::Session;

/// Simulate an incompressible fluid with dye, in textures (kruger2003, section 6)
///
/// Pens stir the fluid and leave dye, or the lid of the box moves to the right and drags the fluid along.
/// Lengths are in cells; the lid moves one cell per unit of time.
///
/// The table has one row per tenth of the steps: the divergence (root mean square), and the residual that
/// the iterations for the pressure leave.
#[derive(Args)]
pub struct Arguments {
    /// Number of cells
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(192, 128))]
    size: GridSize,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = count(1..=u32::MAX))]
    steps: u32,

    /// Scene
    #[arg(long, value_enum, default_value_t = Scene::Strokes)]
    scene: Scene,

    /// Reynolds number: speed times height over viscosity, with the speed of the lid, or one cell per unit
    /// of time [default: 1000 for the cavity]
    #[arg(long, value_name = "NUMBER", value_parser = positive, conflicts_with = "viscosity")]
    reynolds: Option<f64>,

    #[command(flatten)]
    physics: Physics,

    /// Random seed of the pens
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,

    /// View
    #[arg(long, value_enum, default_value_t = FluidShown::Dye, help_heading = "Pictures")]
    show: FluidShown,
}

/// Properties of the fluid.
#[derive(Args)]
pub struct Physics {
    /// Time step [default: 1, or the largest stable one]
    #[arg(long, value_name = "NUMBER", value_parser = positive)]
    dt: Option<f64>,

    /// Viscosity, in squared cells per unit of time [default: 0.01 for strokes]
    #[arg(long, value_name = "NUMBER", value_parser = not_negative)]
    viscosity: Option<f64>,

    /// Iterations of conjugate gradients for the pressure per step; the paper's are 4
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = at_least_one)]
    iterations: usize,

    /// Interpolation of the advected quantities, between cells
    #[arg(long, value_enum, default_value_t = Interpolation::Linear)]
    interpolation: Interpolation,
}

/// Source of the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scene {
    /// Three pens, which leave dye
    Strokes,
    /// The lid of the box, with bands of dye below
    Cavity,
}

/// Bytes of memory per node.
const NODE: u64 = 260;

/// Checks, simulates, and writes pictures.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check()?;
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 2)?;
    let pens = Pens { speed: 2.0 / settings.dt as f32, seed: arguments.seed };
    let mut scene = FluidScene::new(&machine, settings, pens)?;
    scene.shown = arguments.show;
    if let (Scene::Cavity, Walls::Stick { lid }) = (arguments.scene, settings.walls) {
        scene.stirring = false;
        scene.fast = 0.6 * lid as f32;
        bands(&mut scene.fluid)?;
    }
    let width = arguments.picture.width;
    let canvas = Canvas::new(&machine, width, arguments.size.picture_height(width))?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    destination.film(&mut scene, steps, &canvas, session)
}

/// A fluid that strokes stir.
fn for_strokes(size: GridSize) -> FluidSettings {
    FluidSettings {
        fade: 0.998,
        ..FluidSettings::new(size.columns, size.rows).with_viscosity(0.01)
    }
}

impl Physics {
    /// The settings of a fluid that strokes stir.
    pub fn settings(&self, size: GridSize) -> FluidSettings {
        let mut settings = for_strokes(size);
        self.apply(&mut settings);
        settings
    }

    /// Sets the options that were given.
    fn apply(&self, settings: &mut FluidSettings) {
        if let Some(viscosity) = self.viscosity {
            *settings = settings.with_viscosity(viscosity);
        }
        settings.dt = self.dt.unwrap_or(settings.dt);
        settings.iterations = self.iterations;
        settings.interpolation = self.interpolation;
    }
}

impl Arguments {
    fn settings(&self) -> FluidSettings {
        let GridSize { columns, rows } = self.size;
        let mut settings = match self.scene {
            Scene::Strokes => for_strokes(self.size),
            Scene::Cavity => FluidSettings {
                size: (columns, rows),
                ..FluidSettings::cavity(rows, self.reynolds.unwrap_or(1000.0))
            },
        };
        if let (Scene::Strokes, Some(reynolds)) = (self.scene, self.reynolds) {
            settings = settings.with_viscosity(f64::from(rows) / reynolds);
        }
        self.physics.apply(&mut settings);
        settings
    }
}
