//! A V-cycle in a window (Bolz et al. 2003, section 4.2): strokes draw the right-hand side of Poisson's equation,
//! and multigrid solves it, one operation on one level at a time.

use crate::bolz2003;
use std::convert::Infallible;
use std::rc::Rc;

use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::{Boundary, Grid, Sides};
use crate::kruger2003::Stroke;
use crate::kruger2003::strokes::Strokes;
use crate::picture::Canvas;
use crate::simulation::{NotFinite, Simulation};
use crate::solver::multigrid::cycle;
use crate::solver::{Cycle, Hierarchy, Levels, Multigrid, Start};
use crate::stream::{
    Format, Kernel, Machine, Pair, Pass, Rect, Rects, Size, Source, Stream, StreamError, source,
};

use crate::view::demo::{Demo, Effort, Push};
use crate::view::mouse::Tool;

const SIGNED: Source = source!(
    kruger2003, "simulation/signed_picture",
    with "kruger2003/simulation/interpolate_linear"
);

/// Sweeps of Jacobi before and after the coarser grid.
const SHAPE: Cycle = Cycle::v(2, 2);

/// Fraction of the right-hand side's norm at which single precision ends the convergence.
const ENOUGH: f64 = 1e-4;

/// Maximum number of nodes of the coarsest grid: the number of levels is the largest possible.
const COARSEST: usize = 25;

/// A typical peak of the solution, in norms of the right-hand side.
const PEAK: f32 = 3.0;

