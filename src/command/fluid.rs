//! `fragstream fluid`: Stam's fluid, with pictures (bolz2003, section 4.1).

use clap::Args;

use crate::arguments::{GridSize, at_least_one, count, not_negative, positive};
use crate::bolz2003::fluid::{Domain, Inlet, Scene, Settings, Shown, Walls};
use crate::solver::Cycle;

use super::animation::Destination;
use super::failure::Failure;
use super::session::Session;

/// Simulate a fluid by Stam's method, with a multigrid solver (bolz2003, section 4.1)
///
/// A jet enters a box of fluid at rest through an opening in the middle of its left side; the opposite side is
/// open. With `--inlet off` the box is closed, and two streams flow against each other. Along walls the fluid
/// slips; with a viscosity it sticks to them. Lengths are in grid spaces, speeds in grid spaces per unit of
/// time.
///
/// The table has one row per tenth of the steps: the divergence (root mean square, per unit of time) by
/// central differences before and after the projection, and that of the velocities between nodes, which is
/// the residual of the pressure's equation.
#[derive(Args)]
pub struct Arguments {
    /// Number of nodes: powers of two times a small number, plus 1
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(513, 129))]
    size: GridSize,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = count(1..=u32::MAX))]
    steps: u32,

    /// Time step
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = positive)]
    dt: f64,

    /// Viscosity, in squared grid spaces per unit of time; the interpolation adds some of its own
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = not_negative)]
    viscosity: f64,

    /// Cycles per solve
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = at_least_one)]
    cycles: usize,

    #[command(flatten)]
    cycle: Cycle,

    /// Keep the stencils in constants and compute borders in every program: faster than the paper's stencils in
    /// textures and copied borders
    #[arg(long)]
    fused: bool,

    /// Speed of the jet, or `off`
    #[arg(long, value_name = "SPEED", default_value = "2", value_parser = jet)]
    inlet: Jet,

    #[command(flatten)]
    destination: Destination,

    /// Pixels of a picture per grid space
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Pictures",
          value_parser = count(1..=16_u32))]
    zoom: u32,

    /// Quantity in colours
    #[arg(long, value_enum, default_value_t = Shown::Speed, help_heading = "Pictures")]
    show: Shown,

    /// Number of particles that are drawn over the picture
    #[arg(long, value_name = "N", default_value_t = 60_000, help_heading = "Pictures",
          value_parser = count(0..=10_000_000_u32))]
    particles: u32,
}

/// Speed of the jet, if there is one.
type Jet = Option<f64>;

fn jet(text: &str) -> Result<Jet, String> {
    match text {
        "off" => Ok(None),
        speed => positive(speed).map(Some).map_err(|_| "give a speed above 0, or off".to_owned()),
    }
}

/// Bytes of memory per node.
const NODE: u64 = 700;

/// Checks, simulates, and writes frames.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check()?;
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 8)?;
    let domain = Domain::new(&machine, settings)?;
    let destination = &arguments.destination;
    // Only pictures need dye and particles.
    let (shown, particles) = if destination.is_wanted() {
        (arguments.show, arguments.particles as usize)
    } else {
        (Shown::Speed, 0)
    };
    let mut scene = Scene::new(&domain, shown, particles)?;
    let canvas = scene.painter.canvas(arguments.zoom)?;
    destination.film(&mut scene, arguments.steps, &canvas, session)
}

impl Arguments {
    fn settings(&self) -> Settings {
        let [columns, rows] = self.size.sides();
        let settings = if self.fused {
            Settings { cycle: self.cycle, ..Settings::fused(columns, rows) }
        } else {
            Settings::new(columns, rows).with_cycle(self.cycle)
        };
        Settings {
            dt: self.dt,
            viscosity: self.viscosity,
            walls: match self.viscosity {
                0.0 => Walls::Slip,
                _ => Walls::Stick,
            },
            inlet: self.inlet.map(|speed| Inlet::in_the_middle_of(rows, speed)),
            cycles: self.cycles,
            ..settings
        }
    }
}
