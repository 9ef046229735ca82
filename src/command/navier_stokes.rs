//! `fragstream navier-stokes`: an incompressible fluid with dye (kruger2003, section 6).

use std::io::Write;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use fragstream::kruger2003::simulation::picture::{Canvas, FluidShown, Painter};
use fragstream::kruger2003::simulation::scene::{Pens, bands};
use fragstream::kruger2003::{Fluid, FluidSettings, Interpolation, SimulationError, Walls};

use super::arguments::{not_negative, positive};
use super::failure::Failure;
use super::frames::{Destination, Width};
use super::session::{Session, progress_bar};
use super::size::Size;

/// Lines of the table.
const LINES: u32 = 10;

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
    #[arg(long, value_name = "WxH", default_value_t = Size { columns: 384, rows: 256 })]
    size: Size,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// What moves the fluid
    #[arg(long, value_enum, default_value_t = Scene::Strokes)]
    scene: Scene,

    /// The Reynolds number of the cavity: lid speed times height over viscosity [default: 1000]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true,
          conflicts_with = "viscosity")]
    reynolds: Option<f64>,

    #[command(flatten)]
    physics: Physics,

    /// What the ways of the pens depend on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// What is shown
    #[arg(long, value_enum, default_value_t = Show::Dye)]
    show: Show,

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
    #[arg(long, value_enum, default_value_t = Reading::Cubic)]
    interpolation: Reading,
}

/// What moves the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scene {
    /// Three pens, which leave dye
    Strokes,
    /// The lid of the box, with bands of dye below
    Cavity,
}

/// How what is carried is read between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reading {
    /// From four cells; smooths
    Linear,
    /// From sixteen
    Cubic,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The dye, over streaks along the velocity
    Dye,
    /// How fast the fluid is, and streaks along the velocity
    Velocity,
    /// The pressure: blue below its mean, amber above
    Pressure,
    /// What the last step's iterations for the pressure left: blue below zero, amber above
    Residual,
}

/// Checks, simulates, and writes pictures.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check()?;
    arguments.destination.check()?;
    let machine = session.machine()?;
    let mut fluid = Fluid::at_rest(&machine, settings)?;
    let pens = Pens {
        speed: 2.0 / settings.dt as f32,
        seed: arguments.seed,
    };
    let width = arguments.picture.width;
    let painter = Painter::new(&machine)?;
    let canvas = Canvas::new(&machine, width, arguments.size.picture_height(width))?;
    let (shown, fast) = (arguments.show.into(), arguments.fast(&pens));
    if arguments.scene == Scene::Cavity {
        bands(&mut fluid)?;
    }

    let mut film = arguments.destination.film()?;
    let bar = progress_bar(arguments.steps.into());
    let mut clock = Duration::ZERO;
    writeln!(session.out, " step  divergence  residual")?;
    for step in 0..arguments.steps {
        let start = Instant::now();
        if arguments.scene == Scene::Strokes {
            pens.push(step, &mut fluid)?;
        }
        fluid.step()?;
        machine.finish();
        clock += start.elapsed();
        let (number, last) = (step + 1, step + 1 == arguments.steps);
        if number.is_multiple_of(arguments.steps.div_ceil(LINES)) || last {
            let (divergence, residual) = (fluid.divergence()?, fluid.residual());
            let out = &mut session.out;
            bar.suspend(|| writeln!(out, "{number:5}  {divergence:10.2e}  {residual:8.1e}"))?;
        }
        if let Some(film) = &mut film {
            film.take(step, last, || {
                painter.draw_fluid(&fluid, shown, fast, &canvas)?;
                Ok::<_, SimulationError>(canvas.image()?)
            })?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    writeln!(
        session.out,
        "{}: {} steps in {:.2} s, {:.1} steps/s",
        arguments.size,
        fluid.steps(),
        clock.as_secs_f64(),
        f64::from(arguments.steps) / clock.as_secs_f64(),
    )?;
    film.map_or(Ok(()), |film| film.finish(&mut session.out))
}

/// A fluid that strokes stir.
fn for_strokes(size: Size) -> FluidSettings {
    FluidSettings {
        viscosity: 0.01,
        fade: 0.998,
        ..FluidSettings::new(size.columns, size.rows)
    }
}

impl Physics {
    /// The settings of a fluid that strokes stir.
    pub fn settings(&self, size: Size) -> FluidSettings {
        let mut settings = for_strokes(size);
        self.apply(&mut settings);
        settings
    }

    /// Sets what was asked for.
    fn apply(&self, settings: &mut FluidSettings) {
        settings.viscosity = self.viscosity.unwrap_or(settings.viscosity);
        settings.dt = self.dt.unwrap_or(settings.dt);
        settings.iterations = self.iterations as usize;
        settings.interpolation = match self.interpolation {
            Reading::Linear => Interpolation::Linear,
            Reading::Cubic => Interpolation::Cubic,
        };
    }
}

impl Arguments {
    fn settings(&self) -> FluidSettings {
        let Size { columns, rows } = self.size;
        let mut settings = match self.scene {
            Scene::Strokes => for_strokes(self.size),
            Scene::Cavity => FluidSettings {
                size: (columns, rows),
                ..FluidSettings::cavity(rows, self.reynolds.unwrap_or(1000.0))
            },
        };
        if let (Scene::Strokes, Some(reynolds)) = (self.scene, self.reynolds) {
            settings.viscosity = f64::from(rows) / reynolds;
        }
        self.physics.apply(&mut settings);
        settings
    }

    /// A speed that is typical of the scene.
    fn fast(&self, pens: &Pens) -> f32 {
        match (self.scene, self.settings().walls) {
            (Scene::Cavity, Walls::Stick { lid }) => 0.6 * lid as f32,
            _ => pens.speed,
        }
    }
}

impl From<Show> for FluidShown {
    fn from(show: Show) -> Self {
        match show {
            Show::Dye => FluidShown::Dye,
            Show::Velocity => FluidShown::Velocity,
            Show::Pressure => FluidShown::Pressure,
            Show::Residual => FluidShown::Residual,
        }
    }
}
