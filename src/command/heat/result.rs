//! The temperature, and the heat that flows.

use serde_json::{Value, json};

use crate::error::counted;
use crate::goodnight2003::heat::{HeatFlow, Plate};
use crate::goodnight2003::{Error, Norm, Refined, Solved};

use super::Arguments;

/// The result of a solve.
pub struct HeatResult {
    /// The plate.
    pub plate: Plate,
    /// T at every node, row by row from the south.
    pub temperature: Vec<f64>,
    /// Outcome of the solve.
    pub solved: Solved,
    /// Number of corrections in double precision.
    pub corrections: usize,
    flow: HeatFlow,
    /// Uniform heat added to balance sources and sides.
    made_up: f64,
    /// The lowest and the highest temperature.
    range: [f64; 2],
    /// Mean over the plate.
    mean: f64,
    /// Seconds for the set-up and for the cycles.
    seconds: [f64; 2],
}

impl HeatResult {
    /// The result of the command from that of the solver.
    pub fn new(
        plate: Plate,
        made_up: f64,
        refined: Refined,
        seconds: [f64; 2],
    ) -> Result<Self, Error> {
        let temperature = plate.temperature(&refined.solution);
        let flow = plate.heat_flow(&temperature)?;
        let low = temperature.iter().copied().fold(f64::INFINITY, f64::min);
        let high = temperature.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(Self {
            mean: plate.mean(&temperature),
            plate,
            temperature,
            solved: refined.solved,
            corrections: refined.corrections,
            flow,
            made_up,
            range: [low, high],
            seconds,
        })
    }

    /// Tests whether there is a temperature.
    pub fn is_finite(&self) -> bool {
        self.temperature.iter().all(|t| t.is_finite())
    }

    /// Columns and rows of nodes.
    pub fn size(&self) -> [usize; 2] {
        let (columns, rows) = self.plate.problem.grid.size(0);
        [columns as usize, rows as usize]
    }

    /// x, y and T of every node.
    pub fn nodes(&self) -> impl Iterator<Item = [f64; 3]> {
        let grid = &self.plate.problem.grid;
        let points = grid.places(0).map(|place| grid.point(place));
        let nodes = points.zip(&self.temperature);
        nodes.map(|([x, y], t)| [x, y, *t])
    }

    /// A line below the picture's title.
    pub fn summary(&self) -> String {
        let ([columns, rows], [low, high], mean) = (self.size(), self.range, self.mean);
        let cycles = counted(self.solved.cycles, "cycle");
        format!("{columns} × {rows} nodes, {cycles}; from {low:.2} to {high:.2}, mean {mean:.2}")
    }

    /// The settings, which `--json` prints with the result.
    pub fn settings(&self, arguments: &Arguments) -> Value {
        json!({
            "extent": self.plate.extent,
            "conductivity": self.plate.conductivity,
            "method": arguments.settings.to_string(),
            "norm": match arguments.settings.norm {
                Norm::L1 => "1-norm",
                Norm::L2 => "2-norm",
                Norm::Maximum => "largest",
            },
        })
    }

    /// The result as it is printed. A periodic plate has no sides through which heat could leave.
    pub fn result(&self) -> Value {
        let [minimum, maximum] = self.range;
        let [west, east, south, north] = self.flow.sides;
        let [set_up, solve] = self.seconds;
        json!({
            "size": self.size(),
            "reference_temperature": self.plate.reference,
            "reason": self.solved.reason,
            "cycles": self.solved.cycles,
            "corrections": self.corrections,
            "history": self.solved.history,
            "residual_true": self.solved.residual,
            "tolerance": self.solved.tolerance,
            "rounding": self.solved.rounding,
            "temperature": {"minimum": minimum, "maximum": maximum, "mean": self.mean},
            "heat": {
                "sources": self.flow.sources,
                "made_up": self.made_up,
                "west": west,
                "east": east,
                "south": south,
                "north": north,
                "turnover": self.flow.turnover,
                "defect": self.flow.defect(),
            },
            "seconds": {"set_up": set_up, "solve": solve},
        })
    }
}
