//! A liquid whose surface is written as it moves.

use std::path::{Path, PathBuf};

use fragstream::batty2003::picture::LiquidScene;
use fragstream::io::write_mesh;
use fragstream::picture::Canvas;
use fragstream::simulation::Simulation;
use fragstream::stream::Machine;

use super::super::failure::Failure;

/// A liquid, and the folder of its surfaces.
pub struct Recorded {
    /// The liquid.
    pub scene: LiquidScene,
    /// Where a surface is written to, and after how many steps each.
    pub surfaces: Option<(PathBuf, u32)>,
    written: u32,
}

impl Recorded {
    /// A liquid at its start.
    pub fn new(scene: LiquidScene, surfaces: Option<(PathBuf, u32)>) -> Self {
        Self {
            scene,
            surfaces,
            written: 0,
        }
    }

    /// How many surfaces have been written.
    pub fn written(&self) -> u32 {
        self.written
    }

    /// Writes the surface as it is now.
    pub fn write_surface(&self, file: &Path) -> Result<(), Failure> {
        Ok(write_mesh(file, &self.scene.surface().mesh)?)
    }
}

impl Simulation for Recorded {
    type Error = Failure;

    fn machine(&self) -> &Machine {
        self.scene.machine()
    }

    fn grid(&self) -> String {
        self.scene.grid()
    }

    fn step(&mut self, measured: bool) -> Result<(), Failure> {
        self.scene.step(measured)?;
        if let Some((folder, every)) = &self.surfaces
            && self.scene.liquid.steps().is_multiple_of(*every as usize)
        {
            let name = format!("surface-{:04}.ply", self.written);
            self.write_surface(&folder.join(name))?;
            self.written += 1;
        }
        Ok(())
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), Failure> {
        Ok(self.scene.draw(canvas)?)
    }

    fn heading(&self) -> Option<&'static str> {
        self.scene.heading()
    }

    fn row(&mut self) -> Result<Option<String>, Failure> {
        Ok(self.scene.row()?)
    }

    fn history(&self) -> Vec<String> {
        self.scene.history()
    }

    fn progress(&self) -> String {
        self.scene.progress()
    }

    fn remark(&self) -> String {
        self.scene.remark()
    }
}
