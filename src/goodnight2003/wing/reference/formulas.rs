//! The kernels of a step by their formulas.
//!
//! Fields hold a value a node, columns along ξ from the body outwards, rows along η; the last row is
//! a replica of the first.

/// Nodes and their distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Nodes along ξ.
    pub columns: usize,
    /// Nodes along η, the replica too.
    pub rows: usize,
    /// Δξ
    pub step_xi: f64,
    /// Δη
    pub step_eta: f64,
}

impl Lattice {
    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (isize, isize)> {
        let (columns, rows) = (self.columns as isize, self.rows as isize);
        (0..rows).flat_map(move |j| (0..columns).map(move |i| (i, j)))
    }

    /// The index of a node: beyond the ends of ξ the last one, round the end along η.
    pub fn index(&self, i: isize, j: isize) -> usize {
        let (columns, period) = (self.columns as isize, self.rows as isize - 1);
        let column = i.clamp(0, columns - 1);
        let row = if j < 0 {
            j + period
        } else if j > period {
            j - period
        } else {
            j
        };
        (row * columns + column) as usize
    }

    /// The control volume of a node.
    pub fn volume(&self, node: &Node) -> f64 {
        node.area * (self.step_xi * self.step_eta)
    }
}

/// What is known of the coordinates at a node: `nodes.frag`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// x and y.
    pub place: [f64; 2],
    /// h₁ h₂
    pub area: f64,
    /// h₂ / h₁
    pub ratio: f64,
}

/// ζ and what it changed by in the step before, over time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vorticity {
    /// ζ, in the frame of the body.
    pub value: f64,
    /// −u·∇ζ + ∇²ζ/Re
    pub tendency: f64,
}

/// What a step is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Δt times the weights of this tendency and of the one before.
    pub weights: [f64; 2],
    /// 1/Re
    pub viscosity: f64,
    /// 2θ̇ before and after the step.
    pub turn: [f64; 2],
}

/// `stream_function.frag`: ψ = (u, v, Ω, Γ)·potentials + φ.
pub fn stream_function(potentials: &[[f64; 4]], solution: &[f64], motion: [f64; 4]) -> Vec<f64> {
    let sum = |(p, &s): (&[f64; 4], &f64)| {
        motion[0] * p[0] + motion[1] * p[1] + motion[2] * p[2] + motion[3] * p[3] + s
    };
    potentials.iter().zip(solution).map(sum).collect()
}

/// What flows through the east, west, north and south face of a node's volume.
pub fn fluxes(lattice: &Lattice, psi: &[f64], (i, j): (isize, isize)) -> [f64; 4] {
    let at = |di: isize, dj: isize| psi[lattice.index(i + di, j + dj)];
    let quarter = 0.25;
    [
        quarter * ((at(0, 1) + at(1, 1)) - (at(0, -1) + at(1, -1))),
        quarter * ((at(-1, 1) + at(0, 1)) - (at(-1, -1) + at(0, -1))),
        quarter * ((at(-1, 0) + at(-1, 1)) - (at(1, 0) + at(1, 1))),
        quarter * ((at(-1, -1) + at(-1, 0)) - (at(1, -1) + at(1, 0))),
    ]
}

/// What a flow from b to c carries, of four values in a row: the cubic through three of them, two
/// of them upstream.
fn carried(flux: f64, [a, b, c, d]: [f64; 4]) -> f64 {
    let middle = 7.0 * (b + c) - (a + d);
    let upstream = (d - a) + 3.0 * (b - c);
    (flux * middle + flux.abs() * upstream) * 1.0 / 12.0
}

/// `transport.frag` inside, `far.frag` in the last column; the first one is kept.
pub fn transport(
    lattice: &Lattice,
    nodes: &[Node],
    operator: &[[f64; 4]],
    vorticity: &[Vorticity],
    psi: &[f64],
    step: &Step,
) -> Vec<Vorticity> {
    let last = lattice.columns as isize - 1;
    let update = |(i, j): (isize, isize)| {
        let here = lattice.index(i, j);
        if i == 0 {
            vorticity[here]
        } else if i == last {
            far(lattice, vorticity, psi, j, step.turn)
        } else {
            let tendency = tendency(lattice, nodes, operator, vorticity, psi, (i, j), step);
            let old = vorticity[here];
            let absolute = old.value + step.turn[0];
            let change = step.weights[0] * tendency + step.weights[1] * old.tendency;
            Vorticity {
                value: absolute + change - step.turn[1],
                tendency,
            }
        }
    };
    lattice.nodes().map(update).collect()
}

