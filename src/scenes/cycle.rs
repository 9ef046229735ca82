//! A V-cycle (Bolz et al. 2003, section 4.2): strokes draw the right-hand side of Poisson's equation, and multigrid
//! solves it, one operation on one level at a time.

use std::convert::Infallible;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bolz2003::Error;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, StencilStorage};
use crate::bolz2003::grid::{Boundary, Grid, Sides};
use crate::kruger2003::Stroke;
use crate::kruger2003::strokes::Strokes;
use crate::picture::Canvas;
use crate::scene::{
    self, BoxedError, Done, Drawn, Effort, Entry, Exercise, Fields, Filmed, Interactive, NotFinite,
    Preset, Push, Setting, Tool, Typed, check_memory,
};
use crate::solver::multigrid::cycle;
use crate::solver::{Cycle, Hierarchy, Levels, Multigrid, Start};
use crate::stream::{
    Format, Kernel, Machine, Pair, Pass, Rect, Rects, Size, Source, Stream, StreamError, source,
};

const SIGNED: Source = source!(
    kruger2003, "simulation/signed_picture",
    with "kruger2003/simulation/interpolate_linear", "view/signed"
);

/// Fraction of the right-hand side's norm at which single precision ends the convergence.
const ENOUGH: f64 = 1e-4;

/// Maximum number of nodes of the coarsest grid: the number of levels is the largest possible.
const COARSEST: usize = 25;

/// A typical peak of the solution, in norms of the right-hand side.
const PEAK: f32 = 3.0;

/// The entry of the registry.
pub static CYCLE: Entry = Entry {
    name: "cycle",
    alias: None,
    paper: "bolz2003",
    section: "section 4.2",
    about: "Solve Poisson's equation by V-cycles of multigrid, one operation at a time (bolz2003, section 4.2)",
    details: "The right-hand side is a source and a sink; in a window or in the page you draw it. A step is one \
              operation on one level, and none once the residual has reached the rounding errors of single \
              precision.\n\n\
              The table has one row per tenth of the steps: the cycles so far, and the residual after them.",
    views: &["solution", "right-hand side"],
    every: 4,
    outputs: &[],
    interactive: Interactive {
        preset: "fused",
        motion: "",
        second: "draw sinks",
        unit: "V-cycle",
        counted: "cycles",
        detail: 1.0,
        coarser: 1,
        exercise: Some(Exercise {
            program: "bolz2003/grid/stencil/jacobi",
            replace: "omega / DIAGONAL(i)",
            with: "2.5 * omega / DIAGONAL(i)",
            effect: "Jacobi no longer smooths, and the residual grows. Where is the limit?",
        }),
    },
    film: Filmed {
        preset: "film",
        title: "A V-cycle on a right-hand side that was drawn",
        start: "A source and a sink are drawn",
        step: "",
        reads: true,
        side: Some(32),
    },
    settings: Typed::of::<Settings>(),
};

/// Bytes of memory per node.
const NODE: u64 = 400;

/// Settings of a V-cycle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Number of nodes per side: a power of two times a small number, plus 1
    #[schemars(range(min = 1))]
    pub size: usize,
    /// Shape of a cycle.
    #[serde(flatten)]
    pub cycle: Cycle,
    /// Keep the stencils in constants and compute borders in every program: faster than the paper's stencils in
    /// textures and copied borders
    #[schemars(extend("without" = "Keep stencils in textures and copy borders, as in the paper"))]
    pub fused: bool,
}

impl Default for Settings {
    /// The paper's, on its largest grid.
    fn default() -> Self {
        Self { size: 1025, cycle: Cycle::default(), fused: false }
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        let sweeps = self.cycle.before + self.cycle.after;
        Setting::at_least("the smoothing of a cycle, in sweeps,", sweeps, 1)?;
        self.grid()?;
        let side = u32::try_from(self.size).unwrap_or(u32::MAX);
        Ok(check_memory((side, side), NODE)?)
    }

    fn texels(&self) -> usize {
        self.size * self.size / 8
    }

    fn resize(&mut self, side: u32) {
        self.size = side as usize + 1;
    }

    fn start(&self, machine: &Machine, _: Drawn) -> Result<Box<dyn scene::Scene>, BoxedError> {
        Ok(Box::new(Scene::new(machine, *self)?))
    }

