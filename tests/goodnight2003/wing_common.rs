//! The flow round a body in double precision on the CPU: the kernels' twins, and the discrete
//! Poisson equation solved exactly, by Fourier's method round the body and elimination outwards.

#![allow(dead_code)] // not every test uses all of it

use std::f64::consts::{PI, TAU};

use fragstream::goodnight2003::wing::body::Body;
use fragstream::goodnight2003::wing::forces::{Forces, Surface};
use fragstream::goodnight2003::wing::motion::Motion;

use crate::wing_formulas::{self as twin, Lattice, Node, Step, Vorticity};

/// Columns, rows with the replica, and the far radius of a lattice round a body.
pub fn lattice(body: &Body, columns: usize, rows: usize, radius: f64) -> Lattice<f64> {
    Lattice {
        columns,
        rows,
        step_xi: (radius / body.circle_radius()).ln() / (columns - 1) as f64,
        step_eta: TAU / (rows - 1) as f64,
    }
}

/// The nodes of a lattice.
pub fn nodes(body: &Body, lattice: &Lattice<f64>) -> Vec<Node<f64>> {
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
pub fn operator(lattice: &Lattice<f64>) -> Vec<[f64; 4]> {
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

/// Solves the equations of [`operator`] with U = `wall` on the body and ∂U/∂ξ = `slope` far away,
/// for a power of two rows and the replica.
pub fn solve(lattice: &Lattice<f64>, f: &[f64], wall: &[f64], slope: f64) -> Vec<f64> {
    let (m, n) = (lattice.columns, lattice.rows - 1);
    assert!(n.is_power_of_two());
    let (across, along) = (
        lattice.step_eta / lattice.step_xi,
        lattice.step_xi / lattice.step_eta,
    );
    let transform = |column: &dyn Fn(usize) -> f64| {
        let mut z: Vec<[f64; 2]> = (0..n).map(|j| [column(j), 0.0]).collect();
        fourier(&mut z, -1.0);
        z
    };
    let mut columns: Vec<Vec<[f64; 2]>> = (0..m).map(|i| transform(&|j| f[j * m + i])).collect();
    columns[0] = transform(&|j| wall[j]);
    // Flow through the far end: s γ = Δη slope.
    columns[m - 1][0][0] -= n as f64 * lattice.step_eta * slope;
    for k in 0..n {
        let bend = 2.0 * along * ((TAU * k as f64 / n as f64).cos() - 1.0);
        for part in 0..2 {
            let right: Vec<f64> = columns.iter().map(|column| column[k][part]).collect();
            let solution = eliminate(&right, across, bend);
            for (column, u) in columns.iter_mut().zip(solution) {
                column[k][part] = u;
            }
        }
    }
    let mut u = vec![0.0; m * (n + 1)];
    for (i, column) in columns.iter_mut().enumerate() {
        fourier(column, 1.0);
        for j in 0..=n {
            u[j * m + i] = column[j % n][0] / n as f64;
        }
    }
    u
}

/// One mode, from the body outwards: U_i = p_i + q_i U_{i+1}.
fn eliminate(right: &[f64], across: f64, bend: f64) -> Vec<f64> {
    let (mut p, mut q) = (vec![right[0]], vec![0.0]);
    for i in 1..right.len() {
        let (east, diagonal) = if i + 1 == right.len() {
            (0.0, -across + 0.5 * bend)
        } else {
            (across, -2.0 * across + bend)
        };
        let pivot = diagonal + across * q[i - 1];
        p.push((right[i] - across * p[i - 1]) / pivot);
        q.push(-east / pivot);
    }
    let mut u = 0.0;
    for (p, q) in p.iter_mut().zip(&q).rev() {
        u = *p + q * u;
        *p = u;
    }
    p
}

/// Σ z_j e^{± 2πi jk/n}, in place.
fn fourier(z: &mut [[f64; 2]], sign: f64) {
    let n = z.len();
    if n == 1 {
        return;
    }
    let half =
        |offset: usize| -> Vec<[f64; 2]> { z[offset..].iter().step_by(2).copied().collect() };
    let (mut even, mut odd) = (half(0), half(1));
    fourier(&mut even, sign);
    fourier(&mut odd, sign);
    for k in 0..n / 2 {
        let (s, c) = (sign * 2.0 * PI * k as f64 / n as f64).sin_cos();
        let t = [c * odd[k][0] - s * odd[k][1], s * odd[k][0] + c * odd[k][1]];
        z[k] = [even[k][0] + t[0], even[k][1] + t[1]];
        z[k + n / 2] = [even[k][0] - t[0], even[k][1] - t[1]];
    }
}

/// The stream functions of the undisturbed fluid for u, v and Ω of one, in the frame of the body.
pub fn undisturbed([x, y]: [f64; 2]) -> [f64; 3] {
    [y, -x, 0.5 * (x * x + y * y)]
}

/// The potential flows for u, v, Ω and the circulation of one.
pub fn potentials(lattice: &Lattice<f64>, nodes: &[Node<f64>]) -> Vec<[f64; 4]> {
    let (m, zero) = (lattice.columns, vec![0.0; nodes.len()]);
    let wall = |k: usize| -> Vec<f64> {
        (0..lattice.rows)
            .map(|j| -undisturbed(nodes[j * m].place)[k])
            .collect()
    };
    let none = vec![0.0; lattice.rows];
    let parts: Vec<Vec<f64>> = (0..3)
        .map(|k| solve(lattice, &zero, &wall(k), 0.0))
        .collect();
    let turning = solve(lattice, &zero, &none, -1.0 / TAU);
    (0..nodes.len())
        .map(|k| {
            let [a, b, c] = undisturbed(nodes[k].place);
            [
                a + parts[0][k],
                b + parts[1][k],
                c + parts[2][k],
                turning[k],
            ]
        })
        .collect()
}

/// The flow.
pub struct Reference {
    pub lattice: Lattice<f64>,
    pub nodes: Vec<Node<f64>>,
    pub operator: Vec<[f64; 4]>,
    pub potentials: Vec<[f64; 4]>,
    pub vorticity: Vec<Vorticity<f64>>,
    pub psi: Vec<f64>,
    pub surface: Surface,
    pub motion: Motion,
    pub viscosity: f64,
    pub circulation: f64,
    pub time: f64,
    pub last_step: f64,
}

impl Reference {
    /// The potential flow.
    pub fn new(body: &Body, lattice: Lattice<f64>, motion: Motion, reynolds: f64) -> Self {
        let nodes = nodes(body, &lattice);
        let surface = Surface {
            places: (0..lattice.rows - 1)
                .map(|j| nodes[j * lattice.columns].place)
                .collect(),
            across: (0..lattice.rows - 1)
                .map(|j| nodes[j * lattice.columns].area.sqrt())
                .collect(),
            step_xi: lattice.step_xi,
        };
        let turn = motion.frame(0.0).turn;
        let mut this = Self {
            potentials: potentials(&lattice, &nodes),
            operator: operator(&lattice),
            vorticity: vec![
                Vorticity {
                    value: -2.0 * turn,
                    tendency: 0.0
                };
                nodes.len()
            ],
            psi: Vec::new(),
            surface,
            lattice,
            nodes,
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
    pub fn find_stream_function(&mut self) {
        let frame = self.motion.frame(self.time);
        let f = twin::source(
            &self.lattice,
            &self.nodes,
            &self.vorticity,
            2.0 * frame.turn,
        );
        let none = vec![0.0; self.lattice.rows];
        let solution = solve(&self.lattice, &f, &none, 0.0);
        let [u, v] = frame.stream;
        let motion = [u, v, frame.turn, self.circulation];
        self.psi = twin::stream_function(&self.potentials, &solution, motion);
        self.vorticity = twin::wall(&self.lattice, &self.nodes, &self.vorticity, &self.psi);
    }

    pub fn longest_step(&self, courant: f64) -> f64 {
        let rate = twin::rate(
            &self.lattice,
            &self.nodes,
            &self.operator,
            &self.psi,
            self.viscosity,
        );
        courant / rate.iter().fold(0.0, |a: f64, b| a.max(*b))
    }

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
        let leaving: f64 = twin::probe(&self.lattice, &self.vorticity, &self.psi, step.turn[0])
            .iter()
            .skip(1)
            .map(|p| p[3])
            .sum();
        self.vorticity = twin::transport(
            &self.lattice,
            &self.nodes,
            &self.operator,
            &self.vorticity,
            &self.psi,
            &step,
        );
        self.circulation -= dt * leaving;
        self.time += dt;
        self.last_step = dt;
        self.find_stream_function();
    }

    pub fn forces(&self) -> Forces {
        let frame = self.motion.frame(self.time);
        let turn = 2.0 * frame.turn;
        let probe = twin::probe(&self.lattice, &self.vorticity, &self.psi, turn);
        let rows = &probe[..probe.len() - 1];
        let near: Vec<[f64; 3]> = rows.iter().map(|p| [p[0], p[1], p[2]]).collect();
        self.surface.forces(&frame, self.viscosity, &near)
    }
}
