//! The kernels of a step by their formulas, in double precision.
//!
//! Fields hold one value per node, columns along ξ from the body outwards, rows along η; the last row is
//! a replica of the first.

/// Columns and rows of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    pub columns: usize,
    pub rows: usize,
}

impl Lattice {
    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (isize, isize)> {
        let (columns, rows) = (self.columns as isize, self.rows as isize);
        (0..rows).flat_map(move |j| (0..columns).map(move |i| (i, j)))
    }

    /// The index of a node, of a replica that of its original: outside the ends of ξ the last one, periodic along η.
    pub fn index(&self, i: isize, j: isize) -> usize {
        let (columns, period) = (self.columns as isize, self.rows as isize - 1);
        (j.rem_euclid(period) * columns + i.clamp(0, columns - 1)) as usize
    }
}

/// ζ and its rate of change in the previous step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vorticity {
    pub value: f64,
    pub tendency: f64,
}

/// A flow at one moment: one value per node of everything that a step reads.
#[derive(Debug, Clone)]
pub struct Flow {
    pub lattice: Lattice,
    /// The control volumes.
    pub volumes: Vec<f64>,
    pub operator: Vec<[f64; 4]>,
    pub vorticity: Vec<Vorticity>,
    pub psi: Vec<f64>,
}

/// Parameters of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    pub weights: [f64; 2],
    pub viscosity: f64,
    pub turn: [f64; 2],
}

/// `stream_function.frag`: ψ = (u, v, Ω, Γ)·potentials + φ.
pub fn stream_function(potentials: &[[f64; 4]], solution: &[f64], motion: [f64; 4]) -> Vec<f64> {
    let of_motion = |p: &[f64; 4]| motion.iter().zip(p).map(|(m, p)| m * p).sum::<f64>();
    potentials.iter().zip(solution).map(|(p, s)| of_motion(p) + s).collect()
}

/// The value carried by a flow from b to c, from four consecutive values: the cubic through three of them, two
/// of them upstream.
fn carried(flux: f64, [a, b, c, d]: [f64; 4]) -> f64 {
    let middle = 7.0 * (b + c) - (a + d);
    let upstream = (d - a) + 3.0 * (b - c);
    (flux * middle + flux.abs() * upstream) * 1.0 / 12.0
}

impl Flow {
    /// ζ and ψ at a node; outside the ends as in [`Lattice::index`].
    fn zeta(&self, i: isize, j: isize) -> f64 {
        self.vorticity[self.lattice.index(i, j)].value
    }

    fn psi(&self, i: isize, j: isize) -> f64 {
        self.psi[self.lattice.index(i, j)]
    }

    /// The last column.
    fn last(&self) -> isize {
        self.lattice.columns as isize - 1
    }

    /// The flow through the east, west, north and south face of a node's volume.
    pub fn fluxes(&self, (i, j): (isize, isize)) -> [f64; 4] {
        let at = |di: isize, dj: isize| self.psi(i + di, j + dj);
        let quarter = 0.25;
        [
            quarter * ((at(0, 1) + at(1, 1)) - (at(0, -1) + at(1, -1))),
            quarter * ((at(-1, 1) + at(0, 1)) - (at(-1, -1) + at(0, -1))),
            quarter * ((at(-1, 0) + at(-1, 1)) - (at(1, 0) + at(1, 1))),
            quarter * ((at(-1, -1) + at(-1, 0)) - (at(1, -1) + at(1, 0))),
        ]
    }

    /// ζ after a step: `transport.frag` inside, `far.frag` in the last column; the first column is kept.
    pub fn transport(&self, step: &Step) -> Vec<Vorticity> {
        let update = |(i, j): (isize, isize)| {
            let old = self.vorticity[self.lattice.index(i, j)];
            if i == 0 {
                return old;
            }
            if i == self.last() {
                return self.far(j, step.turn);
            }
            let tendency = self.tendency((i, j), step.viscosity);
            let absolute = old.value + step.turn[0];
            let change = step.weights[0] * tendency + step.weights[1] * old.tendency;
            Vorticity { value: absolute + change - step.turn[1], tendency }
        };
        self.lattice.nodes().map(update).collect()
    }

    fn tendency(&self, (i, j): (isize, isize), viscosity: f64) -> f64 {
        let at = |di: isize, dj: isize| self.zeta(i + di, j + dj);
        let [east, west, north, south] = self.fluxes((i, j));
        let z = at(0, 0);
        let (w, e, s, n) = (at(-1, 0), at(1, 0), at(0, -1), at(0, 1));
        let out = (carried(east, [w, z, e, at(2, 0)]) - carried(west, [at(-2, 0), w, z, e]))
            + (carried(north, [s, z, n, at(0, 2)]) - carried(south, [at(0, -2), s, z, n]));
        let here = self.lattice.index(i, j);
        let [a_w, a_e, a_s, a_n] = self.operator[here];
        let spread = a_w * (w - z) + a_e * (e - z) + a_s * (s - z) + a_n * (n - z);
        (viscosity * spread - out) / self.volumes[here]
    }

    /// Far away the fluid carries its vorticity out; fluid that enters has no rotation.
    fn far(&self, j: isize, turn: [f64; 2]) -> Vorticity {
        let last = self.last();
        let out = self.psi(last, j + 1) - self.psi(last, j - 1);
        let absolute = if out > 0.0 { self.zeta(last - 1, j) + turn[0] } else { 0.0 };
        Vorticity { value: absolute - turn[1], tendency: 0.0 }
    }

    /// `source.frag`: F = −V (ζ + 2θ̇) inside, V the control volume; zero in the first and in the last
    /// column.
    pub fn source(&self, turn: f64) -> Vec<f64> {
        let value = |(i, j): (isize, isize)| {
            let is_inside = i != 0 && i != self.last();
            let volume = if is_inside { self.volumes[self.lattice.index(i, j)] } else { 0.0 };
            -volume * (self.zeta(i, j) + turn)
        };
        self.lattice.nodes().map(value).collect()
    }

    /// `probe.frag`: ζ on the body and at the next two nodes, and the outflow of ζ + 2θ̇ from the
    /// last volume but one, per unit of time; for each row.
    pub fn probe(&self, turn: f64) -> Vec<[f64; 4]> {
        let last = self.last();
        let row = |j: isize| {
            let both = |row| self.psi(last - 1, row) + self.psi(last, row);
            let flux = 0.25 * (both(j + 1) - both(j - 1));
            let [a, b, c] = [last - 2, last - 1, last].map(|i| self.zeta(i, j) + turn);
            let [on_body, next, third] = [0, 1, 2].map(|i| self.zeta(i, j));
            [on_body, next, third, carried(flux, [a, b, c, c])]
        };
        (0..self.lattice.rows as isize).map(row).collect()
    }
}
