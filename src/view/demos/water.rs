//! Water in a window: strokes press its surface down.

use crate::kruger2003::picture::{SIGNED_COLOURS, WaterScene, WaterShown};
use crate::kruger2003::strokes::Rain;
use crate::kruger2003::{KrugerError, Stroke, Water};
use crate::stream::{Size, Stream};

use crate::view::demo::{Demo, Effort, Push, Scale};
use crate::view::mouse::Tool;

const SHOWN: [WaterShown; 3] = [WaterShown::Surface, WaterShown::Height, WaterShown::Residual];

/// The push of a drop: the change of the surface's speed times the drop's radius, for waves that travel one
/// cell per step.
const DROP: f32 = 1.2;

/// Width over height of a view of the basin.
const VIEW: f32 = 4.0 / 3.0;

impl Demo for WaterScene {
    const NAME: &'static str = "water";
    const VIEWS: &'static [&'static str] = &["surface", "height", "residual"];
    const DETAIL_IN_SOFTWARE: f32 = 0.75;

    fn size(&self) -> Size {
        self.water.settings().size
    }

    fn show(&mut self, view: usize) {
        self.shown = SHOWN[view];
    }

    fn scale(&self) -> Option<Scale> {
        let most = self.shown.brightest(&self.water, Rain::HEIGHT)?;
        Some(Scale::signed(&SIGNED_COLOURS, most))
    }

    fn aspect(&self) -> f32 {
        let (columns, rows) = self.size();
        match self.shown {
            WaterShown::Surface => VIEW,
            _ => columns as f32 / rows as f32,
        }
    }

    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        self.shown.cell(self.size(), self.aspect(), place)
    }

    /// A click makes a drop. A stroke pushes in proportion to its length in a frame, up to half as much as a
    /// drop, because waves from a line fade more slowly.
    fn push(&mut self, push: &Push) -> Result<(), KrugerError> {
        let strength =
            if push.begins { DROP } else { (0.4 * push.way / push.radius).min(0.5 * DROP) };
        let sign = match push.tool {
            Tool::First => -1.0,
            Tool::Second => 1.0,
        };
        let stroke = Stroke { from: push.from, to: push.to, radius: push.radius };
        let courant = self.water.settings().courant as f32;
        self.water.push(&stroke, sign * strength * courant / push.radius)
    }

    fn toggle_scene(&mut self) {
        self.raining = !self.raining;
    }

    fn reset(&mut self) -> Result<(), KrugerError> {
        self.water = Water::at_rest(self.water.machine(), *self.water.settings())?;
        Ok(())
    }

    fn effort(&self) -> Effort {
        Effort { iterations: self.water.iterations(), residual: self.water.residual() }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        self.water.streams()
    }
}
