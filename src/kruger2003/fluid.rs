//! The incompressible Navier–Stokes equations in two dimensions (Krüger and Westermann 2003,
//! section 6, Fig. 8).
//!
//! A step is explicit for advection and viscosity, and implicit for pressure:
//!
//! ```text
//! G = u − Δt (V·∇u − ν ∇²u)    F = v − Δt (V·∇v − ν ∇²v)    V·∇ semi-Lagrangian (Stam 1999)
//! ∇²p = (∂G/∂x + ∂F/∂y) / Δt                                 forward differences
//! u = G − Δt ∂p/∂x             v = F − Δt ∂p/∂y              backward differences
//! ```
//!
//! ∇²u is not taken at x as in eqs. 5 and 6 but at the node nearest to x − Δt V: at x it would not belong to the fluid
//! that is carried, and steps over many cells would not be stable. Within half a cell of motion per step both are the
//! same node.
//!
//! The paper prints the gradient with a plus, ∂p/∂v in eq. 2, and F and G of eq. 7 interchanged;
//! this is the intended scheme. Forward and backward differences fit together on a grid where u
//! is on the left sides of cells and v on the lower ones. Around the cells are two more texels
//! on each side, which hold the values reflected by the walls, so that no program treats walls specially.
//!
//! The pressure comes from conjugate gradients without a preconditioner, four iterations from the
//! pressure of the last step.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene::{Effort, Setting};
use crate::solver::{Criteria, Csr, TextureSpace};
use crate::stream::{
    Format, Kernel, Layout, Machine, Pair, Part, Pass, Rect, Rects, Reduce, Size, Source, Stream,
    StreamError, source,
};

use super::diagonals::five_point;
use super::gradients::finite;
use super::operators::residual;
use super::strokes::Strokes;
use super::{DiagonalMatrix, Error, ListedGradients, Matrix, ProductOptions, Stroke};

/// The program of the origins.
const TRACE: Source = source!(kruger2003, "simulation/trace");
/// The program of a push.
const PUSH: Source = source!(kruger2003, "simulation/push", with "stream/stroke");
/// The program of the divergence.
const DIVERGENCE: Source = source!(kruger2003, "simulation/divergence");
/// The program of the new velocity.
const PROJECT: Source = source!(kruger2003, "simulation/project");

/// Interpolation between texels in semi-Lagrangian advection: linear, as in Stam's method, or cubic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Interpolation {
    /// From four cells; smooths the field
    #[default]
    Linear,
    /// From sixteen cells (fragstream's variant)
    Cubic,
}

impl Interpolation {
    /// Parts in front of the programs that read between texels.
    fn parts(self) -> Vec<Part> {
        match self {
            Self::Linear => vec![source!(part "kruger2003/simulation/interpolate_linear")],
            Self::Cubic => vec![
                source!(part "stream/catmull_rom"),
                source!(part "kruger2003/simulation/interpolate_cubic"),
            ],
        }
    }

    /// The program of a step's explicit part.
    fn explicit(self) -> Source {
        source!(kruger2003, "simulation/explicit").with(self.parts())
    }

    /// The program that carries dye.
    fn carry_dye(self) -> Source {
        source!(kruger2003, "simulation/carry_dye").with(self.parts())
    }
}

/// Effect of walls on fluid along them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Walls {
    /// No effect.
    Slip,
    /// The fluid sticks to them; the upper wall moves to the right at this speed.
    Stick {
        /// The speed of the lid.
        lid: f64,
    },
}

impl Walls {
    /// 1 if fluid slips along walls and −1 if it sticks, and the speed of the upper wall.
    fn slip_and_lid(self) -> [f64; 2] {
        match self {
            Self::Slip => [1.0, 0.0],
            Self::Stick { lid } => [-1.0, lid],
        }
    }
}

/// Settings of a fluid. Lengths are in cells; the unit of time is the caller's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FluidSettings {
    /// Columns and rows of cells.
    pub size: Size,
    /// Time step. Default 1.
    pub dt: f64,
    /// Viscosity, in squared cells per unit of time. Default 0.
    pub viscosity: f64,
    /// Effect of walls. Default: the fluid sticks.
    pub walls: Walls,
    /// Interpolation between texels in advection. Default: linear.
    pub interpolation: Interpolation,
    /// Iterations of conjugate gradients per step. Default 4, as in the paper.
    pub iterations: usize,
    /// True to start from the previous step's pressure, as in the paper, and false to start from zero.
    pub warm_start: bool,
    /// Share of the dye that is left after a step. Default 1.
    pub fade: f64,
}

