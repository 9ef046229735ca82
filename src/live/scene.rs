//! The scenes of the page: any demo on a stage.

use std::error::Error;

use crate::kruger2003::picture::{FluidScene, FluidShown, WaterScene};
use crate::kruger2003::strokes::{Pens, Rain};
use crate::kruger2003::{FluidSettings, WaterSettings};
use crate::stream::{Machine, Size, Stream};
use crate::view::Demo;
use crate::view::demo::Effort;
use crate::view::demos::cycle::CycleScene;
use crate::view::demos::jet::Jet;
use crate::view::keys::Action;
use crate::view::mouse::Mouse;
use crate::view::stage::Stage;

use super::LiveError;

/// The names of the scenes.
pub const SCENES: [&str; 4] = ["dye", "water", "jet", "cycle"];

/// An error of any scene.
pub type SceneError = Box<dyn Error>;

/// A stage with any demo.
pub(super) trait Scene {
    fn step(&mut self) -> Result<(), SceneError>;
    fn stroke(&mut self) -> Result<(), SceneError>;
    fn is_between_units(&self) -> bool;
    fn next_in_words(&self) -> String;
    fn show(&mut self) -> Result<(), SceneError>;
    fn mouse(&mut self) -> &mut Mouse;
    fn act(&mut self, action: Action) -> Result<(), SceneError>;
    fn resize(&mut self, size: Size) -> Result<(), SceneError>;
    fn effort(&self) -> Effort;
    fn streams(&self) -> Vec<(String, &Stream)>;
}

impl<D: Demo> Scene for Stage<D>
where
    D::Error: Error + 'static,
{
    fn step(&mut self) -> Result<(), SceneError> {
        self.stroke()?;
        Ok(Stage::step(self)?)
    }

    fn stroke(&mut self) -> Result<(), SceneError> {
        Ok(Stage::stroke(self)?)
    }

    fn is_between_units(&self) -> bool {
        self.demo().is_between_units()
    }

    fn next_in_words(&self) -> String {
        self.demo().next_in_words()
    }

    fn show(&mut self) -> Result<(), SceneError> {
        self.draw()?;
        Ok(Stage::show(self)?)
    }

    fn mouse(&mut self) -> &mut Mouse {
        &mut self.mouse
    }

    fn act(&mut self, action: Action) -> Result<(), SceneError> {
        Ok(Stage::act(self, action)?)
    }

    fn resize(&mut self, size: Size) -> Result<(), SceneError> {
        Ok(Stage::resize(self, size)?)
    }

    fn effort(&self) -> Effort {
        self.demo().effort()
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        self.demo().streams()
    }
}

/// The scene of this name on a grid with this many cells per side.
pub(super) fn scene(
    machine: &Machine,
    name: &str,
    side: u32,
    window: Size,
) -> Result<Box<dyn Scene>, LiveError> {
    match name {
        "dye" => {
            let pens = Pens { speed: side as f32 / 100.0, seed: 1 };
            let settings = FluidSettings { fade: 0.997, ..FluidSettings::new(side, side) };
            let scene = FluidScene::new(machine, settings, pens).map(|mut scene| {
                scene.shown = FluidShown::Streaks;
                scene
            });
            staged(machine, window, scene)
        }
        "water" => {
            let rain = Rain { every: 40, finger: false, seed: 1 };
            let settings = WaterSettings { damping: 0.002, ..WaterSettings::new(side, side) };
            staged(machine, window, WaterScene::new(machine, settings, rain))
        }
        "jet" => {
            let (columns, rows) = (2 * side as usize + 1, side as usize + 1);
            staged(machine, window, Jet::new(machine, columns, rows))
        }
        "cycle" => staged(machine, window, CycleScene::new(machine, side as usize + 1)),
        _ => Err(LiveError::NoScene(name.to_owned())),
    }
}

fn staged<D: Demo + 'static>(
    machine: &Machine,
    window: Size,
    demo: Result<D, D::Error>,
) -> Result<Box<dyn Scene>, LiveError>
where
    D::Error: Error + 'static,
{
    let demo = demo.map_err(|error| LiveError::Scene(error.into()))?;
    Ok(Box::new(Stage::new(machine, demo, window, None)?))
}
