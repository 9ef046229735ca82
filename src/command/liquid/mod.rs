//! `fragstream liquid`: a liquid with a free surface (batty2003).

pub mod scene_file;
pub mod solving;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::{count, positive};
use crate::batty2003::liquid::Scene;
use crate::batty2003::picture::LiquidScene;
use crate::error::counted;
use crate::io::write_mesh;
use crate::picture::Canvas;

use super::animation::{Destination, Width, write_history};
use super::failure::Failure;
use super::output::{Folder, Target, csv, mesh};
use super::session::Session;
use scene_file::read_scene;
use solving::Solving;

/// Simulate a liquid in a glass box; its pressure is solved for in textures (batty2003)
///
/// Particles carry the liquid, a grid its pressure. As in the paper, the CPU computes everything except the
/// pressure. Lengths are in metres, and y is up. A scene file describes liquid, solids and inflows as boxes or
/// spheres.
///
/// The table has one row per tenth of the steps: iterations and residual of the pressure's solve, the volume
/// in cubic metres, and the lowest and the highest pressure in pascals.
#[derive(Args)]
pub struct Arguments {
    /// Scene (TOML)
    #[arg(value_name = "SCENE.toml", conflicts_with = "scene")]
    file: Option<PathBuf>,

    /// Bundled scene, in a box of one metre
    #[arg(long, value_enum, default_value_t = Named::Dam)]
    scene: Named,

    /// Number of cells along the longest side of the box [default: 32, or the scene file's]
    #[arg(long, value_name = "N", value_parser = cells)]
    size: Option<u16>,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 120,
          value_parser = count(1..=u32::MAX))]
    steps: u32,

    /// Time step in seconds [default: 1/120, or the scene file's]
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    dt: Option<f64>,

    /// Correct volume that was lost or gained, through the divergence; keep_volume = true in a scene file
    #[arg(long)]
    keep_volume: bool,

    #[command(flatten)]
    solving: Solving,

    /// Write iterations, residual, volume, divergence and pressure of every step
    #[arg(long, value_name = "FILE.csv", value_parser = csv)]
    history: Option<Target>,

    /// Write the last surface as a closed mesh (.ply, .obj, .off, .stl)
    #[arg(long, value_name = "FILE", value_parser = mesh)]
    surface: Option<Target>,

    /// Write surface-0000.ply, … into this folder, one per frame; files of these names are replaced
    #[arg(long, value_name = "DIR")]
    surfaces: Option<Folder>,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,
}

/// Bundled scenes.
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
    /// The scene with this number of cells per side.
    pub fn scene(self, cells: usize) -> Scene {
        match self {
            Named::Dam => Scene::dam(cells),
            Named::Drop => Scene::drop(cells),
            Named::Obstacle => Scene::obstacle(cells),
        }
    }
}

/// Number of cells along a side; memory cannot hold more.
pub fn cells(text: &str) -> Result<u16, String> {
    let number = text.parse().ok();
    let fitting = number.filter(|number| (1..=640).contains(number));
    fitting.ok_or_else(|| "give an integer from 1 to 640".to_owned())
}

/// Default number of cells along a side.
const CELLS: usize = 32;

/// Checks, simulates, and writes pictures and surfaces.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let scene = arguments.read()?;
    arguments.solving.check()?;
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
    surfaces.map_or(Ok(()), Folder::make)?;
    scene.surfaces = surfaces.map(|folder| (folder.path().to_owned(), every));
    let width = arguments.picture.width;
    let canvas = Canvas::new(&machine, width, 3 * width / 4)?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    let done = destination.film(&mut scene, steps, &canvas, session);
    // The history of a liquid that could not continue is still written.
    if let Some(file) = &arguments.history {
        write_history(file, &scene)?;
    }
    done?;
    if let Some(file) = &arguments.surface {
        file.write(|path| write_mesh(path, &scene.surface().mesh))?;
    }
    if let Some(folder) = &arguments.surfaces {
        folder.report(counted(steps as usize / every, "surface"));
    }
    Ok(())
}

impl Arguments {
    /// The scene, checked.
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
}
