//! The flow as films step and show it.

use crate::goodnight2003::Error;
use crate::picture::Canvas;
use crate::simulation::{Fields, Simulation};
use crate::stream::Machine;

use super::forces::frequency;
use super::picture::WingPainter;
use super::simulation::Wing;

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
