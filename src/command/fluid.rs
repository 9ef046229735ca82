//! `fragstream fluid`: Stam's fluid, with pictures (bolz2003, section 4.1).

use clap::Args;

use crate::bolz2003::fluid::{Domain, Inlet, Scene, Settings, Shown, Walls};
use crate::solver::Cycle;

use super::animation::Destination;
use super::arguments::size::GridSize;
use super::arguments::{not_negative, positive};
use super::failure::Failure;
use super::session::Session;

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
    #[arg(long, value_name = "WxH", default_value_t = GridSize { columns: 513, rows: 129 })]
    size: GridSize,

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
    #[arg(long, value_enum, default_value_t = Shown::Speed)]
    show: Shown,

    /// Pixels of a frame for each grid space
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=16), allow_negative_numbers = true)]
    zoom: u32,
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

/// Bytes of memory per node.
const NODE: u64 = 700;

/// Checks, simulates, and writes frames.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check()?;
    arguments.destination.check()?;
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 8)?;
    let domain = Domain::new(&machine, settings)?;
    let destination = &arguments.destination;
    // What is carried along is for the pictures alone.
    let (shown, particles) = match destination.is_wanted() {
        true => (arguments.show, arguments.particles as usize),
        false => (Shown::Speed, 0),
    };
    let mut scene = Scene::new(&domain, shown, particles)?;
    let canvas = scene.painter.canvas(arguments.zoom)?;
    let film = destination.film(&mut scene, arguments.steps, &canvas, session)?;
    film.finish(&mut session.out)
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
