//! The equations of one level on the CPU: its maps, and the kernels that read them (goodnight2003 §4.1).
//!
//! Plain loops over rows, on all cores: the same arithmetic in the same order as the fragment programs'. Every kernel
//! creates a new array from its inputs, as a pass does. Arrays hold one value per node, rows from the south up,
//! including the replicas of periodic axes.
//!
//! A replica gets the value of its original, from the original's maps and neighbours. If it were computed
//! like any other node, from neighbours that are replicas as well, a replicated row would be a row
//! of separate unknowns: a difference of one rounding error between it and its original is a mode that
//! smoothing across weak couplings hardly damps and that coarser grids correct twice, because
//! restriction reads the original and its replica as one. Such a difference was observed to double per
//! cycle.

use super::equations::Equations;
use super::grid::{Axis, Colour, Grid};
use crate::base::parallel::parts;
use crate::goodnight2003::Error;
use crate::solver::Real;

/// Number of nodes below which threads cost more than they save.
const PARALLEL_FROM: usize = 1 << 13;

/// The maps of one level and the kernels that read them.
#[derive(Debug, Clone)]
pub struct Level<T = f64> {
    pub(in crate::goodnight2003) grid: Grid,
    level: u32,
    columns: usize,
    rows: usize,
    /// a_k of the neighbours west, east, south and north, for each node.
    pub operator: Vec<[T; 4]>,
    /// α, β, γ, s for each node; all zero inside.
    pub boundary: Vec<[T; 4]>,
    /// For each column and each row, the two coarser ones from which it is interpolated (originals
    /// instead of replicas), with their weights.
    shares: [Vec<[(usize, T); 2]>; 2],
}

