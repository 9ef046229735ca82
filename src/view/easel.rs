//! A painter with a canvas that is as large as the window wants it.

use crate::kruger2003::simulation::picture::{Canvas, Painter};
use crate::stream::{Machine, StreamError};

use super::presenter::Samples;

/// The programs that draw, and what they draw on.
pub(super) struct Easel {
    machine: Machine,
    painter: Painter,
    canvas: Option<(Samples, Canvas)>,
}

impl Easel {
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            machine: machine.clone(),
            painter: Painter::new(machine)?,
            canvas: None,
        })
    }

    /// The painter, and a canvas of this size: the last one where it fits.
    pub fn prepare(&mut self, samples: Samples) -> Result<(&Painter, &Canvas), StreamError> {
        let fits = |(size, _): &(Samples, Canvas)| *size == samples;
        let canvas = match self.canvas.take().filter(fits) {
            Some(canvas) => canvas,
            None => {
                let size = (samples.width, samples.height);
                let canvas = Canvas::with_samples(&self.machine, size, samples.a_side)?;
                (samples, canvas)
            }
        };
        Ok((&self.painter, &self.canvas.insert(canvas).1))
    }
}
