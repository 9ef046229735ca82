//! The flow in time (goodnight2003 §5.3, equations 4 to 6).
//!
//! In the frame of the body the vorticity ζ changes by
//!
//!   ∂ζ/∂t = −u·∇ζ + ∇²ζ/Re − 2θ̈.
//!
//! The last term is correct as printed: in a frame at rest the vorticity is ω = ζ + 2θ̇, since a frame that
//! turns at the rate θ̇ (counter-clockwise) subtracts 2θ̇, and in two dimensions ω is only carried and
//! diffused: Dω/Dt = ∇²ω/Re. Substitute ζ + 2θ̇. Heaving and lagging add nothing, since
//! the acceleration that they add has no curl.
//!
//! **Explicit differences instead of semi-Lagrangian advection.** Stam's step (bolz2003, kruger2003) is stable
//! for steps of any length, but smooths by interpolation: at Re 100 more strongly than viscosity, and
//! the wake's frequency depends on the Reynolds number. Here fluxes through faces are differences of ψ,
//! so no vorticity is created or lost inside; a face carries the third-order upwind cubic (whose
//! dissipation is of the fourth derivative); in time, the formula of Adams and Bashforth is of second
//! order, with one solve per step. The price is a bound on the step, from the smallest cell's diffusion and
//! from the fastest cell's flow; it is measured every tenth step.
//!
//! **Boundaries.** On the body, Woods's formula of second order makes the fluid stick (`wall.frag`).
//! Far away vorticity leaves with the fluid, and fluid that enters has none. The circulation around the grid
//! decreases (Kelvin) by exactly the vorticity that the transport carried out; otherwise the
//! difference would appear around the body, as lift.
//!
//! | pass | reads | writes |
//! |---|---|---|
//! | `transport`, `far` | ζ, ψ | next ζ |
//! | `source` | next ζ, the solver's state | the solver's state |
//! | cycles of the solver | | |
//! | `wing_stream_function` | potential flows, the solver's state | ψ |
//! | `wall`, `copy` | next ζ, ψ | ζ |

use super::forces::Forces;
use super::grid::WingGrid;
use super::kernels::WingKernels;
use super::motion::Frame;
use super::potential;
use super::settings::WingSettings;
use crate::goodnight2003::{Error, Metric, Norm, Settings, Solver, Test};
use crate::scene::NotFinite;
use crate::stream::{Edges, Format, Kernel, Machine, Pass, Rect, Rects, Reduce, Reduction, Stream};

/// Steps between two samples read back by the CPU.
const SAMPLE_EVERY: usize = 10;

/// A sample of the flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Number of steps done.
    pub steps: usize,
    /// Time.
    pub time: f64,
    /// The force on the body.
    pub forces: Forces,
    /// The circulation around the grid, counter-clockwise.
    pub circulation: f64,
    /// The length of the next steps.
    pub step: f64,
}

/// The flow around a body, in textures.
pub struct Wing {
    settings: WingSettings,
    kernels: WingKernels,
    grid: WingGrid,
    solver: Solver,
    potentials: Stream,
    /// ζ and its change.
    vorticity: Stream,
    next: Stream,
    psi: Stream,
    rate: Stream,
    fastest: Reduction,
    probe: Stream,
    probe_rows: Rects,
    circulation: f64,
    /// Outflow of vorticity per unit of time.
    leaving: f64,
    time: f64,
    step: f64,
    last_step: f64,
    steps: usize,
    history: Vec<Sample>,
}

