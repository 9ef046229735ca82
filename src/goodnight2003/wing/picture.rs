//! Pictures of the vorticity, drawn from the solver's own textures (goodnight2003, colorplate 1), and the flow as
//! films step and show it.

use std::rc::Rc;

use super::forces::frequency;
use super::kernels;
use super::simulation::{Wing, double_turn};
use crate::goodnight2003::Error;
use crate::picture::Canvas;
use crate::simulation::{Fields, Simulation};
use crate::stream::{Kernel, Machine, Pass, StreamError};

/// Visible part of the plane, in a frame at rest; lengths in chords.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The left end.
    pub left: f64,
    /// The right end.
    pub right: f64,
    /// The height of the middle.
    pub middle: f64,
    /// The vorticity of the brightest colour.
    pub most: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { left: -1.2, right: 6.0, middle: 0.0, most: 8.0 }
    }
}

/// Draws the vorticity of one flow.
pub struct WingPainter {
    kernel: Rc<Kernel>,
    view: View,
}

impl WingPainter {
    /// The program for the coordinates of this flow, compiled.
    pub fn new(wing: &Wing, view: View) -> Result<Self, StreamError> {
        let kernel = kernels::picture(wing.machine(), wing.coordinates())?;
        Ok(Self { kernel, view })
    }

    /// Draws the current state of the flow.
    pub fn draw(&self, wing: &Wing, canvas: &Canvas) -> Result<(), StreamError> {
        let frame = wing.frame();
        let (width, height) = canvas.stream().size();
        let step = (self.view.right - self.view.left) / f64::from(width);
        let low = self.view.middle - 0.5 * step * f64::from(height);
        let (sine, cosine) = frame.angle.sin_cos();
        let single = |pair: [f64; 2]| pair.map(|value| value as f32);
        let pass = Pass::new(&self.kernel)
            .read("vorticity", wing.vorticity())
            .set("size", wing.vorticity().size())
            .set("spacing", single(wing.spacing()))
            .set("corner", single([self.view.left, low]))
            .set("sample_step", step as f32)
            .set("pivot", single(frame.pivot))
            .set("axis", single([cosine, sine]))
            .set("double_turn", double_turn(&frame))
            .set("most", self.view.most as f32);
        canvas.draw(pass)
    }
}

/// A flow with its picture.
pub struct WingScene {
    /// The flow.
    pub wing: Wing,
    /// Painter of its pictures.
    pub painter: WingPainter,
}

impl Simulation for WingScene {
    type Error = Error;

    fn machine(&self) -> &Machine {
        self.wing.machine()
    }

    fn grid(&self) -> String {
        let (radial, angular) = self.wing.settings().size;
        format!("{radial}x{angular} nodes")
    }

    fn step(&mut self, _measured: bool) -> Result<(), Error> {
        self.wing.step()
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), Error> {
        Ok(self.painter.draw(&self.wing, canvas)?)
    }

    /// Only after the force was measured, which is every tenth step.
    fn row(&mut self) -> Result<Option<Fields>, Error> {
        let last = self.wing.history().last();
        let sample = last.filter(|sample| sample.steps == self.wing.steps());
        Ok(sample.map(|sample| {
            vec![
                ("step", sample.steps as f64),
                ("time", sample.time),
                ("step_length", sample.step),
                ("drag", sample.forces.drag),
                ("lift", sample.forces.lift),
            ]
        }))
    }

    /// Strouhal number and mean drag of the second half: oscillations of the lift while the stream passes a
    /// chord.
    fn summary(&self) -> Fields {
        let history = self.wing.history();
        let lift: Vec<(f64, f64)> = history.iter().map(|s| (s.time, s.forces.lift)).collect();
        let half = lift.last().map_or(0.0, |(time, _)| 0.5 * time);
        let Some(frequency) = frequency(&lift, half) else {
            return Vec::new();
        };
        let late = history.iter().filter(|s| s.time >= half);
        let (count, drag) = late.fold((0.0, 0.0), |(n, sum), s| (n + 1.0, sum + s.forces.drag));
        vec![("strouhal_number", frequency), ("mean_drag", drag / count)]
    }

    fn history(&self) -> Vec<String> {
        let heading = "time,drag,lift,circulation,step".to_owned();
        let samples = self.wing.history().iter().map(|sample| {
            let (drag, lift) = (sample.forces.drag, sample.forces.lift);
            format!(
                "{:.6},{drag:.6},{lift:.6},{:.6},{:.3e}",
                sample.time, sample.circulation, sample.step
            )
        });
        std::iter::once(heading).chain(samples).collect()
    }
}
