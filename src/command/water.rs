//! `fragstream water`: waves on water (kruger2003, section 6).

use std::io::Write;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use fragstream::kruger2003::simulation::picture::{Canvas, Painter, WaterShown};
use fragstream::kruger2003::simulation::scene::Rain;
use fragstream::kruger2003::{Shore, SimulationError, Water, WaterSettings};

use super::arguments::{not_negative, positive};
use super::failure::Failure;
use super::frames::{Destination, Width};
use super::session::{Session, progress_bar};
use super::size::Size;

/// Simulate waves on water by an implicit scheme, in textures (kruger2003, section 6).
///
/// Rain falls on water at rest, and a finger goes round in it. The state never leaves graphics
/// memory; pictures are drawn from it there.
#[derive(Args)]
pub struct Arguments {
    /// Columns and rows of cells
    #[arg(long, value_name = "WxH", default_value_t = Size { columns: 512, rows: 512 })]
    size: Size,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    #[command(flatten)]
    waves: Waves,

    /// Steps from one drop of rain to the next; 0 for none
    #[arg(long, value_name = "N", default_value_t = 60)]
    rain: u32,

    /// What the places of the drops depend on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Leave out the finger
    #[arg(long)]
    no_finger: bool,

    /// What is shown
    #[arg(long, value_enum, default_value_t = Show::Surface)]
    show: Show,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,
}

/// What the water is like.
#[derive(Args)]
pub struct Waves {
    /// Cells that a wave travels in a step
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = positive,
          allow_negative_numbers = true)]
    courant: f64,

    /// The share of its speed that the surface loses in a step
    #[arg(long, value_name = "NUMBER", default_value_t = 0.004, value_parser = not_negative,
          allow_negative_numbers = true)]
    damping: f64,

    /// What waves meet at the edges
    #[arg(long, value_enum, default_value_t = Edge::Reflecting)]
    shore: Edge,

    /// Iterations of conjugate gradients in a step
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
}

/// What waves meet at the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Edge {
    /// A wall: they come back
    Reflecting,
    /// Open water: they leave
    Absorbing,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The surface, with the sky in it and the ground below
    Surface,
    /// The height: blue below rest, amber above
    Height,
    /// What the last step's iterations left: blue below zero, amber above
    Residual,
}

/// Checks, simulates, and writes pictures.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.waves.settings(arguments.size);
    settings.check()?;
    arguments.destination.check()?;
    let machine = session.machine()?;
    let mut water = Water::at_rest(&machine, settings)?;
    let rain = Rain {
        every: arguments.rain,
        finger: !arguments.no_finger,
        seed: arguments.seed,
    };
    let (width, height) = arguments.picture_size();
    let painter = Painter::new(&machine)?;
    let canvas = Canvas::new(&machine, width, height)?;
    let shown = match arguments.show {
        Show::Surface => WaterShown::Surface,
        Show::Height => WaterShown::Height,
        Show::Residual => WaterShown::Residual,
    };

    let mut film = arguments.destination.film()?;
    let bar = progress_bar(arguments.steps.into());
    let mut clock = Duration::ZERO;
    for step in 0..arguments.steps {
        let start = Instant::now();
        rain.push(step, &mut water)?;
        water.step()?;
        machine.finish();
        clock += start.elapsed();
        if let Some(film) = &mut film {
            film.take(step, step + 1 == arguments.steps, || {
                painter.draw_water(&water, shown, Rain::HEIGHT, &canvas)?;
                Ok::<_, SimulationError>(canvas.image()?)
            })?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    writeln!(
        session.out,
        "{}: {} steps in {:.2} s, {:.1} steps/s, residual {:.1e}",
        arguments.size,
        water.steps(),
        clock.as_secs_f64(),
        f64::from(arguments.steps) / clock.as_secs_f64(),
        water.residual(),
    )?;
    film.map_or(Ok(()), |film| film.finish(&mut session.out))
}

impl Waves {
    /// The settings of a grid of this size.
    pub fn settings(&self, size: Size) -> WaterSettings {
        WaterSettings {
            courant: self.courant,
            damping: self.damping,
            shore: match self.shore {
                Edge::Reflecting => Shore::Reflecting,
                Edge::Absorbing => Shore::Absorbing,
            },
            iterations: self.iterations as usize,
            ..WaterSettings::new(size.columns, size.rows)
        }
    }
}

impl Arguments {
    /// Columns and rows of a picture: of four to three for a view, else as the grid.
    fn picture_size(&self) -> (u32, u32) {
        let width = self.picture.width;
        match self.show {
            Show::Surface => (width, 3 * width / 4),
            Show::Height | Show::Residual => (width, self.size.picture_height(width)),
        }
    }
}
