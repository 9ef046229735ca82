//! `fragstream fluid`: Stam's fluid, with pictures (bolz2003, section 4.1).

use std::io::Write;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use image::RgbImage;

use fragstream::bolz2003::fluid::initial::shear_layer;
use fragstream::bolz2003::fluid::{
    Divergence, Domain, Dye, Fluid, FluidError, Inlet, Painter, Particles, Settings, Shown, Walls,
};
use fragstream::solver::Cycle;

use super::arguments::{not_negative, positive};
use super::failure::{Failure, Status};
use super::frames::Destination;
use super::session::{Session, progress_bar};
use super::size::Size;

/// Lines of the table.
const LINES: u32 = 10;

/// Simulate a fluid by Stam's method, with a multigrid solver (bolz2003, section 4.1).
///
/// Lengths are in grid spaces, speeds in grid spaces a unit of time. Fluid at rest fills a box; a jet
/// comes in through an opening in the middle of the left side, and the right side is open. With
/// `--inlet off` the box is closed and two streams flow against each other.
///
/// Along walls the fluid slips; with a viscosity it sticks to them.
///
/// The table has a line for a tenth of the steps each: the divergence (root mean square, a unit of
/// time) by central differences before and after the projection, and that of the velocities between
/// nodes, which is the residual of the pressure's equation.
#[derive(Args)]
pub struct Arguments {
    /// Nodes of a row and of a column: powers of two times a small number, and one
    #[arg(long, value_name = "WxH", default_value_t = Size { columns: 513, rows: 129 })]
    size: Size,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    steps: u32,

    /// The time of a step
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = positive,
          allow_negative_numbers = true)]
    dt: f64,

    /// The viscosity, in squared grid spaces a unit of time; the interpolation has some of its own
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = not_negative,
          allow_negative_numbers = true)]
    viscosity: f64,

    /// V-cycles of each solve
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    cycles: u32,

    /// Smoothing sweeps of a cycle before the coarser grid
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        allow_negative_numbers = true
    )]
    pre: u32,

    /// Smoothing sweeps afterwards
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        allow_negative_numbers = true
    )]
    post: u32,

    /// The speed of the jet, or `off`
    #[arg(long, value_name = "SPEED", default_value = "2", value_parser = jet,
          allow_negative_numbers = true)]
    inlet: Jet,

    #[command(flatten)]
    destination: Destination,

    /// Particles that are drawn over the picture
    #[arg(long, value_name = "N", default_value_t = 60_000,
          value_parser = clap::value_parser!(u32).range(..=10_000_000), allow_negative_numbers = true)]
    particles: u32,

    /// What is shown in colours
    #[arg(long, value_enum, default_value_t = Show::Speed)]
    show: Show,

    /// Pixels of a frame for each grid space
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=16), allow_negative_numbers = true)]
    zoom: u32,
}

/// What is shown in colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// How fast the fluid is
    Speed,
    /// How it turns: blue clockwise, amber counter-clockwise
    Vorticity,
    /// Two dyes, one for each half of the jet
    Dye,
    /// The pressure
    Pressure,
}

impl From<Show> for Shown {
    fn from(show: Show) -> Self {
        match show {
            Show::Speed => Shown::Speed,
            Show::Vorticity => Shown::Vorticity,
            Show::Dye => Shown::Dye,
            Show::Pressure => Shown::Pressure,
        }
    }
}

/// The speed of the jet, if there is one.
type Jet = Option<f64>;

fn jet(text: &str) -> Result<Jet, String> {
    match text {
        "off" => Ok(None),
        speed => positive(speed)
            .map(Some)
            .map_err(|_| "give a speed above 0, or off".to_owned()),
    }
}

impl From<FluidError> for Failure {
    fn from(error: FluidError) -> Self {
        match error {
            FluidError::Stream(error) => error.into(),
            FluidError::NotFinite { .. } => Failure::new(Status::Unconverged, error),
            FluidError::Grid(_) | FluidError::Setting { .. } => Failure::new(Status::Input, error),
        }
    }
}

