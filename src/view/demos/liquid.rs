//! A liquid in a window: strokes push it, and the other button pours more.

use crate::batty2003::LiquidError;
use crate::batty2003::liquid::{Liquid, Shape};
use crate::batty2003::picture::LiquidScene;
use crate::stream::{Size, Stream};

use crate::view::demo::{Demo, Effort, Push};
use crate::view::mouse::Tool;

/// Width over height of a view of the box.
const VIEW: f32 = 4.0 / 3.0;

/// Fraction of the mouse's speed that the liquid takes.
const SHARE: f64 = 0.2;

/// Maximum speed from a stroke, in sides of the box per second.
const FASTEST: f64 = 3.0;

/// Speed of poured liquid, in sides of the box per second.
const POURED: f64 = 1.0;

/// Cells by which a stroke extends beyond its width: a coarse grid cannot resolve narrower ones.
const REACH: f64 = 1.5;

/// A stroke is in the middle plane of the box, x to the right and y up.
impl Demo for LiquidScene {
    const NAME: &'static str = "liquid";
    const VIEWS: &'static [&'static str] = &["surface"];
    const DETAIL_IN_SOFTWARE: f32 = 0.35;

    fn size(&self) -> Size {
        let [x, y, _] = self.liquid.scene().size;
        (x as u32, y as u32)
    }

    fn show(&mut self, _view: usize) {}

    fn aspect(&self) -> f32 {
        VIEW
    }

    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let grid = self.liquid.scene().grid();
        let camera = self.glass_box.camera(VIEW.into());
        let ray = camera.ray(place);
        let depth = (0.5 * grid.extent()[2] as f32 - camera.eye[2]) / ray[2];
        let cell = [0, 1].map(|k| (camera.eye[k] + depth * ray[k]) / grid.spacing as f32);
        (depth > 0.0).then_some(cell)
    }

    /// The first button pushes through the whole depth of the box, by a fraction of the mouse's speed. The
    /// second pours.
    fn push(&mut self, push: &Push) -> Result<(), LiquidError> {
        let scene = self.liquid.scene();
        let (grid, time_step) = (scene.grid(), scene.time_step);
        let extent = grid.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        let radius = (f64::from(push.radius) + REACH) * grid.spacing;
        let [from, to] =
            [push.from, push.to].map(|cell| cell.map(|at| f64::from(at) * grid.spacing));
        match push.tool {
            Tool::First => {
                let speed = [0, 1].map(|k| SHARE * (to[k] - from[k]) / time_step);
                let slower = (FASTEST * longest / speed[0].hypot(speed[1])).min(1.0);
                let velocity = [speed[0] * slower, speed[1] * slower, 0.0];
                let [x, y] = [0, 1].map(|k| 0.5 * (from[k] + to[k]));
                let layers = (extent[2] / radius).ceil();
                for layer in 0..layers as usize {
                    let z = extent[2] * (layer as f64 + 0.5) / layers;
                    self.liquid.push([x, y, z], velocity, radius);
                }
                Ok(())
            }
            Tool::Second => {
                let centre = [to[0], to[1], 0.5 * extent[2]];
                let poured = Shape::Sphere { centre, radius };
                Ok(self.liquid.pour(&poured, [0.0, -POURED * longest, 0.0])?)
            }
        }
    }

    fn toggle_scene(&mut self) {
        self.tap = !self.tap;
    }

    fn reset(&mut self) -> Result<(), LiquidError> {
        self.liquid = Liquid::new(self.liquid.scene().clone())?;
        Ok(())
    }

    fn effort(&self) -> Effort {
        self.last().map_or(Effort { iterations: 0, residual: 0.0 }, |step| Effort {
            iterations: step.outcome.iterations,
            residual: step.outcome.residual,
        })
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        self.glass_box.streams()
    }
}