impl<T: Real> Level<T> {
    /// All levels of some equations whose metric is known on the CPU, the finest first.
    pub fn all(equations: &Equations, levels: u32) -> Result<Vec<Self>, Error> {
        let (grid, boundaries) = (&equations.problem.grid, equations.boundary_maps(levels));
        let maps = equations.problem.operators(levels)?.into_iter();
        let level = |(level, (operator, boundary))| Self::new(grid, level, operator, boundary);
        Ok((0..).zip(maps.zip(boundaries)).map(level).collect())
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
                let [near, far] = [1.0 - weight, weight].map(T::from_f64);
                [(before as usize, near), (after as usize, far)]
            };
            (0..axis.nodes(level)).map(shares).collect()
        };
        let (columns, rows) = grid.size(level);
        let converted = |map: Vec<[f64; 4]>| map.into_iter().map(|t| t.map(T::from_f64)).collect();
        Self {
            grid: *grid,
            level,
            columns: columns as usize,
            rows: rows as usize,
            operator: converted(operator),
            boundary: converted(boundary),
            shares: [shares(&grid.x), shares(&grid.y)],
        }
    }

    /// Number of nodes, including replicas.
    pub fn nodes(&self) -> usize {
        self.columns * self.rows
    }

    /// All nodes except replicas.
    pub fn originals(&self) -> impl Iterator<Item = usize> + use<T> {
        self.grid.originals(self.level)
    }

    /// Zero, except for the prescribed values.
    pub fn start(&self) -> Vec<T> {
        let value = |node| {
            if self.is_held(node) { self.held(node) } else { T::ZERO }
        };
        (0..self.nodes()).map(value).collect()
    }

    /// Tests whether the value of a node is prescribed.
    pub fn is_held(&self, node: usize) -> bool {
        let [alpha, beta, ..] = self.boundary[node];
        beta == T::ZERO && alpha != T::ZERO
    }

    /// γ/α, the prescribed value of a node.
    fn held(&self, node: usize) -> T {
        let [alpha, _, gamma, _] = self.boundary[node];
        gamma / alpha
    }

    /// U ← (Σ a_k U_k + s γ/β − F) / (Σ a_k + s α/β) at the nodes of one colour, γ/α for a
    /// prescribed value; the other nodes are copied.
    pub fn half_sweep(&self, colour: Colour, f: &[T], u: &[T]) -> Vec<T> {
        self.map(
            |column, row, node| {
                if colour.has(column, row) { self.relaxed(column, row, f, u) } else { u[node] }
            },
        )
    }

    /// Relaxes all nodes at once, with the damping factor `omega`.
    pub fn jacobi(&self, omega: f64, f: &[T], u: &[T]) -> Vec<T> {
        let omega = T::from_f64(omega);
        self.map(|column, row, node| u[node] + omega * (self.relaxed(column, row, f, u) - u[node]))
    }

    /// r = F − (Σ a_k (U_k − U) + s (γ − α U)/β); zero for a prescribed value.
    pub fn residual(&self, f: &[T], u: &[T]) -> Vec<T> {
        // §4.1.3: r = F − L U
        self.map(|column, row, node| {
            if self.is_held(node) {
                return T::ZERO;
            }
            let a = self.operator[node];
            let [west, east, south, north] = self.neighbours(column, row).map(|k| u[k] - u[node]);
            let flow = a[0] * west + a[1] * east + a[2] * south + a[3] * north;
            let [inflow, leak] = self.side(node);
            f[node] - (flow + (inflow - leak * u[node]))
        })
    }

    /// Pᵀ r: the residual of this level as the source of the coarser one.
    pub fn restrict(&self, coarse: &Self, r: &[T]) -> Vec<T> {
        let mut f = vec![T::ZERO; coarse.nodes()];
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
    pub fn correct(&self, coarse: &Self, e: &[T], u: &[T]) -> Vec<T> {
        self.map(|column, row, node| {
            let across = |row: usize| {
                let [(west, w), (east, v)] = self.shares[0][column];
                w * e[row * coarse.columns + west] + v * e[row * coarse.columns + east]
            };
            let [(south, w), (north, v)] = self.shares[1][row];
            u[node] + (w * across(south) + v * across(north))
        })
    }

    fn relaxed(&self, column: usize, row: usize, f: &[T], u: &[T]) -> T {
        let node = row * self.columns + column;
        if self.is_held(node) {
            return self.held(node);
        }
        let a = self.operator[node];
        let [west, east, south, north] = self.neighbours(column, row).map(|k| u[k]);
        let flow = a[0] * west + a[1] * east + a[2] * south + a[3] * north;
        let [inflow, leak] = self.side(node);
        (flow + inflow - f[node]) / (a[0] + a[1] + a[2] + a[3] + leak)
    }

    /// The sum of the magnitudes of all terms of a node's equation, for |U| up to `largest`.
    pub(crate) fn magnitude(&self, node: usize, f: f64, largest: f64) -> f64 {
        let [inflow, leak] = self.side(node).map(|term| term.to_f64().abs());
        let coefficients = self.operator[node].map(Real::to_f64);
        f.abs() + inflow + (2.0 * coefficients.iter().sum::<f64>() + leak) * largest
    }

    /// D_i = Σ_j |a_ij| of a node's equation; 1 for a prescribed value.
    pub(crate) fn row_sum(&self, node: usize) -> f64 {
        if self.is_held(node) {
            return 1.0;
        }
        let (a, leak) = (self.operator[node].map(Real::to_f64), self.side(node)[1].to_f64());
        let sum: f64 = a.iter().sum();
        sum + (sum + leak).abs()
    }

    /// A 1: what raising all values that are not prescribed by 1 adds to the residual of each node.
    pub(crate) fn leaks(&self) -> Vec<T> {
        self.map(|column, row, node| {
            if self.is_held(node) {
                return T::ZERO;
            }
            let neighbours = self.neighbours(column, row).into_iter().zip(self.operator[node]);
            neighbours
                .fold(self.side(node)[1], |sum, (k, a)| if self.is_held(k) { sum + a } else { sum })
        })
    }

    /// s γ/β and s α/β; zero inside.
    fn side(&self, node: usize) -> [T; 2] {
        let [alpha, beta, gamma, s] = self.boundary[node];
        if beta == T::ZERO { [T::ZERO; 2] } else { [s * gamma / beta, s * alpha / beta] }
    }

    /// The nodes west, east, south and north. Outside an end there is no node and the coefficient is
    /// zero, so any node will do.
    fn neighbours(&self, column: usize, row: usize) -> [usize; 4] {
        let [west, east] = around(column, self.columns, self.grid.x.is_periodic());
        let [south, north] = around(row, self.rows, self.grid.y.is_periodic());
        [
            row * self.columns + west,
            row * self.columns + east,
            south * self.columns + column,
            north * self.columns + column,
        ]
    }

    /// A value for each column, row and node; a replica has that of its original.
    fn map(&self, value: impl Fn(usize, usize, usize) -> T + Sync) -> Vec<T> {
        let mut all = vec![T::ZERO; self.nodes()];
        let original = |axis: &Axis, node| axis.original(self.level, node as u32) as usize;
        // Enough rows to make a thread worthwhile.
        let rows = PARALLEL_FROM.div_ceil(self.columns);
        parts(&mut all, rows * self.columns, &|first, values| {
            for (row, values) in values.chunks_mut(self.columns).enumerate() {
                let row = original(&self.grid.y, first / self.columns + row);
                for (column, v) in values.iter_mut().enumerate() {
                    let column = original(&self.grid.x, column);
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
