//! The fluid in motion: Stam's step (Bolz et al. 2003, section 4.1).

use std::rc::Rc;

use crate::bolz2003::Error;
use crate::scene::NotFinite;
use crate::solver::{Hierarchy, Multigrid, VectorSpace};
use crate::stream::{Format, Pair, Pass, Stream, StreamError};

use super::domain::Domain;

use crate::bolz2003::grid::hierarchy::GridHierarchy;

/// Divergence of the velocity around a projection, per unit of time: root mean square, over the nodes, of its
/// integral over their control volumes, which are squares of one grid space inside the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// Central differences before the projection.
    pub before: f64,
    /// Central differences after it.
    pub after: f64,
    /// Divergence of the velocities between nodes after it: the residual of the Poisson equation.
    pub residual: f64,
}

/// A body force along a line for one step. Lengths are in grid spaces from the lower left node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// The ends of the line, which may be equal.
    pub ends: [[f32; 2]; 2],
    /// Distance from the line at which the force has decreased to 1/e.
    pub radius: f32,
    /// Force per unit mass on the line.
    pub force: [f32; 2],
}

type Solver = Multigrid<GridHierarchy, Rc<GridHierarchy>>;

/// The velocity of the fluid in a domain, and the streams of a step.
pub struct Fluid {
    pub(super) domain: Rc<Domain>,
    pressure: Solver,
    viscous: Option<[Solver; 2]>,
    /// One node per texel: the input of advection.
    velocity: Pair,
    force: Option<Stream>,
    /// Strokes that act in the next step.
    strokes: Vec<Stroke>,
    /// Velocities along the open side.
    strips: Stream,
    correction: Stream,
    /// u_x and u_y, layered: the input of the solvers.
    components: [Stream; 2],
    b: Stream,
    /// The pressure times Δt.
    q: Stream,
    spare: Stream,
    pub(super) steps: u64,
}

impl Fluid {
    /// Creates a fluid at rest.
    pub fn at_rest(domain: &Rc<Domain>) -> Result<Self, Error> {
        let settings = domain.settings();
        let multigrid = |of: &Rc<GridHierarchy>| Multigrid::new(Rc::clone(of), settings.cycle);
        let layered = |label: &str| domain.pressure.grid().zeros(label);
        let machine = domain.machine();
        let strips = domain.strips.list()[0];
        let strips = (strips.width, strips.height);
        Ok(Self {
            pressure: multigrid(&domain.pressure)?,
            viscous: match &domain.viscous {
                None => None,
                Some([x, y]) => Some([multigrid(x)?, multigrid(y)?]),
            },
            velocity: domain.plain_pair("velocity", Format::Rg32F)?,
            force: None,
            strokes: Vec::new(),
            strips: Stream::zeros(machine, "outflow", strips, Format::R32F)?,
            correction: Stream::zeros(machine, "outflow correction", (1, 1), Format::R32F)?,
            components: [layered("u_x")?, layered("u_y")?],
            b: layered("divergence")?,
            q: layered("pressure")?,
            spare: layered("spare")?,
            steps: 0,
            domain: Rc::clone(domain),
        })
    }

    /// Number of steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The velocity, one node per texel, in grid spaces per unit of time.
    pub fn velocity(&self) -> &Stream {
        self.velocity.front()
    }

    /// The pressure of the last step times Δt, layered, up to a constant.
    pub fn pressure(&self) -> &Stream {
        &self.q
    }

    /// Sets the velocity of every node, in the order of the nodes and in grid spaces per unit of time.
    pub fn set_velocity(&mut self, velocity: &[[f32; 2]]) -> Result<(), Error> {
        Ok(self.velocity.front().write(velocity.as_flattened())?)
    }

    /// Sets the body force per unit mass at every node, in the order of the nodes, from the next step on.
    /// A force of zero costs nothing.
    pub fn set_force(&mut self, force: &[[f32; 2]]) -> Result<(), Error> {
        if force.iter().flatten().all(|&component| component == 0.0) {
            self.force = None;
            return Ok(());
        }
        let stream = match self.force.take() {
            Some(stream) => stream,
            None => self.domain.plain("force", Format::Rg32F)?,
        };
        stream.write(force.as_flattened())?;
        self.force = Some(stream);
        Ok(())
    }

    /// Applies a force along a stroke in the next step.
    pub fn push(&mut self, stroke: Stroke) {
        self.strokes.push(stroke);
    }

    /// Advances by one step.
    pub fn step(&mut self) -> Result<(), Error> {
        self.move_freely()?;
        Ok(self.projection()?)
    }

    /// Advances by one step and measures the divergence before and after its projection.
    pub fn measured_step(&mut self) -> Result<Divergence, Error> {
        self.move_freely()?;
        self.measured_projection()
    }

    /// Projects the velocity without moving it: imposes the sides, then solves for the pressure.
    pub fn project(&mut self) -> Result<Divergence, Error> {
        self.impose_sides(self.velocity.front())?;
        self.measured_projection()
    }

    /// Does everything of a step except the projection: u* in layers.
    fn move_freely(&mut self) -> Result<(), Error> {
        self.advect()?;
        self.add_force()?;
        self.impose_sides(self.velocity.front())?;
        self.diffuse()?;
        self.steps += 1;
        Ok(())
    }

    /// u ← C(u, −Δt u)
    fn advect(&mut self) -> Result<(), StreamError> {
        let domain = &self.domain;
        self.velocity.draw(|velocity, advected| {
            // §4.1.1: u_adv = C(u, −Δt u)
            Pass::new(&domain.kernels.advect)
                .read("quantity", velocity)
                .read("velocity", velocity)
                .set("dt", domain.settings().dt as f32)
                .set("extent", domain.last())
                .draw(advected, &domain.nodes)
        })
    }

