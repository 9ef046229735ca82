//! `fragstream water`: waves on water (kruger2003, section 6).

use clap::Args;

use crate::kruger2003::simulation::picture::WaterShown;
use crate::kruger2003::simulation::scene::Rain;
use crate::kruger2003::simulation::shown::WaterScene;
use crate::kruger2003::{Shore, WaterSettings};
use crate::picture::Canvas;

use super::animation::{Destination, Width};
use super::arguments::size::GridSize;
use super::arguments::{not_negative, positive};
use super::failure::Failure;
use super::session::Session;

/// Simulate waves on water by an implicit scheme, in textures (kruger2003, section 6).
///
/// Rain falls on water at rest, and a finger goes round in it. The state never leaves graphics
/// memory; pictures are drawn from it there.
#[derive(Args)]
pub struct Arguments {
    /// Columns and rows of cells
    #[arg(long, value_name = "WxH", default_value_t = GridSize { columns: 512, rows: 512 })]
    size: GridSize,

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
    #[arg(long, value_enum, default_value_t = WaterShown::Surface)]
    show: WaterShown,

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
    #[arg(long, value_enum, default_value_t = Shore::Reflecting)]
    shore: Shore,

    /// Iterations of conjugate gradients in a step
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
}

/// Bytes of memory per node.
const NODE: u64 = 260;

/// Checks, simulates, and writes pictures.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.waves.settings(arguments.size);
    settings.check()?;
    arguments.destination.check()?;
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 2)?;
    let rain = Rain {
        every: arguments.rain,
        finger: !arguments.no_finger,
        seed: arguments.seed,
    };
    let mut scene = WaterScene::new(&machine, settings, rain)?;
    scene.shown = arguments.show;
    let (width, height) = arguments.picture_size();
    let canvas = Canvas::new(&machine, width, height)?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    let film = destination.film(&mut scene, steps, &canvas, session)?;
    film.finish(&mut session.out)
}

impl Waves {
    /// The settings of a grid of this size.
    pub fn settings(&self, size: GridSize) -> WaterSettings {
        WaterSettings {
            courant: self.courant,
            damping: self.damping,
            shore: self.shore,
            iterations: self.iterations as usize,
            ..WaterSettings::new(size.columns, size.rows)
        }
    }
}

impl Arguments {
    /// Columns and rows of a picture: of four to three for a view, else as the grid.
    fn picture_size(&self) -> crate::stream::Size {
        let width = self.picture.width;
        match self.show {
            WaterShown::Surface => (width, 3 * width / 4),
            WaterShown::Height | WaterShown::Residual => (width, self.size.picture_height(width)),
        }
    }
}