impl FluidSettings {
    /// The paper's settings for a box of this size: semi-Lagrangian advection interpolates linearly, as Stam's does, and
    /// four iterations of the paper's conjugate gradients solve for the pressure.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            size: (width, height),
            dt: 1.0,
            viscosity: 0.0,
            walls: Walls::Stick { lid: 0.0 },
            interpolation: Interpolation::Linear,
            iterations: 4,
            warm_start: true,
            fade: 1.0,
        }
    }

    /// A square box whose lid moves by one cell per unit of time, with this Reynolds number: lid speed
    /// times side over viscosity. The step is as long as the viscosity allows, and at most one
    /// unit of time.
    pub fn cavity(side: u32, reynolds: f64) -> Self {
        Self {
            walls: Walls::Stick { lid: 1.0 },
            ..Self::new(side, side).with_viscosity(f64::from(side) / reynolds)
        }
    }

    /// Sets this viscosity, and a step of one unit of time, or the longest stable step with
    /// a margin of a fifth.
    pub fn with_viscosity(self, viscosity: f64) -> Self {
        Self { dt: (0.8 * longest_step(viscosity)).min(1.0), viscosity, ..self }
    }

    /// Checks the settings, and that the step is stable.
    pub fn check(&self) -> Result<(), Setting> {
        Setting::side(self.size, 4)?;
        let (nu, dt) = (self.viscosity, self.dt);
        Setting::not_negative("the viscosity", nu)?;
        Setting::positive("the time step", dt)?;
        let longest = longest_step(nu);
        let remedy = format!("with this viscosity only steps up to {longest:.4} are stable");
        Setting::check("the time step", dt, dt <= longest, remedy)?;
        if let Walls::Stick { lid } = self.walls {
            Setting::finite("the speed of the lid", lid)?;
        }
        Setting::share("the share of dye left after a step", self.fade)?;
        Setting::at_least("the number of iterations", self.iterations, 1)
    }

    /// −L, for the pressure. It is singular: the pressure is determined only up to a constant.
    pub fn matrix(&self) -> Csr<f64> {
        five_point(self.size, 1.0, |_| 0.0)
    }

    /// Stopping criteria of a step's iterations.
    pub fn criteria(&self) -> Criteria {
        Criteria { rtol: 1e-6, atol: 1e-12, max_iterations: self.iterations, ..Criteria::default() }
    }
}

/// The longest step for which explicit diffusion is stable.
fn longest_step(viscosity: f64) -> f64 {
    1.0 / (4.0 * viscosity)
}

/// Texels around the cells.
const BORDER: u32 = 2;

/// The programs.
struct Kernels {
    trace: Rc<Kernel>,
    explicit: Rc<Kernel>,
    divergence: Rc<Kernel>,
    project: Rc<Kernel>,
    carry_dye: Rc<Kernel>,
    push: Rc<Kernel>,
    strokes: Strokes,
}

impl Kernels {
    fn new(machine: &Machine, interpolation: Interpolation) -> Result<Self, StreamError> {
        Ok(Self {
            trace: machine.kernel(&TRACE, &[])?,
            explicit: machine.kernel(&interpolation.explicit(), &[])?,
            divergence: machine.kernel(&DIVERGENCE, &[])?,
            project: machine.kernel(&PROJECT, &[])?,
            carry_dye: machine.kernel(&interpolation.carry_dye(), &[])?,
            push: machine.kernel(&PUSH, &[])?,
            strokes: Strokes::new(machine)?,
        })
    }
}

/// Fluid in textures: the state never leaves graphics memory.
pub struct Fluid {
    settings: FluidSettings,
    space: TextureSpace,
    matrix: DiagonalMatrix,
    kernels: Kernels,
    /// All cells, in textures with one cell per texel.
    cells: Rects,
    /// All sides of cells, including those on walls.
    sides: Rects,
    /// All texels of a velocity.
    all: Rects,
    /// The velocity; the back texture holds G and F, or a velocity in preparation.
    velocity: Pair,
    /// Origins of the fluid at both faces of each cell.
    from: Stream,
    pressure: Stream,
    b: Stream,
    solver: ListedGradients,
    dye: Pair,
    effort: Effort,
    steps: usize,
}

