//! `fragstream water`: waves on water (kruger2003, section 6).

use clap::Args;

use crate::arguments::{GridSize, count};
use crate::kruger2003::WaterSettings;
use crate::kruger2003::picture::WaterScene;
use crate::kruger2003::picture::WaterShown;
use crate::kruger2003::strokes::Rain;
use crate::picture::Canvas;

use super::animation::{Destination, Width};
use super::failure::Failure;
use super::session::Session;

/// Simulate waves on water by an implicit scheme, in textures (kruger2003, section 6)
///
/// Rain falls on water at rest, and a finger circles in it. The state never leaves graphics memory; pictures
/// are drawn from it there.
#[derive(Args)]
pub struct Arguments {
    /// Number of cells
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(256, 256))]
    size: GridSize,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = count(1..=u32::MAX))]
    steps: u32,

    #[command(flatten)]
    water: WaterSettings,

    /// Number of steps from one drop of rain to the next; 0 for no rain
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = count(0..=u32::MAX))]
    rain: u32,

    /// Random seed of the rain
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(0..=u64::MAX))]
    seed: u64,

    /// Leave out the finger
    #[arg(long)]
    no_finger: bool,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,

    /// View
    #[arg(long, value_enum, default_value_t = WaterShown::Surface, help_heading = "Pictures")]
    show: WaterShown,
}

/// Bytes of memory per node.
const NODE: u64 = 260;

/// Checks, simulates, and writes pictures.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let GridSize { columns, rows } = arguments.size;
    let settings = WaterSettings { size: (columns, rows), ..arguments.water };
    settings.check()?;
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 2)?;
    let rain = Rain { every: arguments.rain, finger: !arguments.no_finger, seed: arguments.seed };
    let mut scene = WaterScene::new(&machine, settings, rain)?;
    scene.shown = arguments.show;
    let (width, height) = arguments.picture_size();
    let canvas = Canvas::new(&machine, width, height)?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    destination.film(&mut scene, steps, &canvas, session)
}

impl Arguments {
    /// Columns and rows of a picture: four to three for a view, else as the grid.
    fn picture_size(&self) -> crate::stream::Size {
        let width = self.picture.width;
        match self.show {
            WaterShown::Surface => (width, 3 * width / 4),
            WaterShown::Height | WaterShown::Residual => (width, self.size.picture_height(width)),
        }
    }
}