impl Wing {
    /// The potential flow past the body, with the vortex sheet on it that makes the fluid stick.
    pub fn new(machine: &Machine, settings: WingSettings) -> Result<Self, Error> {
        settings.check()?;
        let coordinates = settings.coordinates.clone();
        let coordinates: Metric = coordinates.unwrap_or_else(|| settings.body.metric());
        let kernels = WingKernels::new(machine, &coordinates)?;
        let grid = WingGrid::new(machine, &settings, coordinates, &kernels)?;
        let problem = grid.problem(|_| 0.0, 0.0)?;
        // Single precision stagnates at the potential flows, which a number of nodes does not show. The steps do not test.
        let tested = Settings { norm: Norm::L2, test: Test::Reduction, ..settings.solver.clone() };
        let mut solver = Solver::new(machine, &problem, &tested)?;
        let flows = potential::solve(&mut solver, &grid)?;
        let size = settings.size;
        let stream = |label, format| Stream::zeros(machine, label, size, format);
        let rows = Rect::of_size(1, size.1);
        let texels: Vec<f32> = flows.iter().flatten().map(|v| *v as f32).collect();
        let mut this = Self {
            potentials: Stream::from_data(
                machine,
                "potential flows",
                size,
                Format::Rgba32F,
                &texels,
            )?,
            vorticity: stream("vorticity", Format::Rg32F)?,
            next: stream("next vorticity", Format::Rg32F)?,
            psi: stream("stream function", Format::R32F)?,
            rate: stream("rate", Format::R32F)?,
            fastest: Reduction::new(machine, size, Format::R32F, Reduce::Maximum, Edges::Padded)?,
            probe: Stream::zeros(machine, "probe", (1, size.1), Format::Rgba32F)?,
            probe_rows: machine.rect(rows)?,
            solver,
            grid,
            kernels,
            settings,
            circulation: 0.0,
            leaving: 0.0,
            time: 0.0,
            step: 0.0,
            last_step: 0.0,
            steps: 0,
            history: Vec::new(),
        };
        this.begin()?;
        Ok(this)
    }

    /// Starts with the rotation of the frame as the only vorticity.
    fn begin(&mut self) -> Result<(), Error> {
        let frame = self.frame();
        self.next.fill([-(double_turn(&frame)), 0.0, 0.0, 0.0]);
        self.find_stream_function(&frame)?;
        self.impose_wall()?;
        self.sample()
    }

    /// Advances by one step, and takes a sample every tenth time.
    pub fn step(&mut self) -> Result<(), Error> {
        let before = self.frame();
        let after = self.settings.motion.frame(self.time + self.step);
        self.transport([double_turn(&before), double_turn(&after)])?;
        self.circulation -= self.step * self.leaving;
        self.time += self.step;
        self.last_step = self.step;
        self.steps += 1;
        self.solve_for_stream_function(double_turn(&after))?;
        self.find_stream_function(&after)?;
        self.impose_wall()?;
        if self.steps.is_multiple_of(SAMPLE_EVERY) {
            self.sample()?;
        }
        Ok(())
    }

    /// next ← ζ inside and far away, one step later
    fn transport(&self, turn: [f32; 2]) -> Result<(), Error> {
        let ratio = if self.last_step > 0.0 { 0.5 * self.step / self.last_step } else { 0.0 };
        let weights = [self.step * (1.0 + ratio), -self.step * ratio];
        // §5.3, Eq. 4: ∂ζ/∂t = −u·∇ζ + ∇²ζ/Re − 2θ̈
        self.of_volumes(&self.kernels.transport)
            .read("vorticity", &self.vorticity)
            .set("weights", weights.map(|weight| weight as f32))
            .set("turn", turn)
            .draw(&self.next, &self.grid.inside)?;
        Pass::new(&self.kernels.far)
            .read("vorticity", &self.vorticity)
            .read("psi", &self.psi)
            .set("size", self.grid.size())
            .set("turn", turn)
            .draw(&self.next, &self.grid.far)?;
        Ok(())
    }

    /// A pass with the fluxes through the faces of control volumes as inputs.
    fn of_volumes<'a>(&'a self, kernel: &'a Kernel) -> Pass<'a> {
        // §5.3, Eq. 5: u = ∂ψ/∂y, v = −∂ψ/∂x, as the flow through faces
        Pass::new(kernel)
            .read("psi", &self.psi)
            .read("nodes", &self.grid.nodes)
            .read("operator", &self.solver.maps().operator)
            .set("size", self.grid.size())
            .set("cell", self.grid.cell())
            .set("viscosity", self.viscosity() as f32)
    }

    /// Solves for the part of ψ due to the vorticity.
    fn solve_for_stream_function(&mut self, turn: f32) -> Result<(), Error> {
        let (kernels, grid, next) = (&self.kernels, &self.grid, &self.next);
        // §5.3, Eq. 6: F = −V (ζ + 2θ̇); the potential flows account for −2θ̇
        self.solver.update(|state, target, rects| {
            Pass::new(&kernels.source)
                .read("state", state)
                .read("vorticity", next)
                .read("nodes", &grid.nodes)
                .set("size", grid.size())
                .set("cell", grid.cell())
                .set("turn", turn)
                .draw(target, rects)
        })?;
        for _ in 0..self.settings.cycles {
            self.solver.cycle()?;
        }
        Ok(())
    }