impl Fluid {
    /// Creates fluid at rest, without dye.
    pub fn at_rest(machine: &Machine, settings: FluidSettings) -> Result<Self, Error> {
        settings.check()?;
        let (width, height) = settings.size;
        let layout = Layout::grid(settings.size, Format::R32F);
        let space = TextureSpace::new(machine, layout)?;
        let matrix = settings.matrix();
        let framed = (width + 2 * BORDER, height + 2 * BORDER);
        let sides = Rect::at([BORDER, BORDER], (width + 1, height + 1));
        Ok(Self {
            settings,
            matrix: DiagonalMatrix::new(machine, layout, &matrix, ProductOptions::default())?,
            kernels: Kernels::new(machine, settings.interpolation)?,
            cells: machine.rect(Rect::of_size(width, height))?,
            sides: machine.rect(sides)?,
            all: machine.rect(Rect::of_size(framed.0, framed.1))?,
            velocity: Pair::zeros(machine, "velocity", framed, Format::Rg32F)?,
            from: Stream::zeros(machine, "origins", framed, Format::Rgba32F)?,
            pressure: space.zeros()?,
            b: space.zeros()?,
            solver: ListedGradients::new(&space)?,
            dye: Pair::zeros(machine, "dye", settings.size, Format::Rgba32F)?,
            space,
            effort: Effort::default(),
            steps: 0,
        })
    }

    /// Settings of the fluid.
    pub fn settings(&self) -> &FluidSettings {
        &self.settings
    }

    /// Takes over other settings for the next steps. Returns false, and changes nothing, if the grid has another size.
    ///
    /// # Errors
    /// Those of [`Fluid::at_rest`].
    pub fn steer(&mut self, settings: FluidSettings) -> Result<bool, Error> {
        settings.check()?;
        if settings.size != self.settings.size {
            return Ok(false);
        }
        if settings.interpolation != self.settings.interpolation {
            self.kernels = Kernels::new(self.space.machine(), settings.interpolation)?;
        }
        self.settings = settings;
        Ok(true)
    }

    /// Sets the velocity by a function of the position, in cells from the lower left corner. It is not
    /// made divergence-free.
    pub fn set_velocity(&mut self, velocity: impl Fn([f64; 2]) -> [f64; 2]) -> Result<(), Error> {
        let (width, height) = self.velocity().size();
        let nodes = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let records: Vec<f32> = nodes
            .flat_map(|(x, y)| {
                let border = f64::from(BORDER);
                let (x, y) = (f64::from(x) - border, f64::from(y) - border);
                [velocity([x, y + 0.5])[0] as f32, velocity([x + 0.5, y])[1] as f32]
            })
            .collect();
        Ok(self.velocity().write(&records)?)
    }

    /// Applies a force along a stroke in the next step: changes the velocity by `change`, each component at its own
    /// faces. The walls keep their velocity.
    pub fn push(&mut self, stroke: &Stroke, change: [f32; 2]) -> Result<(), Error> {
        let [slip, _] = self.settings.walls.slip_and_lid();
        Ok(self.velocity.draw(|velocity, pushed| {
            stroke
                .set(Pass::new(&self.kernels.push))
                .read("before", velocity)
                .set("size", self.settings.size)
                .set("slip", slip as f32)
                .set("change", change)
                .draw(pushed, &self.all)
        })?)
    }

    /// Adds dye along a stroke: this much red, green and blue light.
    pub fn inject(&mut self, stroke: &Stroke, dye: [f32; 3]) -> Result<(), Error> {
        let amount = [dye[0], dye[1], dye[2], 0.0];
        let (strokes, cells) = (&self.kernels.strokes, &self.cells);
        Ok(self.dye.draw(|dye, more| {
            strokes.draw((dye, more), [0.0; 2], (stroke, false), amount, cells)
        })?)
    }

