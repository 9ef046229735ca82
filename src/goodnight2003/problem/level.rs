//! The kernels of one level on the CPU, in double precision: the same arithmetic in the same order as
//! the fragment programs' (goodnight2003 §4.1, §4.2).
//!
//! Every function creates a new array from its inputs, as a pass does.
//! Arrays hold one value per node, rows from the south up, including the replicas of periodic axes.
//!
//! A replica gets the value of its original, from the original's maps and neighbours. If it were computed
//! like any other node, from neighbours that are replicas as well, a replicated row would be a row
//! of separate unknowns: a difference of one rounding error between it and its original is a mode that
//! smoothing across weak couplings hardly damps and that coarser grids correct twice, because
//! restriction reads the original and its replica as one. Such a difference was observed to double per
//! cycle.

use crate::goodnight2003::{Axis, Grid, Problem, ProblemError, Scales};
use crate::parallel::parts;

/// Number of nodes below which threads cost more than they save.
const PARALLEL_FROM: usize = 1 << 13;

/// The nodes of a red-black half-sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Column plus row even.
    Red,
    /// Column plus row odd.
    Black,
}

impl Colour {
    /// Both colours, in the order of a sweep.
    pub const BOTH: [Self; 2] = [Self::Red, Self::Black];

    /// Tests whether a node has this colour.
    pub fn has(self, column: usize, row: usize) -> bool {
        (column + row).is_multiple_of(2) == (self == Self::Red)
    }
}

/// The maps of one level and the kernels that read them.
#[derive(Debug, Clone)]
pub struct TwinLevel {
    grid: Grid,
    level: u32,
    columns: usize,
    rows: usize,
    periodic: [bool; 2],
    /// a_k of the neighbours west, east, south and north, for each node.
    pub operator: Vec<[f64; 4]>,
    /// α, β, γ, s for each node; all zero inside.
    pub boundary: Vec<[f64; 4]>,
    /// For each column and each row, the two coarser ones from which it is interpolated (originals
    /// instead of replicas), with their weights.
    pub(crate) shares: [Vec<[(usize, f64); 2]>; 2],
}

impl TwinLevel {
    /// The maps of a level of this problem.
    pub fn of(problem: &Problem, level: u32, scales: &Scales) -> Result<Self, ProblemError> {
        let mut operators = problem.operators(level + 1)?;
        let mut boundaries = problem.boundary_maps(level + 1, scales);
        let last = level as usize;
        let (operator, boundary) = (operators.swap_remove(last), boundaries.swap_remove(last));
        Ok(Self::new(&problem.grid, level, operator, boundary))
    }

