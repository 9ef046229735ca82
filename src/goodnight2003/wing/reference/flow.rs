//! The flow around a body: the GPU's passes, step by step.

use std::f64::consts::TAU;

use super::formulas::{Flow, Lattice, Node, Step, Vorticity, stream_function};
use super::poisson::solve;
use crate::goodnight2003::wing::body::Body;
use crate::goodnight2003::wing::forces::{Forces, Surface};
use crate::goodnight2003::wing::motion::Motion;
use crate::goodnight2003::wing::potential::undisturbed;

/// A lattice around a body, given columns, rows with the replica, and the far radius.
pub fn lattice(body: &Body, columns: usize, rows: usize, radius: f64) -> Lattice {
    Lattice {
        columns,
        rows,
        step_xi: (radius / body.circle_radius()).ln() / (columns - 1) as f64,
        step_eta: TAU / (rows - 1) as f64,
    }
}

/// The nodes of a lattice.
pub fn nodes(body: &Body, lattice: &Lattice) -> Vec<Node> {
    let node = |(i, j): (isize, isize)| {
        let (xi, eta) = (i as f64 * lattice.step_xi, j as f64 * lattice.step_eta);
        let h = body.stretch(xi, eta);
        Node {
            place: body.place(xi, eta),
            area: h * h,
            ratio: 1.0,
        }
    };
    lattice.nodes().map(node).collect()
}

/// The operator of conformal coordinates.
fn operator(lattice: &Lattice) -> Vec<[f64; 4]> {
    let (across, along) = (
        lattice.step_eta / lattice.step_xi,
        lattice.step_xi / lattice.step_eta,
    );
    let last = lattice.columns as isize - 1;
    let row = |(i, _): (isize, isize)| {
        let share = if i == 0 || i == last { 0.5 } else { 1.0 };
        let west = if i == 0 { 0.0 } else { across };
        let east = if i == last { 0.0 } else { across };
        [west, east, share * along, share * along]
    };
    lattice.nodes().map(row).collect()
}

/// The potential flows for u, v, Ω and the circulation of one.
fn potentials(lattice: &Lattice, nodes: &[Node]) -> Vec<[f64; 4]> {
    let zero = vec![0.0; nodes.len()];
    let mut flows = vec![[0.0; 4]; nodes.len()];
    for k in 0..4 {
        let slope = if k == 3 { -1.0 / TAU } else { 0.0 };
        let undisturbed = |node: &Node| undisturbed(node.place).get(k).copied().unwrap_or(0.0);
        let body = nodes.iter().step_by(lattice.columns);
        let wall: Vec<f64> = body.map(|node| -undisturbed(node)).collect();
        let disturbance = solve(lattice, &zero, &wall, slope);
        for ((flow, node), disturbance) in flows.iter_mut().zip(nodes).zip(disturbance) {
            flow[k] = undisturbed(node) + disturbance;
        }
    }
    flows
}

/// The flow, all in double precision.
pub struct Reference {
    /// The current flow.
    pub flow: Flow,
    potentials: Vec<[f64; 4]>,
    surface: Surface,
    motion: Motion,
    viscosity: f64,
    circulation: f64,
    /// The time that has passed.
    pub time: f64,
    last_step: f64,
}

impl Reference {
    /// The potential flow, with the vortex sheet on the body that makes the fluid stick.
    pub fn new(body: &Body, lattice: Lattice, motion: Motion, reynolds: f64) -> Self {
        let nodes = nodes(body, &lattice);
        let body = || nodes.iter().step_by(lattice.columns).take(lattice.rows - 1);
        let surface = Surface {
            places: body().map(|node| node.place).collect(),
            across: body().map(|node| node.area.sqrt()).collect(),
            step_xi: lattice.step_xi,
        };
        let start = Vorticity {
            value: -2.0 * motion.frame(0.0).turn,
            tendency: 0.0,
        };
        let mut this = Self {
            potentials: potentials(&lattice, &nodes),
            flow: Flow {
                operator: operator(&lattice),
                vorticity: vec![start; nodes.len()],
                psi: Vec::new(),
                lattice,
                nodes,
            },
            surface,
            motion,
            viscosity: 1.0 / reynolds,
            circulation: 0.0,
            time: 0.0,
            last_step: 0.0,
        };
        this.find_stream_function();
        this
    }

    /// ψ and the vorticity on the body from the vorticity inside.
    fn find_stream_function(&mut self) {
        let (frame, flow) = (self.motion.frame(self.time), &mut self.flow);
        let still = vec![0.0; flow.lattice.rows];
        let solution = solve(&flow.lattice, &flow.source(2.0 * frame.turn), &still, 0.0);
        let [u, v] = frame.stream;
        let motion = [u, v, frame.turn, self.circulation];
        flow.psi = stream_function(&self.potentials, &solution, motion);
        flow.vorticity = flow.wall();
    }

    /// Advances by one step of this length.
    pub fn step(&mut self, dt: f64) {
        let turn = |t| 2.0 * self.motion.frame(t).turn;
        let weight = if self.last_step > 0.0 {
            0.5 * dt / self.last_step
        } else {
            0.0
        };
        let step = Step {
            weights: [dt * (1.0 + weight), -dt * weight],
            viscosity: self.viscosity,
            turn: [turn(self.time), turn(self.time + dt)],
        };
        let probe = self.flow.probe(step.turn[0]);
        let leaving: f64 = probe[1..].iter().map(|[.., leaving]| leaving).sum();
        self.flow.vorticity = self.flow.transport(&step);
        self.circulation -= dt * leaving;
        self.time += dt;
        self.last_step = dt;
        self.find_stream_function();
    }

    /// The current force on the body.
    pub fn forces(&self) -> Forces {
        let frame = self.motion.frame(self.time);
        let mut probe = self.flow.probe(2.0 * frame.turn);
        probe.pop();
        let near: Vec<[f64; 3]> = probe.iter().map(|&[a, b, c, _]| [a, b, c]).collect();
        self.surface.forces(&frame, self.viscosity, &near)
    }
}