    #[rustfmt::skip]
    fn presets() -> Vec<Preset<Self>> {
        let usual = Self { size: 129, ..Self::default() };
        let fused = Self { fused: true, cycle: Cycle::v(2, 2), ..usual };
        vec![
            Preset::new("small", "the paper's cycle on 129x129 nodes", 160, usual),
            Preset::new("paper", "the paper's largest grid, 1025x1025 nodes", 160, Self { size: 1025, ..usual }),
            Preset::new("fused", "V(2, 2)-cycles, stencils in constants and computed borders (fragstream's variant)",
                160, fused),
            Preset::new("film", "small, for a film", 26, usual.on(32)),
        ]
    }
}

impl Settings {
    fn grid(&self) -> Result<Grid, Error> {
        Grid::new(self.size, self.size, Sides::all(Boundary::Dirichlet))
    }

    fn options(&self) -> HierarchyOptions {
        let usual = if self.fused { HierarchyOptions::fused } else { HierarchyOptions::default };
        HierarchyOptions { coarsest_nodes: COARSEST, ..usual() }
    }
}

/// An operation of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Sweeps of the smoother on a level.
    Smooth(usize, usize, Start),
    /// Solve on the coarsest level.
    Solve(Start),
    /// Projection of the residual of a level to the next coarser one.
    Descend(usize),
    /// Interpolation of the correction from the next coarser level to a level.
    Ascend(usize),
}

/// Levels that only record the operations of a cycle.
struct Recorder {
    levels: usize,
    operations: Vec<Operation>,
}

impl Levels for Recorder {
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.levels
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), Infallible> {
        self.operations.push(Operation::Smooth(level, sweeps, start));
        Ok(())
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), Infallible> {
        self.operations.push(Operation::Solve(start));
        Ok(())
    }

    fn descend(&mut self, level: usize) -> Result<(), Infallible> {
        self.operations.push(Operation::Descend(level));
        Ok(())
    }

    fn ascend(&mut self, level: usize) -> Result<(), Infallible> {
        self.operations.push(Operation::Ascend(level));
        Ok(())
    }
}

/// −∇²u = b on a square, with u = 0 on its sides.
pub struct Scene {
    hierarchy: Rc<GridHierarchy>,
    multigrid: Multigrid<GridHierarchy, Rc<GridHierarchy>>,
    strokes: Strokes,
    signed: Rc<Kernel>,
    /// The right-hand side and the solution, one node per texel.
    drawn: Pair,
    plain: Stream,
    /// All nodes except for those of the sides.
    inside: Rects,
    b: Stream,
    u: Stream,
    /// One cycle.
    operations: Vec<Operation>,
    next: usize,
    cycles: usize,
    residual: f64,
    norm: f64,
}

impl Scene {
    /// A square with a source and a sink.
    pub fn new(machine: &Machine, settings: Settings) -> Result<Self, Error> {
        let (grid, options) = (settings.grid()?, settings.options());
        let storage =
            if settings.fused { StencilStorage::Automatic } else { StencilStorage::Streams };
        let hierarchy = GridHierarchy::helmholtz(machine, grid, 0.0, storage, options)?;
        let hierarchy = Rc::new(hierarchy);
        let layered = Rc::clone(hierarchy.grid());
        let size = (settings.size as u32, settings.size as u32);
        let mut noted = Recorder { levels: hierarchy.levels(), operations: Vec::new() };
        let Ok(()) = cycle(&mut noted, settings.cycle, Start::Given);
        let plain = layered.plain("solution")?;
        let mut scene = Self {
            multigrid: Multigrid::new(Rc::clone(&hierarchy), settings.cycle)?,
            hierarchy,
            strokes: Strokes::new(machine)?,
            signed: machine.kernel(&SIGNED, &[])?,
            drawn: Pair::zeros(machine, "right-hand side", size, Format::R32F)?,
            inside: machine.rect(Rect::at([1, 1], (size.0 - 2, size.1 - 2)))?,
            plain,
            b: layered.zeros("b")?,
            u: layered.zeros("u")?,
            operations: noted.operations,
            next: 0,
            cycles: 0,
            residual: 0.0,
            norm: 0.0,
        };
        scene.begin()?;
        Ok(scene)
    }

    /// A source and a sink.
    fn begin(&mut self) -> Result<(), Error> {
        let side = self.plain.width() as f32;
        for (place, amount) in [(0.3, 1.0), (0.7, -1.0)] {
            let stroke = Stroke::at([place * side, (1.0 - place) * side], side / 30.0);
            self.draw_charge(&stroke, amount)?;
        }
        self.take_over()
    }

