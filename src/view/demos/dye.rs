//! Fluid with dye in a window: strokes drag the fluid along and leave dye.

use crate::kruger2003::picture::{FluidScene, FluidShown, SIGNED_COLOURS, SPEED_COLOURS};
use crate::kruger2003::strokes::DYES;
use crate::kruger2003::{Fluid, KrugerError, Stroke};
use crate::stream::{Size, Stream};

use crate::view::demo::{Demo, Effort, Push, Scale};
use crate::view::mouse::Tool;

const SHOWN: [FluidShown; 4] =
    [FluidShown::Streaks, FluidShown::Velocity, FluidShown::Pressure, FluidShown::Residual];

impl Demo for FluidScene {
    const NAME: &'static str = "dye";
    const VIEWS: &'static [&'static str] = &["dye", "velocity", "pressure", "residual"];
    const DETAIL_IN_SOFTWARE: f32 = 0.4;

    fn size(&self) -> Size {
        self.fluid.settings().size
    }

    fn show(&mut self, view: usize) {
        self.shown = SHOWN[view];
    }

    fn scale(&self) -> Option<Scale> {
        let most = self.shown.brightest(&self.fluid, self.fast)?;
        Some(if self.shown == FluidShown::Velocity {
            let colours = SPEED_COLOURS.to_vec();
            let ends = [0.0, most];
            Scale { colours, ends }
        } else {
            Scale::signed(&SIGNED_COLOURS, most)
        })
    }

    fn aspect(&self) -> f32 {
        let (columns, rows) = self.size();
        columns as f32 / rows as f32
    }

    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let (columns, rows) = self.size();
        Some([place[0] * columns as f32, place[1] * rows as f32])
    }

    /// The fluid takes a fraction of the mouse's speed. The first button also leaves dye, in another colour
    /// with each stroke; the second does not.
    fn push(&mut self, push: &Push) -> Result<(), KrugerError> {
        let stroke = Stroke { from: push.from, to: push.to, radius: push.radius };
        let (dx, dy) = (push.to[0] - push.from[0], push.to[1] - push.from[1]);
        let length = dx.hypot(dy);
        if length > 0.0 {
            let dt = self.fluid.settings().dt as f32;
            let speed = (0.25 * push.way / dt).min(1.5 * self.pens.speed);
            self.fluid.push(&stroke, [dx, dy].map(|part| speed * part / length))?;
        }
        if push.tool == Tool::First {
            let light = 0.12 + 0.2 * (push.way / push.radius).min(2.0);
            let dye = DYES[push.stroke % DYES.len()];
            self.fluid.inject(&stroke, dye.map(|part| light * part))?;
        }
        Ok(())
    }

    fn toggle_scene(&mut self) {
        self.stirring = !self.stirring;
    }

    fn reset(&mut self) -> Result<(), KrugerError> {
        self.fluid = Fluid::at_rest(self.fluid.machine(), *self.fluid.settings())?;
        Ok(())
    }

    fn effort(&self) -> Effort {
        Effort { iterations: self.fluid.iterations(), residual: self.fluid.residual() }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        self.fluid.streams()
    }
}
