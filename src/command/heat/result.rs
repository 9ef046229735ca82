//! What came out, and how it is printed.

use serde_json::{Value, json};

use crate::goodnight2003::heat::{HeatFlow, Plate};
use crate::goodnight2003::{ProblemError, Refined, Side, Solved};

use super::super::failure::Failure;
use super::super::session::Output;
use super::Arguments;

/// What came out.
pub struct Found {
    /// The plate.
    pub plate: Plate,
    /// T at every node, row by row from the south.
    pub temperature: Vec<f64>,
    /// How the solve went.
    pub solved: Solved,
    /// Corrections in double precision.
    pub corrections: usize,
    /// What heat goes where.
    pub flow: HeatFlow,
    /// Even heat that was added to make up for an imbalance.
    made_up: f64,
    /// The lowest and the highest temperature.
    range: [f64; 2],
    /// The mean over the plate.
    mean: f64,
    /// Seconds for the set-up and for the cycles.
    seconds: [f64; 2],
}

impl Found {
    /// From what the solver has found.
    pub fn new(
        plate: Plate,
        made_up: f64,
        refined: Refined,
        seconds: [f64; 2],
    ) -> Result<Self, ProblemError> {
        let temperature = plate.temperature(&refined.solution);
        let flow = plate.heat_flow(&temperature)?;
        let range = temperature
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &t| {
                [low.min(t), high.max(t)]
            });
        Ok(Self {
            mean: plate.mean(&temperature),
            plate,
            temperature,
            solved: refined.solved,
            corrections: refined.corrections,
            flow,
            made_up,
            range,
            seconds,
        })
    }

    /// Whether there is a temperature.
    pub fn is_finite(&self) -> bool {
        self.temperature.iter().all(|t| t.is_finite())
    }

    /// Columns of nodes.
    pub fn columns(&self) -> usize {
        self.plate.problem.grid.size(0).0 as usize
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
        let (columns, rows) = self.plate.problem.grid.size(0);
        let (cycles, temperatures) = (self.solved.cycles, self.temperatures(5));
        format!("{columns} × {rows} nodes, {cycles} cycles; {temperatures}")
    }

    /// The cycles, and the corrections that they were for.
    fn cycles(&self) -> String {
        match (self.solved.cycles, self.corrections) {
            (cycles, 0) => cycles.to_string(),
            (cycles, 1) => format!("{cycles}, with a correction in double precision"),
            (cycles, n) => format!("{cycles}, with {n} corrections in double precision"),
        }
    }

    /// Lowest, highest and mean, the largest of them with so many digits.
    fn temperatures(&self, digits: i32) -> String {
        let ([low, high], mean) = (self.range, self.mean);
        let largest = match low.abs().max(high.abs()) {
            0.0 => 1.0,
            largest => largest,
        };
        let before_the_point = largest.log10().floor().clamp(-12.0, 12.0) as i32 + 1;
        let decimals = (digits - before_the_point).max(0) as usize;
        format!("from {low:.decimals$} to {high:.decimals$}, mean {mean:.decimals$}")
    }

    /// What `--json` prints: of a periodic plate, no heat leaves by the sides that it has not.
    pub fn json(&self, arguments: &Arguments) -> Value {
        let (columns, rows) = self.plate.problem.grid.size(0);
        let [minimum, maximum] = self.range;
        let [west, east, south, north] = self.flow.sides;
        let [set_up, solve] = self.seconds;
        json!({
            "size": [columns, rows],
            "extent": self.plate.extent,
            "conductivity": self.plate.conductivity,
            "method": arguments.method.to_string(),
            "reason": self.solved.reason.to_string(),
            "cycles": self.solved.cycles,
            "corrections": self.corrections,
            "history": self.solved.history,
            "norm": arguments.method.norm_in_words(),
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

    /// The same for people.
    pub fn print(&self, arguments: &Arguments, out: &mut Output) -> Result<(), Failure> {
        let (plate, solved) = (&self.plate, &self.solved);
        let ([width, height], k) = (plate.extent, plate.conductivity);
        let (columns, rows) = plate.problem.grid.size(0);
        let size = format!("{width} x {height}, {columns} x {rows} nodes, conductivity {k}");
        let flow = &self.flow;
        let mut lines = vec![
            ("plate", size),
            ("method", arguments.method.to_string()),
            ("reason", solved.reason.to_string()),
            ("cycles", self.cycles()),
            ("residual", self.residual(arguments)),
            ("temperature", self.temperatures(7)),
            ("sources", format!("{:.6e}", flow.sources)),
        ];
        if self.made_up != 0.0 {
            lines.push(("made up", format!("{:.6e} of that, evenly", self.made_up)));
        }
        let sides = Side::ALL.into_iter().zip(flow.sides);
        let sides: Vec<String> = sides
            .filter_map(|(side, flow)| Some(format!("{side} {:.6e}", flow?)))
            .collect();
        if !sides.is_empty() {
            lines.push(("leaves", sides.join(", ")));
        }
        let (defect, turnover) = (flow.defect(), flow.turnover);
        let share = match turnover {
            0.0 => 0.0,
            turnover => defect.abs() / turnover,
        };
        let balance =
            format!("{defect:.1e} is unaccounted for, {share:.1e} of the turnover {turnover:.6e}");
        let [set_up, solve] = self.seconds;
        let seconds = format!("set-up {set_up:.4}, solve {solve:.4}");
        lines.extend([("balance", balance), ("seconds", seconds)]);
        out.rows(13, &lines)
    }

    fn residual(&self, arguments: &Arguments) -> String {
        let (solved, norm) = (&self.solved, arguments.method.norm_in_words());
        let measured = solved.history.last().copied().unwrap_or(f64::NAN);
        let measured = match arguments.method.counts_nodes() {
            true => format!("over the goal at {measured} nodes on the GPU"),
            false => format!("{measured:.3e} on the GPU"),
        };
        let (residual, goal) = (solved.residual, solved.tolerance);
        format!("{measured}, {residual:.3e} in double precision ({norm}; goal {goal:.3e})")
    }
}
