//! The flow as films step and show it.

use crate::picture::Canvas;
use crate::simulation::Simulation;
use crate::stream::Machine;

use super::picture::WingPainter;
use super::settings::WingError;
use super::simulation::Wing;

/// A flow with its picture.
pub struct WingScene {
    /// The flow.
    pub wing: Wing,
    /// Painter of its pictures.
    pub painter: WingPainter,
}

impl Simulation for WingScene {
    type Error = WingError;

    fn machine(&self) -> &Machine {
        self.wing.machine()
    }

    fn grid(&self) -> String {
        let (radial, angular) = self.wing.settings().size;
        format!("{radial}x{angular} nodes")
    }

    fn step(&mut self, _measured: bool) -> Result<(), WingError> {
        self.wing.step()
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), WingError> {
        Ok(self.painter.draw(&self.wing, canvas)?)
    }

    fn heading(&self) -> Option<&'static str> {
        Some("  step     time      step    drag    lift")
    }

    /// Only after a sample, that is, every tenth step.
    fn row(&mut self) -> Result<Option<String>, WingError> {
        let last = self.wing.history().last();
        let sample = last.filter(|sample| sample.steps == self.wing.steps());
        Ok(sample.map(|sample| {
            format!(
                "{:6} {:8.3} {:9.2e} {:7.4} {:7.4}",
                sample.steps, sample.time, sample.step, sample.forces.drag, sample.forces.lift
            )
        }))
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