    /// u ← u + Δt force, and the same for strokes
    fn add_force(&mut self) -> Result<(), StreamError> {
        let domain = &self.domain;
        let dt = domain.settings().dt as f32;
        for Stroke { ends: [a, b], radius, force } in self.strokes.drain(..) {
            self.velocity.draw(|velocity, pushed| {
                Pass::new(&domain.kernels.stroke)
                    .read("velocity", velocity)
                    .set("a", a)
                    .set("b", b)
                    // The program divides by it.
                    .set("radius", radius.max(1e-3))
                    .set("change", force.map(|component| dt * component))
                    .draw(pushed, &domain.nodes)
            })?;
        }
        let Some(force) = &self.force else {
            return Ok(());
        };
        self.velocity.draw(|velocity, pushed| {
            Pass::new(&domain.kernels.add_force)
                .read("velocity", velocity)
                .read("force", force)
                .set("dt", dt)
                .draw(pushed, &domain.nodes)
        })
    }

    /// components ← velocity, layered, with the conditions on the sides.
    fn impose_sides(&self, velocity: &Stream) -> Result<(), StreamError> {
        let domain = &self.domain;
        if let Some(inlet) = domain.settings().inlet {
            self.balance_outflow(velocity, inlet.flux())?;
        }
        let grid = domain.pressure.grid();
        for (kernel, component) in domain.kernels.layer_velocity.iter().zip(&self.components) {
            grid.draw(kernel, component, |pass| {
                pass.read("velocity", velocity)
                    .read("sides", &domain.sides)
                    .read("correction", &self.correction)
                    .set("stride", grid.stride())
            })?;
        }
        Ok(())
    }

    /// correction ← the velocity to be added along the open side so that inflow and outflow balance.
    fn balance_outflow(&self, velocity: &Stream, inflow: f64) -> Result<(), StreamError> {
        let domain = &self.domain;
        let last = domain.last();
        Pass::new(&domain.kernels.outflow_strips)
            .read("velocity", velocity)
            .set("last", last)
            .draw(&self.strips, &domain.strips)?;
        Pass::new(&domain.kernels.outflow_correction)
            .read("strips", &self.strips)
            .set("inflow", inflow as f32)
            .set("height", last[1])
            .draw(&self.correction, &domain.one)
    }

    /// (1 − ν Δt ∇²) u* = u for each component. Solved for the change of u, which is zero
    /// where the velocity is prescribed.
    fn diffuse(&mut self) -> Result<(), StreamError> {
        let Some(viscous) = &mut self.viscous else {
            return Ok(());
        };
        let cycles = self.domain.settings().cycles;
        let laplacian = self.domain.pressure.level(0);
        for (multigrid, component) in viscous.iter_mut().zip(&mut self.components) {
            // §4.1, Eq. 2 for δ = u* − u, divided by ν Δt: (1/νΔt − ∇²) δ = ∇²u
            self.q.fill([0.0; 4]);
            laplacian.residual(&self.q, component, &self.b)?;
            multigrid.cycles(cycles, &self.b, &mut self.spare)?;
            let space = self.domain.pressure.space();
            space.axpy(component, 1.0, &self.spare)?;
        }
        Ok(())
    }

    /// u ← u − ∇q, where A q = b = −∇·u is solved by V-cycles from zero.
    fn projection(&mut self) -> Result<(), StreamError> {
        self.draw_divergence(&self.b)?;
        // §4.1, Eq. 3 for q = Δt p: −∇²q = b = −∇·u*
        let cycles = self.domain.settings().cycles;
        self.pressure.cycles(cycles, &self.b, &mut self.q)?;
        // §4.1: u = u* − Δt ∇p = u* − ∇q
        self.subtract_gradient()?;
        self.unlayer()
    }

    fn draw_divergence(&self, target: &Stream) -> Result<(), StreamError> {
        let [u_x, u_y] = &self.components;
        let grid = self.domain.pressure.grid();
        grid.draw(&self.domain.kernels.divergence, target, |pass| {
            pass.read("u_x", u_x).read("u_y", u_y)
        })
    }

    /// u ← u − ∇q, layered.
    fn subtract_gradient(&mut self) -> Result<(), StreamError> {
        let domain = &self.domain;
        let grid = domain.pressure.grid();
        let kernels = &domain.kernels.subtract_gradient;
        for (kernel, component) in kernels.iter().zip(&mut self.components) {
            grid.draw(kernel, &self.spare, |pass| pass.read("u", component).read("q", &self.q))?;
            std::mem::swap(component, &mut self.spare);
        }
        Ok(())
    }

    /// u, one node per texel.
    fn unlayer(&self) -> Result<(), StreamError> {
        let domain = &self.domain;
        let [u_x, u_y] = &self.components;
        Pass::new(&domain.kernels.unlayer_velocity)
            .read("u_x", u_x)
            .read("u_y", u_y)
            .set("stride", domain.pressure.grid().stride())
            .draw(self.velocity.front(), &domain.nodes)
    }

    fn measured_projection(&mut self) -> Result<Divergence, Error> {
        self.projection()?;
        let pressure = &self.domain.pressure;
        let mean = |norm: f64| norm / (self.domain.grid().nodes() as f64).sqrt();
        let before = mean(pressure.norm(&self.b)?);
        let residual = mean(pressure.residual_norm(&self.b, &self.q)?);
        self.draw_divergence(&self.spare)?;
        let after = mean(pressure.norm(&self.spare)?);
        if !(before + after + residual).is_finite() {
            return Err(Error::Diverged(NotFinite {
                what: "the velocity",
                steps: self.steps as usize,
                remedy: "take a smaller time step or velocity",
            }));
        }
        Ok(Divergence { before, after, residual })
    }
}