fn tendency(
    lattice: &Lattice,
    nodes: &[Node],
    operator: &[[f64; 4]],
    vorticity: &[Vorticity],
    psi: &[f64],
    (i, j): (isize, isize),
    step: &Step,
) -> f64 {
    let at = |di: isize, dj: isize| vorticity[lattice.index(i + di, j + dj)].value;
    let [east, west, north, south] = fluxes(lattice, psi, (i, j));
    let z = at(0, 0);
    let (w, e, s, n) = (at(-1, 0), at(1, 0), at(0, -1), at(0, 1));
    let out = (carried(east, [w, z, e, at(2, 0)]) - carried(west, [at(-2, 0), w, z, e]))
        + (carried(north, [s, z, n, at(0, 2)]) - carried(south, [at(0, -2), s, z, n]));
    let here = lattice.index(i, j);
    let [a_w, a_e, a_s, a_n] = operator[here];
    let spread = a_w * (w - z) + a_e * (e - z) + a_s * (s - z) + a_n * (n - z);
    let volume = lattice.volume(&nodes[here]);
    (step.viscosity * spread - out) / volume
}

/// Far away the fluid takes its vorticity along where it leaves; where it enters, it does not turn.
fn far(
    lattice: &Lattice,
    vorticity: &[Vorticity],
    psi: &[f64],
    j: isize,
    turn: [f64; 2],
) -> Vorticity {
    let last = lattice.columns as isize - 1;
    let out = psi[lattice.index(last, j + 1)] - psi[lattice.index(last, j - 1)];
    let inside = vorticity[lattice.index(last - 1, j)].value + turn[0];
    let absolute = if out > 0.0 { inside } else { 0.0 };
    Vorticity {
        value: absolute - turn[1],
        tendency: 0.0,
    }
}

/// `wall.frag` in the first column: Woods's formula; the other columns are kept.
pub fn wall(
    lattice: &Lattice,
    nodes: &[Node],
    vorticity: &[Vorticity],
    psi: &[f64],
) -> Vec<Vorticity> {
    let third = 1.0 / 3.0;
    let update = |(i, j): (isize, isize)| {
        if i > 0 {
            return vorticity[lattice.index(i, j)];
        }
        let (here, inside) = (lattice.index(0, j), lattice.index(1, j));
        let ratio = (nodes[here].ratio + 2.0 * nodes[inside].ratio) * third;
        let square = lattice.step_xi * lattice.step_xi;
        let bend = 12.0 * ratio * psi[inside] / square;
        let (area, next) = (nodes[here].area, nodes[inside].area);
        let beside = (area + next) * vorticity[inside].value;
        Vorticity {
            value: -(bend + beside) / (3.0 * area + next),
            tendency: 0.0,
        }
    };
    lattice.nodes().map(update).collect()
}

/// `source.frag`: F = −V (ζ + 2θ̇) inside, V the control volume; zero in the first and in the last
/// column.
pub fn source(lattice: &Lattice, nodes: &[Node], vorticity: &[Vorticity], turn: f64) -> Vec<f64> {
    let last = lattice.columns as isize - 1;
    let value = |(i, j): (isize, isize)| match i == 0 || i == last {
        true => 0.0,
        false => {
            let here = lattice.index(i, j);
            -lattice.volume(&nodes[here]) * (vorticity[here].value + turn)
        }
    };
    lattice.nodes().map(value).collect()
}

/// `probe.frag`: ζ on the body and at the next two nodes, and what of ζ + 2θ̇ is carried out of the
/// last volume but one, over time; for each row.
pub fn probe(lattice: &Lattice, vorticity: &[Vorticity], psi: &[f64], turn: f64) -> Vec<[f64; 4]> {
    let last = lattice.columns as isize - 1;
    let row = |j: usize| {
        let j = j as isize;
        let value = |i: isize| vorticity[lattice.index(i, j)].value;
        let both = |row: isize| psi[lattice.index(last - 1, row)] + psi[lattice.index(last, row)];
        let flux = 0.25 * (both(j + 1) - both(j - 1));
        let [a, b, c] = [last - 2, last - 1, last].map(|i| value(i) + turn);
        [value(0), value(1), value(2), carried(flux, [a, b, c, c])]
    };
    (0..lattice.rows).map(row).collect()
}
