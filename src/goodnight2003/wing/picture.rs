//! Pictures of the vorticity, drawn from the solver's own textures (goodnight2003, colour plate 1).

use std::rc::Rc;

use super::kernels;
use super::simulation::{Wing, double_turn};
use crate::picture::Canvas;
use crate::stream::{Kernel, Pass, StreamError};

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
            // §5.3, colour plate 1: the flow, drawn as ζ + 2θ̇, its vorticity in a frame at rest
            .set("double_turn", double_turn(&frame))
            .set("most", self.view.most as f32);
        canvas.draw(pass)
    }
}