    fn draw_charge(&mut self, stroke: &Stroke, amount: f32) -> Result<(), Error> {
        let (strokes, inside) = (&self.strokes, &self.inside);
        let amount = [amount, 0.0, 0.0, 0.0];
        Ok(self.drawn.draw(|before, target| {
            strokes.draw((before, target), [0.0; 2], (stroke, false), amount, inside)
        })?)
    }

    /// Starts with a new right-hand side; values on the coarser levels belong to the old one.
    fn take_over(&mut self) -> Result<(), Error> {
        self.hierarchy.grid().layer(self.drawn.front(), &self.b)?;
        self.norm = self.hierarchy.norm(&self.b)?;
        self.residual = self.hierarchy.residual_norm(&self.b, &self.u)?;
        (self.next, self.cycles) = (0, 0);
        Ok(())
    }

    fn operate(&mut self, operation: Operation) -> Result<(), StreamError> {
        let mut levels = self.multigrid.on(&self.b, &mut self.u);
        match operation {
            Operation::Smooth(level, sweeps, start) => levels.smooth(level, sweeps, start),
            Operation::Solve(start) => levels.solve_coarsest(start),
            Operation::Descend(level) => levels.descend(level),
            Operation::Ascend(level) => levels.ascend(level),
        }
    }

    /// Tests whether the residual has reached the rounding errors of single precision.
    pub fn is_solved(&self) -> bool {
        self.next == 0 && self.residual <= ENOUGH * self.norm
    }
}

impl scene::Scene for Scene {
    /// Performs one operation, or none if the equation is solved.
    fn step(&mut self, _measured: bool) -> Done {
        if self.is_solved() {
            return Ok(());
        }
        self.operate(self.operations[self.next])?;
        self.next = (self.next + 1) % self.operations.len();
        if self.next == 0 {
            self.residual = self.hierarchy.residual_norm(&self.b, &self.u)?;
            self.cycles += 1;
        }
        let (what, remedy) = ("the solution", "restore the programs");
        let lost = NotFinite { what, steps: self.cycles, remedy };
        if self.residual.is_finite() { Ok(()) } else { Err(lost.into()) }
    }

    fn draw(&mut self, view: usize, canvas: &Canvas) -> Done {
        let (quantity, most) = match view {
            0 => {
                self.hierarchy.grid().unlayer(&self.u, &self.plain)?;
                (&self.plain, PEAK * self.norm as f32)
            }
            _ => (self.drawn.front(), 1.0),
        };
        let (columns, rows) = quantity.size();
        let pass = Pass::new(&self.signed)
            .read("quantity", quantity)
            .set("size", (columns, rows))
            .set("spacing", canvas.spacing(columns))
            .set("most", most);
        Ok(canvas.draw(pass)?)
    }

    fn size(&self) -> Size {
        self.plain.size()
    }

    /// The first button draws a source, the second a sink.
    fn push(&mut self, push: &Push) -> Done {
        let stroke = Stroke { from: push.from, to: push.to, radius: push.radius };
        let sign = match push.tool {
            Tool::First => 1.0,
            Tool::Second => -1.0,
        };
        self.draw_charge(&stroke, 0.3 * sign)?;
        Ok(self.take_over()?)
    }

    fn reset(&mut self) -> Done {
        self.drawn.front().fill([0.0; 4]);
        self.u.fill([0.0; 4]);
        Ok(self.begin()?)
    }

    fn effort(&self) -> Effort {
        Effort { iterations: self.cycles, residual: self.residual }
    }

    fn is_between_units(&self) -> bool {
        self.next == 0
    }

    fn next_in_words(&self) -> String {
        if self.is_solved() {
            return "solved to single precision".into();
        }
        match self.operations[self.next] {
            Operation::Smooth(level, sweeps, _) => format!("level {level}: {sweeps} sweeps"),
            Operation::Solve(_) => {
                format!("level {}: solved exactly", self.hierarchy.levels() - 1)
            }
            Operation::Descend(level) => format!("level {level}: projects its residual"),
            Operation::Ascend(level) => format!("level {level}: adds the correction"),
        }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        let finest = [("level 0: b", &self.b), ("level 0: u", &self.u)];
        let finest = finest.map(|(name, stream)| (name.to_owned(), stream));
        let levels = self.multigrid.coarser.iter().zip(1..);
        let coarser = levels.flat_map(|([b, u], level)| {
            [
                (format!("level {level}: projected residual"), b),
                (format!("level {level}: correction"), u),
            ]
        });
        finest.into_iter().chain(coarser).collect()
    }

    fn row(&mut self) -> Result<Option<Fields>, BoxedError> {
        Ok(Some(vec![("cycles", self.cycles as f64), ("residual", self.residual)]))
    }
}