/// Checks, simulates, and writes frames.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check()?;
    arguments.destination.check()?;
    let machine = session.machine()?;
    let domain = Domain::new(&machine, settings)?;
    let mut fluid = Fluid::at_rest(&domain)?;
    if settings.inlet.is_none() {
        fluid.set_velocity(&shear_layer(domain.grid(), 1.0))?;
        fluid.project()?;
    }
    let mut film = arguments.destination.film()?;
    let mut scene = match film {
        Some(_) => Some(Scene::new(&domain, arguments)?),
        None => None,
    };

    let bar = progress_bar(arguments.steps.into());
    let mut clock = Duration::ZERO;
    writeln!(session.out, "{}", heading())?;
    for step in 1..=arguments.steps {
        let start = Instant::now();
        let has_line = step % arguments.steps.div_ceil(LINES) == 0 || step == arguments.steps;
        let mut divergence = None;
        if has_line || !bar.is_hidden() {
            divergence = Some(fluid.measured_step()?);
        } else {
            fluid.step()?;
        }
        if let Some(scene) = &mut scene {
            scene.carry(&fluid)?;
        }
        machine.finish();
        clock += start.elapsed();
        if let (Some(film), Some(scene)) = (&mut film, &scene) {
            film.take(step, step == arguments.steps, || scene.paint(&fluid))?;
        }
        if let Some(divergence) = divergence {
            bar.set_message(format!(
                "divergence {:.1e} to {:.1e}",
                divergence.before, divergence.after
            ));
            if has_line {
                let line = line(step, &divergence);
                bar.suspend(|| writeln!(session.out, "{line}"))?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (steps, seconds) = (arguments.steps, clock.as_secs_f64());
    let rate = f64::from(steps) / seconds;
    writeln!(
        session.out,
        "{}: {steps} steps in {seconds:.2} s, {rate:.1} steps/s",
        arguments.size
    )?;
    film.map_or(Ok(()), |film| film.finish(&mut session.out))
}

impl Arguments {
    fn settings(&self) -> Settings {
        let [columns, rows] = self.size.sides();
        Settings {
            dt: self.dt,
            viscosity: self.viscosity,
            walls: match self.viscosity {
                0.0 => Walls::Slip,
                _ => Walls::Stick,
            },
            inlet: self.inlet.map(|speed| Inlet::in_the_middle_of(rows, speed)),
            cycles: self.cycles as usize,
            cycle: Cycle::v(self.pre as usize, self.post as usize),
            ..Settings::new(columns, rows)
        }
    }
}

fn heading() -> String {
    let [before, after, residual] = ["before", "after", "residual"];
    format!(" step  divergence {before:>9}  {after:>9}  {residual:>9}")
}

fn line(step: u32, divergence: &Divergence) -> String {
    let Divergence {
        before,
        after,
        residual,
    } = divergence;
    format!("{step:5}  {before:20.3e}  {after:9.3e}  {residual:9.3e}")
}

/// What pictures need beside the fluid.
struct Scene<'a> {
    painter: Painter<'a>,
    shown: Shown,
    dye: Option<Dye<'a>>,
    particles: Option<Particles<'a>>,
}

impl<'a> Scene<'a> {
    fn new(domain: &'a Domain, arguments: &Arguments) -> Result<Self, FluidError> {
        let shown = Shown::from(arguments.show);
        let number = arguments.particles as usize;
        Ok(Self {
            painter: Painter::new(domain, arguments.zoom, arguments.inlet.unwrap_or(1.0))?,
            shown,
            dye: match shown {
                Shown::Dye => Some(Dye::new(domain)?),
                _ => None,
            },
            particles: match number {
                0 => None,
                _ => Some(Particles::new(domain, number)?),
            },
        })
    }

    /// Carries on what the fluid carries.
    fn carry(&mut self, fluid: &Fluid<'_>) -> Result<(), FluidError> {
        if let Some(dye) = &mut self.dye {
            dye.step(fluid)?;
        }
        if let Some(particles) = &mut self.particles {
            particles.step(fluid)?;
        }
        Ok(())
    }

    fn paint(&self, fluid: &Fluid<'_>) -> Result<RgbImage, FluidError> {
        let (dye, particles) = (self.dye.as_ref(), self.particles.as_ref());
        self.painter.paint(fluid, self.shown, dye, particles)
    }
}