    /// ψ, from the motion of the frame and the vorticity.
    fn find_stream_function(&self, frame: &Frame) -> Result<(), Error> {
        let [u, v] = frame.stream;
        let motion = [u, v, frame.turn, self.circulation].map(|value| value as f32);
        Pass::new(&self.kernels.stream_function)
            .read("potentials", &self.potentials)
            .read("solution", self.solver.state().0)
            .set("motion", motion)
            .draw(&self.psi, &self.grid.all)?;
        Ok(())
    }

    /// ζ ← next, with the vorticity on the body that makes the fluid stick.
    fn impose_wall(&self) -> Result<(), Error> {
        Pass::new(&self.kernels.wall)
            .read("vorticity", &self.next)
            .read("psi", &self.psi)
            .read("nodes", &self.grid.nodes)
            .set("step_xi", self.grid.steps()[0] as f32)
            .draw(&self.vorticity, &self.grid.body)?;
        Pass::new(&self.kernels.copy)
            .read("x", &self.next)
            .draw(&self.vorticity, &self.grid.off_body)?;
        Ok(())
    }

    /// Takes a sample: the force, the circulation, the length of the next steps.
    fn sample(&mut self) -> Result<(), Error> {
        let frame = self.frame();
        self.of_volumes(&self.kernels.rate).draw(&self.rate, &self.grid.inside)?;
        Pass::new(&self.kernels.probe)
            .read("vorticity", &self.vorticity)
            .read("psi", &self.psi)
            .set("size", self.grid.size())
            .set("turn", double_turn(&frame))
            .draw(&self.probe, &self.probe_rows)?;
        let rate = f64::from(self.fastest.of(&self.rate)?[0]);
        let texels = self.probe.read()?;
        let (rows, _) = texels[..texels.len() - 4].as_chunks::<4>();
        let is_finite = rows.as_flattened().iter().all(|value| value.is_finite());
        if !(rate.is_finite() && rate > 0.0 && is_finite) {
            return Err(Error::LostFlow(NotFinite {
                what: "the vorticity",
                steps: self.steps,
                remedy: "take a finer grid or a smaller Courant number",
            }));
        }
        self.step = self.settings.courant / rate;
        self.leaving = rows.iter().map(|[.., out]| f64::from(*out)).sum();
        let near = rows.iter().map(|&[a, b, c, _]| [a, b, c].map(f64::from));
        let near: Vec<[f64; 3]> = near.collect();
        self.history.push(Sample {
            steps: self.steps,
            time: self.time,
            forces: self.grid.surface.forces(&frame, self.viscosity(), &near),
            circulation: self.circulation,
            step: self.step,
        });
        Ok(())
    }

    /// The current frame of the body.
    pub fn frame(&self) -> Frame {
        self.settings.motion.frame(self.time)
    }

    /// Number of steps done.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Time: chords travelled by the fluid far away.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The samples, the first at time zero.
    pub fn history(&self) -> &[Sample] {
        &self.history
    }

    /// The settings.
    pub fn settings(&self) -> &WingSettings {
        &self.settings
    }

    /// The potential flows, one node per texel: for u, v, Ω and the circulation of one.
    pub fn potential_flows(&self) -> &Stream {
        &self.potentials
    }

    /// .x ζ in the frame of the body, .y its last change; one node per texel.
    pub fn vorticity(&self) -> &Stream {
        &self.vorticity
    }

    /// ψ in the frame of the body, one node per texel.
    pub fn stream_function(&self) -> &Stream {
        &self.psi
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &Metric {
        &self.grid.coordinates
    }

    /// Δξ and Δη.
    pub fn spacing(&self) -> [f64; 2] {
        self.grid.steps()
    }

    /// The machine that runs the flow.
    pub fn machine(&self) -> &Machine {
        self.psi.machine()
    }

    fn viscosity(&self) -> f64 {
        1.0 / self.settings.reynolds
    }
}

/// 2θ̇, as kernels take it: the same number at the end of a step and at the beginning of the next.
pub(super) fn double_turn(frame: &Frame) -> f32 {
    2.0 * frame.turn as f32
}
