//! `fragstream navier-stokes`: an incompressible fluid with dye (kruger2003, section 6).

use clap::{Args, ValueEnum};

use crate::kruger2003::simulation::picture::FluidShown;
use crate::kruger2003::simulation::scene::{Pens, bands};
use crate::kruger2003::simulation::shown::FluidScene;
use crate::kruger2003::{FluidSettings, Interpolation, Walls};
use crate::picture::Canvas;

use super::animation::{Destination, Width};
use super::arguments::size::GridSize;
use super::arguments::{not_negative, positive};
use super::failure::Failure;
use super::session::Session;

/// Simulate an incompressible fluid with dye, in textures (kruger2003, section 6).
///
/// Pens stir the fluid and leave dye, or the lid of the box moves to the right and drags the fluid
/// along. Lengths are in cells; the lid moves a cell a unit of time.
///
/// The table has a line for a tenth of the steps each: the divergence (root mean square) and the
/// residual that the iterations for the pressure left.
#[derive(Args)]
pub struct Arguments {
    /// Columns and rows of cells
    #[arg(long, value_name = "WxH", default_value_t = GridSize { columns: 384, rows: 256 })]
    size: GridSize,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// What moves the fluid
    #[arg(long, value_enum, default_value_t = Scene::Strokes)]
    scene: Scene,

    /// The Reynolds number: speed times height over viscosity, the speed being the lid's or a cell a unit
    /// of time [default: 1000 for the cavity]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true,
          conflicts_with = "viscosity")]
    reynolds: Option<f64>,

    #[command(flatten)]
    physics: Physics,

    /// What the ways of the pens depend on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// What is shown
    #[arg(long, value_enum, default_value_t = FluidShown::Dye)]
    show: FluidShown,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,
}

/// What the fluid is like.
#[derive(Args)]
pub struct Physics {
    /// The time of a step [default: 1, or what the viscosity allows]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    dt: Option<f64>,

    /// The viscosity, in squared cells a unit of time [default: 0.01 for strokes]
    #[arg(long, value_name = "NUMBER", value_parser = not_negative, allow_negative_numbers = true)]
    viscosity: Option<f64>,

    /// Iterations of conjugate gradients for the pressure in a step
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,

    /// How what is carried is read between cells
    #[arg(long, value_enum, default_value_t = Interpolation::Cubic)]
    interpolation: Interpolation,
}

/// What moves the fluid.
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
    arguments.destination.check()?;
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 2)?;
    let pens = Pens {
        speed: 2.0 / settings.dt as f32,
        seed: arguments.seed,
    };
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
    let film = destination.film(&mut scene, steps, &canvas, session)?;
    film.finish(&mut session.out)
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

    /// Sets what was asked for.
    fn apply(&self, settings: &mut FluidSettings) {
        if let Some(viscosity) = self.viscosity {
            *settings = settings.with_viscosity(viscosity);
        }
        settings.dt = self.dt.unwrap_or(settings.dt);
        settings.iterations = self.iterations as usize;
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
