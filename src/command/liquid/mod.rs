//! `fragstream liquid`: a liquid with a free surface (batty2003).

pub mod scene_file;
pub mod solving;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::batty2003::liquid::Scene;
use crate::batty2003::picture::LiquidScene;
use crate::io::{MeshFormat, write_mesh};
use crate::picture::Canvas;

use super::animation::{Destination, Width, write_history};
use super::arguments::positive;
use super::failure::Failure;
use super::files::{check_folder, check_targets};
use super::session::Session;
use scene_file::read_scene;
use solving::Solving;

/// Simulate a liquid in a glass box; its pressure is solved for in textures (batty2003).
///
/// Particles carry the liquid and a grid its pressure. As in the paper everything but the solve of the
/// pressure is the CPU's. Lengths are in metres, y is up, and a scene of a file has what is in it:
/// liquid, solids and inflows as boxes or spheres.
///
/// The table has a line for a tenth of the steps each: iterations and residual of the pressure's
/// solve, the liquid's volume, and the lowest and the highest pressure.
#[derive(Args)]
pub struct Arguments {
    /// A scene (TOML)
    #[arg(value_name = "SCENE.toml", conflicts_with = "scene")]
    file: Option<PathBuf>,

    /// A scene of our own, in a box of one metre
    #[arg(long, value_enum, default_value_t = Named::Dam)]
    scene: Named,

    /// Cells along the longest side of the box [default: 32, or what the file says]
    #[arg(long, value_name = "N", value_parser = cells)]
    size: Option<u16>,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 120,
          value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// The time of a step, in seconds [default: 1/120, or what the file says]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    dt: Option<f64>,

    /// Let the liquid's divergence make up for volume that was lost or won; a file can say
    /// keep_volume = true
    #[arg(long)]
    keep_volume: bool,

    #[command(flatten)]
    solving: Solving,

    /// Write iterations, residual, volume, divergence and pressure of every step
    #[arg(long, value_name = "CSV")]
    history: Option<PathBuf>,

    /// Write the last surface as a closed mesh (.ply, .obj, .off)
    #[arg(long, value_name = "FILE")]
    surface: Option<PathBuf>,

    /// Write surface-0000.ply, … into this folder, one for each frame; files of these names are
    /// replaced
    #[arg(long, value_name = "DIR")]
    surfaces: Option<PathBuf>,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,
}

/// The scenes that need no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Named {
    /// A column of water is let go
    Dam,
    /// A ball of water falls into a pool
    Drop,
    /// A column of water is let go towards a pillar and a ball
    Obstacle,
}

impl Named {
    /// The scene with so many cells a side.
    pub fn scene(self, cells: usize) -> Scene {
        match self {
            Named::Dam => Scene::dam(cells),
            Named::Drop => Scene::drop(cells),
            Named::Obstacle => Scene::obstacle(cells),
        }
    }
}

/// Cells along a side: more than any memory of today holds are refused here.
pub fn cells(text: &str) -> Result<u16, String> {
    let number = text.parse().ok();
    let fitting = number.filter(|number| (1..=640).contains(number));
    fitting.ok_or_else(|| "give a whole number from 1 to 640".to_owned())
}

/// Cells a side where nothing else is said.
const CELLS: usize = 32;

/// Checks, simulates, and writes pictures and surfaces.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let scene = arguments.read()?;
    arguments.solving.check()?;
    arguments.check_targets()?;
    let machine = session.machine_for(scene.size.iter().product::<usize>() / 4)?;
    let solver = arguments.solving.solver(&machine, scene.size);
    let solver = solver.map_err(|error| match &arguments.file {
        Some(file) => Failure::in_file(file, format_args!("size: {error}")),
        None => error.into(),
    })?;
    let criteria = arguments.solving.criteria();
    let mut scene = LiquidScene::new(&machine, scene, solver, criteria)?;
    let every = arguments.destination.every() as usize;
    let surfaces = arguments.surfaces.as_ref();
    scene.surfaces = surfaces.map(|folder| (folder.clone(), every));
    let width = arguments.picture.width;
    let canvas = Canvas::new(&machine, width, 3 * width / 4)?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    let film = destination.film(&mut scene, steps, &canvas, session);
    // Of a liquid that could not go on, all that was recorded is worth having.
    if let Some(file) = &arguments.history {
        write_history(file, &scene, &mut session.out)?;
    }
    film?.finish(&mut session.out)?;
    if let Some(file) = &arguments.surface {
        write_mesh(file, &scene.surface().mesh)?;
        writeln!(session.out, "{}: the last surface", file.display())?;
    }
    if let Some(folder) = &arguments.surfaces {
        let written = steps as usize / every;
        writeln!(session.out, "{}: {written} surfaces", folder.display())?;
    }
    Ok(())
}

impl Arguments {
    /// The scene, which makes sense.
    fn read(&self) -> Result<Scene, Failure> {
        let cells = self.size.map(usize::from);
        let mut scene = match &self.file {
            Some(file) => read_scene(file, cells)?,
            None => self.scene.scene(cells.unwrap_or(CELLS)),
        };
        scene.time_step = self.dt.unwrap_or(scene.time_step);
        scene.keep_volume |= self.keep_volume;
        scene.check()?;
        Ok(scene)
    }

    fn check_targets(&self) -> Result<(), Failure> {
        self.destination.check()?;
        check_targets([self.history.as_deref(), self.surface.as_deref()])?;
        self.surfaces
            .iter()
            .try_for_each(|folder| check_folder(folder))?;
        if let Some(file) = &self.surface {
            MeshFormat::of(file).map_err(|error| Failure::in_file(file, error))?;
        }
        Ok(())
    }
}