/// An error of the demo.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CycleError {
    /// The size cannot be coarsened.
    #[error(transparent)]
    Grid(#[from] bolz2003::Error),
    /// The cycles have diverged.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The stream processor failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
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

/// Multigrid with the vectors of its coarser levels.
type Vectors<'a> = Multigrid<'a, GridHierarchy>;

self_cell::self_cell!(
    /// The operators of all levels, and the vectors of the coarser ones.
    struct Solver {
        owner: GridHierarchy,
        #[covariant]
        dependent: Vectors,
    }
);

/// −∇²u = b on a square, with u = 0 on its sides.
pub struct CycleScene {
    machine: Machine,
    solver: Solver,
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
    shown: usize,
}

impl CycleScene {
    /// A square with this number of nodes per side, with a source and a sink, in fragstream's variant
    /// ([`HierarchyOptions::fused`]).
    pub fn new(machine: &Machine, side: usize) -> Result<Self, CycleError> {
        let grid = Grid::new(side, side, Sides::all(Boundary::Dirichlet))?;
        let options = HierarchyOptions { coarsest_nodes: COARSEST, ..HierarchyOptions::fused() };
        let hierarchy = GridHierarchy::constant(machine, grid, 0.0, options)?;
        let layered = Rc::clone(hierarchy.grid());
        let size = (side as u32, side as u32);
        let mut noted = Recorder { levels: hierarchy.levels(), operations: Vec::new() };
        let Ok(()) = cycle(&mut noted, SHAPE, Start::Given);
        let plain = layered.plain("solution")?;
        let mut scene = Self {
            machine: machine.clone(),
            solver: Solver::try_new(hierarchy, |hierarchy| Multigrid::new(hierarchy, SHAPE))?,
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
            shown: 0,
        };
        scene.begin()?;
        Ok(scene)
    }

    /// A source and a sink.
    fn begin(&mut self) -> Result<(), CycleError> {
        let side = self.plain.width() as f32;
        for (place, amount) in [(0.3, 1.0), (0.7, -1.0)] {
            let stroke = Stroke::at([place * side, (1.0 - place) * side], side / 30.0);
            self.draw_charge(&stroke, amount)?;
        }
        self.take_over()
    }

    fn hierarchy(&self) -> &GridHierarchy {
        self.solver.borrow_owner()
    }

    fn draw_charge(&mut self, stroke: &Stroke, amount: f32) -> Result<(), CycleError> {
        let (strokes, inside) = (&self.strokes, &self.inside);
        let amount = [amount, 0.0, 0.0, 0.0];
        Ok(self.drawn.draw(|before, target| {
            strokes.draw((before, target), [0.0; 2], (stroke, false), amount, inside)
        })?)
    }

    /// Starts with a new right-hand side; values on the coarser levels belong to the old one.
    fn take_over(&mut self) -> Result<(), CycleError> {
        self.hierarchy().grid().layer(self.drawn.front(), &self.b)?;
        self.norm = self.hierarchy().norm(&self.b)?;
        self.residual = self.hierarchy().residual_norm(&self.b, &self.u)?;
        (self.next, self.cycles) = (0, 0);
        Ok(())
    }

    fn operate(&mut self, operation: Operation) -> Result<(), StreamError> {
        let (b, u) = (&self.b, &mut self.u);
        self.solver.with_dependent_mut(|_, multigrid| {
            let mut levels = multigrid.on(b, u);
            match operation {
                Operation::Smooth(level, sweeps, start) => levels.smooth(level, sweeps, start),
                Operation::Solve(start) => levels.solve_coarsest(start),
                Operation::Descend(level) => levels.descend(level),
                Operation::Ascend(level) => levels.ascend(level),
            }
        })
    }

    /// The next operation.
    pub fn next_operation(&self) -> Operation {
        self.operations[self.next]
    }

    /// Tests whether the residual has reached the rounding errors of single precision.
    pub fn is_solved(&self) -> bool {
        self.next == 0 && self.residual <= ENOUGH * self.norm
    }
}

impl Simulation for CycleScene {
    type Error = CycleError;

    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn grid(&self) -> String {
        let (columns, rows) = self.plain.size();
        format!("{columns}x{rows} nodes")
    }

    /// Performs one operation, or none if the equation is solved.
    fn step(&mut self, _measured: bool) -> Result<(), CycleError> {
        if self.is_solved() {
            return Ok(());
        }
        self.operate(self.operations[self.next])?;
        self.next = (self.next + 1) % self.operations.len();
        if self.next == 0 {
            self.residual = self.hierarchy().residual_norm(&self.b, &self.u)?;
            self.cycles += 1;
        }
        if self.residual.is_finite() {
            Ok(())
        } else {
            Err(CycleError::NotFinite(NotFinite {
                what: "the solution",
                steps: self.cycles,
                remedy: "restore the programs",
            }))
        }
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), CycleError> {
        let (quantity, most) = match self.shown {
            0 => {
                self.hierarchy().grid().unlayer(&self.u, &self.plain)?;
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
}

impl Demo for CycleScene {
    const NAME: &'static str = "cycle";
    const VIEWS: &'static [&'static str] = &["solution", "right-hand side"];
    const DETAIL_IN_SOFTWARE: f32 = 1.0;

    fn size(&self) -> Size {
        self.plain.size()
    }

    fn show(&mut self, view: usize) {
        self.shown = view;
    }

    fn aspect(&self) -> f32 {
        1.0
    }

    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let (columns, rows) = self.size();
        Some([place[0] * columns as f32, place[1] * rows as f32])
    }

    /// The first button draws a source, the second a sink.
    fn push(&mut self, push: &Push) -> Result<(), CycleError> {
        let stroke = Stroke { from: push.from, to: push.to, radius: push.radius };
        let sign = match push.tool {
            Tool::First => 1.0,
            Tool::Second => -1.0,
        };
        self.draw_charge(&stroke, 0.3 * sign)?;
        self.take_over()
    }

    fn toggle_scene(&mut self) {}

    fn reset(&mut self) -> Result<(), CycleError> {
        self.drawn.front().fill([0.0; 4]);
        self.u.fill([0.0; 4]);
        self.begin()
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
        match self.next_operation() {
            Operation::Smooth(level, sweeps, _) => format!("level {level}: {sweeps} sweeps"),
            Operation::Solve(_) => {
                format!("level {}: solved exactly", self.hierarchy().levels() - 1)
            }
            Operation::Descend(level) => format!("level {level}: projects its residual"),
            Operation::Ascend(level) => format!("level {level}: adds the correction"),
        }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        let finest = [("level 0: b", &self.b), ("level 0: u", &self.u)];
        let finest = finest.map(|(name, stream)| (name.to_owned(), stream));
        let levels = self.solver.borrow_dependent().coarser().iter().zip(1..);
        let coarser = levels.flat_map(|([b, u], level)| {
            [
                (format!("level {level}: projected residual"), b),
                (format!("level {level}: correction"), u),
            ]
        });
        finest.into_iter().chain(coarser).collect()
    }
}