    /// Creates a level of this grid from an operator map (W, E, S, N) and a boundary map (α, β, γ, s), one
    /// texel per node.
    pub(crate) fn new(
        grid: &Grid,
        level: u32,
        operator: Vec<[f64; 4]>,
        boundary: Vec<[f64; 4]>,
    ) -> Self {
        let shares = |axis: &Axis| {
            let last = axis.nodes(level + 1) - 1;
            let shares = |node| {
                let (before, weight) = (axis.coarser(level, node), axis.weight(level, node));
                let after = axis.original(level + 1, (before + 1).min(last));
                [(before as usize, 1.0 - weight), (after as usize, weight)]
            };
            (0..axis.nodes(level)).map(shares).collect()
        };
        let (columns, rows) = grid.size(level);
        Self {
            grid: *grid,
            level,
            columns: columns as usize,
            rows: rows as usize,
            periodic: [grid.x.is_periodic(), grid.y.is_periodic()],
            operator,
            boundary,
            shares: [shares(&grid.x), shares(&grid.y)],
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// Number of nodes, including replicas.
    pub fn nodes(&self) -> usize {
        self.columns * self.rows
    }

    /// All nodes except replicas.
    pub fn originals(&self) -> impl Iterator<Item = usize> {
        self.grid.originals(self.level)
    }

    /// Zero, except for the prescribed values.
    pub fn start(&self) -> Vec<f64> {
        let value = |node: usize| {
            if self.is_held(node) {
                self.boundary[node][2] / self.boundary[node][0]
            } else {
                0.0
            }
        };
        (0..self.nodes()).map(value).collect()
    }

    /// Tests whether the value of a node is prescribed.
    pub fn is_held(&self, node: usize) -> bool {
        let [alpha, beta, ..] = self.boundary[node];
        beta == 0.0 && alpha != 0.0
    }

    /// U ← (Σ a_k U_k + s γ/β − F) / (Σ a_k + s α/β) at the nodes of one colour, γ/α for a
    /// prescribed value; the other nodes are copied.
    pub fn half_sweep(&self, colour: Colour, f: &[f64], u: &[f64]) -> Vec<f64> {
        self.map(|column, row, node| {
            if colour.has(column, row) {
                self.relaxed(column, row, f, u)
            } else {
                u[node]
            }
        })
    }

    /// The same at all nodes at once, with the damping factor `omega`.
    pub fn jacobi(&self, omega: f64, f: &[f64], u: &[f64]) -> Vec<f64> {
        self.map(|column, row, node| u[node] + omega * (self.relaxed(column, row, f, u) - u[node]))
    }

    /// r = F − (Σ a_k (U_k − U) + s (γ − α U)/β); zero for a prescribed value.
    pub fn residual(&self, f: &[f64], u: &[f64]) -> Vec<f64> {
        self.map(|column, row, node| {
            if self.is_held(node) {
                return 0.0;
            }
            let a = self.operator[node];
            let [west, east, south, north] = self.neighbours(column, row).map(|k| u[k] - u[node]);
            let flow = a[0] * west + a[1] * east + a[2] * south + a[3] * north;
            let [through, held] = self.side(node);
            f[node] - (flow + (through - held * u[node]))
        })
    }

    /// Pᵀ r: the residual of this level as the source of the coarser one.
    pub fn restrict(&self, coarse: &Self, r: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; coarse.nodes()];
        for node in self.originals() {
            for (row, along_y) in self.shares[1][node / self.columns] {
                for (column, along_x) in self.shares[0][node % self.columns] {
                    f[row * coarse.columns + column] += along_y * along_x * r[node];
                }
            }
        }
        coarse.map(|_, _, node| f[node])
    }

    /// U ← U + P e, the values of the coarser level bilinearly interpolated to this one.
    pub fn correct(&self, coarse: &Self, e: &[f64], u: &[f64]) -> Vec<f64> {
        self.map(|column, row, node| {
            let across = |row: usize| {
                let share =
                    |(column, share): (usize, f64)| share * e[row * coarse.columns + column];
                self.shares[0][column].map(share).iter().sum::<f64>()
            };
            let along = |(row, share)| share * across(row);
            u[node] + self.shares[1][row].map(along).iter().sum::<f64>()
        })
    }

    fn relaxed(&self, column: usize, row: usize, f: &[f64], u: &[f64]) -> f64 {
        let node = row * self.columns + column;
        if self.is_held(node) {
            let [alpha, _, gamma, _] = self.boundary[node];
            return gamma / alpha;
        }
        let a = self.operator[node];
        let [west, east, south, north] = self.neighbours(column, row).map(|k| u[k]);
        let inflow = a[0] * west + a[1] * east + a[2] * south + a[3] * north;
        let [through, held] = self.side(node);
        (inflow + through - f[node]) / (a[0] + a[1] + a[2] + a[3] + held)
    }

    /// The sum of the magnitudes of all terms of a node's equation, for |U| up to `largest`.
    pub(crate) fn magnitude(&self, node: usize, f: f64, largest: f64) -> f64 {
        let [inflow, leak] = self.side(node).map(f64::abs);
        f.abs() + inflow + (2.0 * self.operator[node].iter().sum::<f64>() + leak) * largest
    }

    /// s γ/β and s α/β; zero inside.
    pub(crate) fn side(&self, node: usize) -> [f64; 2] {
        let [alpha, beta, gamma, s] = self.boundary[node];
        if beta == 0.0 {
            [0.0; 2]
        } else {
            [s * gamma / beta, s * alpha / beta]
        }
    }

    /// The nodes west, east, south and north. Outside an end there is no node and the coefficient is
    /// zero, so any node will do.
    fn neighbours(&self, column: usize, row: usize) -> [usize; 4] {
        let [west, east] = around(column, self.columns, self.periodic[0]);
        let [south, north] = around(row, self.rows, self.periodic[1]);
        [
            row * self.columns + west,
            row * self.columns + east,
            south * self.columns + column,
            north * self.columns + column,
        ]
    }

    /// Tests whether the axes are periodic.
    pub(crate) fn periodic(&self) -> [bool; 2] {
        self.periodic
    }

    /// Tests whether neighbours have different colours everywhere, that is, whether periods have an even number of
    /// intervals, or one, in which case the node has only itself as neighbour.
    pub(crate) fn alternates(&self) -> bool {
        let sizes = [self.columns, self.rows];
        let odd =
            |(nodes, periodic): (usize, bool)| periodic && nodes > 2 && nodes.is_multiple_of(2);
        !sizes.into_iter().zip(self.periodic).any(odd)
    }

    /// A value for each column, row and node; a replica has that of its original.
    fn map(&self, value: impl Fn(usize, usize, usize) -> f64 + Sync) -> Vec<f64> {
        let mut all = vec![0.0; self.nodes()];
        let original = |axis: usize, node: usize, nodes: usize| match self.periodic[axis] {
            true if node + 1 == nodes => 0,
            _ => node,
        };
        // Enough rows to make a thread worthwhile.
        let rows = PARALLEL_FROM.div_ceil(self.columns);
        parts(&mut all, rows * self.columns, &|first, values| {
            for (row, values) in values.chunks_mut(self.columns).enumerate() {
                let row = original(1, first / self.columns + row, self.rows);
                for (column, v) in values.iter_mut().enumerate() {
                    let column = original(0, column, self.columns);
                    *v = value(column, row, row * self.columns + column);
                }
            }
        });
        all
    }
}

/// The nodes before and after a node; across the end of a periodic axis, whose last node is its first.
fn around(node: usize, nodes: usize, periodic: bool) -> [usize; 2] {
    let before = match node {
        0 if periodic => nodes - 2,
        0 => 0,
        _ => node - 1,
    };
    let after = match node + 1 {
        next if next < nodes => next,
        _ if periodic => 1,
        _ => node,
    };
    [before, after]
}