    /// Advances by one time step.
    pub fn step(&mut self) -> Result<(), Error> {
        let dt = self.settings.dt as f32;
        Pass::new(&self.kernels.trace)
            .read("velocity", self.velocity.front())
            .set("size", self.settings.size)
            .set("dt", dt)
            .draw(&self.from, &self.sides)?;
        // §6, Eqs. 5 and 6, u and ∇²u at x − Δt V: G = u + Δt ν ∇²u, and F the same for v
        Pass::new(&self.kernels.explicit)
            .read("velocity", self.velocity.front())
            .read("from", &self.from)
            .set("size", self.settings.size)
            .set("spread", (self.settings.dt * self.settings.viscosity) as f32)
            .draw(self.velocity.back(), &self.sides)?;
        // §6, Eq. 7: −∇²p = b = −(∂G/∂x + ∂F/∂y) / Δt
        self.differentiate(self.velocity.back(), -1.0 / dt, &self.b)?;
        self.solve_for_pressure()?;
        // §6, Eqs. 3 and 4, with a minus: u = G − Δt ∂p/∂x, v = F − Δt ∂p/∂y
        let [slip, lid] = self.settings.walls.slip_and_lid().map(|v| v as f32);
        Pass::new(&self.kernels.project)
            .read("explicit", self.velocity.back())
            .read("pressure", &self.pressure)
            .set("size", self.settings.size)
            .set("dt", dt)
            .set("slip", slip)
            .set("lid", lid)
            .draw(self.velocity.front(), &self.all)?;
        self.dye.draw(|dye, carried| {
            Pass::new(&self.kernels.carry_dye)
                .read("dye", dye)
                .read("velocity", self.velocity.front())
                .set("size", self.settings.size)
                .set("dt", dt)
                .set("fade", self.settings.fade as f32)
                .draw(carried, &self.cells)
        })?;
        self.steps += 1;
        Ok(())
    }

    /// target ← factor × divergence.
    fn differentiate(
        &self,
        velocity: &Stream,
        factor: f32,
        target: &Stream,
    ) -> Result<(), StreamError> {
        Pass::new(&self.kernels.divergence)
            .read("velocity", velocity)
            .set("factor", factor)
            .draw(target, &self.cells)
    }

    /// Solves for the pressure. The matrix is singular, since pressure is determined only up to a constant. Conjugate
    /// gradients never leave the space of right-hand sides with mean zero, to which those of a closed box belong.
    fn solve_for_pressure(&mut self) -> Result<(), Error> {
        if !self.settings.warm_start {
            self.pressure.fill([0.0; 4]);
        }
        let criteria = self.settings.criteria();
        let system: (&dyn Matrix, _) = (&self.matrix, &self.b);
        let (space, pressure) = (&self.space, &mut self.pressure);
        let effort = (self.solver).solve(space, system, pressure, &criteria, |_| ())?;
        self.effort = finite(effort, "the pressure of the fluid", self.steps)?;
        Ok(())
    }

    /// u on the left and v on the lower side of each cell, cell (0, 0) in texel (2, 2).
    pub fn velocity(&self) -> &Stream {
        self.velocity.front()
    }

    /// The pressure, one cell per texel.
    pub fn pressure(&self) -> &Stream {
        &self.pressure
    }

    /// The dye, one cell per texel: red, green and blue light.
    pub fn dye(&self) -> &Stream {
        self.dye.front()
    }

    /// Number of steps done.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Iterations in the last step, and the norm of the pressure's residual after them.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Residual of each cell of the equation for the pressure after the last step's iterations.
    pub fn residuals(&self) -> Result<Stream, Error> {
        let residual = residual(&self.space, &self.matrix, &self.pressure, &self.b);
        Ok(residual?)
    }

    /// The textures with descriptions of their contents.
    pub fn streams(&self) -> Vec<(String, &Stream)> {
        let streams = [
            ("velocity, with its border", self.velocity.front()),
            ("G and F", self.velocity.back()),
            ("pressure", &self.pressure),
            ("b, the right-hand side", &self.b),
            ("dye", self.dye.front()),
        ];
        let streams = streams.map(|(name, stream)| (name.to_owned(), stream));
        streams.into_iter().chain(self.matrix.streams()).collect()
    }

    /// The machine that runs the fluid.
    pub fn machine(&self) -> &Machine {
        self.space.machine()
    }

    /// Root mean square divergence of the cells.
    pub fn divergence(&self) -> Result<f64, Error> {
        let divergence = self.space.zeros()?;
        self.differentiate(self.velocity.front(), 1.0, &divergence)?;
        let sum = self.space.reduce(Reduce::Sum, &divergence, Some(&divergence))?;
        Ok((sum / self.space.layout().length() as f64).sqrt())
    }

    /// Reads the velocity back, for tests and tables: u on the left and v on the lower side of each
    /// cell, rows from the bottom up; one more column and row than there are cells.
    pub fn read_velocity(&self) -> Result<Vec<[f32; 2]>, Error> {
        let (width, height) = self.settings.size;
        let all = self.velocity.front().read()?;
        let (columns, border) = (self.velocity.front().width(), BORDER);
        let nodes = (0..=height).flat_map(|y| (0..=width).map(move |x| (x, y)));
        let record = |(x, y)| 2 * ((y + border) * columns + x + border) as usize;
        Ok(nodes.map(record).map(|k| [all[k], all[k + 1]]).collect())
    }
}
