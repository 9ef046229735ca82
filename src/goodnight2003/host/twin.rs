//! The kernels of one level on the CPU: the same arithmetic in the same order as the fragment
//! programs', in single or double precision (goodnight2003 §4.1, §4.2).
//!
//! Every function makes a new array from those it reads, as a pass does; none reads what it writes.
//! Arrays hold a value a node, rows from the south up, and the replicas of periodic axes too.
//!
//! A replica gets what its original gets, from the original's maps and neighbours. Were it computed
//! like any other node, from neighbours that are replicas as well, a replicated row would be a row
//! of unknowns of its own: a difference of one rounding between it and its original is a mode that
//! smoothing across weak couplings hardly damps and that coarser grids correct twice over, because
//! restriction reads the original and its replica as one. Such a difference was seen to grow
//! twofold a cycle.

use crate::goodnight2003::{Grid, Problem, ProblemError, Scales};
use crate::parallel::parts;
use crate::solver::Real;

/// Below this many nodes threads cost more than they save.
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
    /// Both, in the order of a sweep.
    pub const BOTH: [Self; 2] = [Self::Red, Self::Black];

    /// Whether a node has this colour.
    pub fn has(self, column: usize, row: usize) -> bool {
        (column + row).is_multiple_of(2) == (self == Self::Red)
    }
}

/// The maps of one level and the kernels that read them.
#[derive(Debug, Clone)]
pub struct TwinLevel<T> {
    columns: usize,
    rows: usize,
    periodic: [bool; 2],
    /// a_k of the neighbours west, east, south, north.
    operator: Vec<[T; 4]>,
    /// α, β, γ, s; all zero inside.
    boundary: Vec<[T; 4]>,
    /// What each column and each row takes, by interpolation, of the coarser one after it.
    weights: [Vec<T>; 2],
}

impl<T: Real> TwinLevel<T> {
    /// The maps of a level of this problem.
    pub fn of(problem: &Problem, level: u32, scales: &Scales) -> Result<Self, ProblemError> {
        let operators = problem.operators(level + 1)?;
        let boundaries = problem.boundary_maps(level + 1, scales);
        let maps = (&operators[level as usize], &boundaries[level as usize]);
        Self::new(&problem.grid, level, maps.0, maps.1)
    }

    /// A level of this grid with an operator map (W, E, S, N) and a boundary map (α, β, γ, s), one
    /// texel a node: those that the GPU has computed, or others.
    pub fn new(
        grid: &Grid,
        level: u32,
        operator: &[[f64; 4]],
        boundary: &[[f64; 4]],
    ) -> Result<Self, ProblemError> {
        for (what, map) in [
            ("the operator map", operator),
            ("the boundary map", boundary),
        ] {
            let what = format!("{what} of level {level}");
            ProblemError::check_length(&what, map.len(), grid.nodes(level))?;
        }
        let (columns, rows) = grid.size(level);
        let texels = |map: &[[f64; 4]]| map.iter().map(|t| t.map(T::from_f64)).collect();
        let weights = [(&grid.x, columns), (&grid.y, rows)].map(|(axis, nodes)| {
            let weight = |node| T::from_f64(axis.weight(level, node));
            (0..nodes).map(weight).collect()
        });
        Ok(Self {
            columns: columns as usize,
            rows: rows as usize,
            periodic: [grid.x.is_periodic(), grid.y.is_periodic()],
            operator: texels(operator),
            boundary: texels(boundary),
            weights,
        })
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// How many nodes there are, replicas included.
    pub fn nodes(&self) -> usize {
        self.columns * self.rows
    }

    /// a_k of the neighbours west, east, south, north, of each node.
    pub fn operator(&self) -> &[[T; 4]] {
        &self.operator
    }

    /// α, β, γ, s of each node.
    pub fn boundary(&self) -> &[[T; 4]] {
        &self.boundary
    }

    /// Whether a node is the replica, at the end of a periodic axis, of another.
    pub fn is_replica(&self, column: usize, row: usize) -> bool {
        (self.periodic[0] && column + 1 == self.columns)
            || (self.periodic[1] && row + 1 == self.rows)
    }

    /// All nodes but the replicas.
    pub fn originals(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns;
        let columns_once = columns - usize::from(self.periodic[0]);
        let rows_once = self.rows - usize::from(self.periodic[1]);
        let nodes = move |row| (0..columns_once).map(move |column| row * columns + column);
        (0..rows_once).flat_map(nodes)
    }

    /// Zero, but for the prescribed values.
    pub fn start(&self) -> Vec<T> {
        let value = |node: usize| match self.is_held(node) {
            true => self.boundary[node][2] / self.boundary[node][0],
            false => T::ZERO,
        };
        (0..self.nodes()).map(value).collect()
    }

    /// Whether the value of a node is prescribed.
    pub fn is_held(&self, node: usize) -> bool {
        let [alpha, beta, ..] = self.boundary[node];
        beta == T::ZERO && alpha != T::ZERO
    }

    /// U ← (Σ a_k U_k + s γ/β − F) / (Σ a_k + s α/β) at the nodes of one colour, γ/α where the
    /// value is prescribed; the others are copied.
    pub fn half_sweep(&self, colour: Colour, f: &[T], u: &[T]) -> Vec<T> {
        self.map(|column, row, node| match colour.has(column, row) {
            true => self.relaxed(column, row, f, u),
            false => u[node],
        })
    }

    /// The same at all nodes at once, by the part `omega` of the way.
    pub fn jacobi(&self, omega: T, f: &[T], u: &[T]) -> Vec<T> {
        self.map(|column, row, node| u[node] + omega * (self.relaxed(column, row, f, u) - u[node]))
    }

    /// r = F − (Σ a_k (U_k − U) + s (γ − α U)/β); zero where the value is prescribed.
    pub fn residual(&self, f: &[T], u: &[T]) -> Vec<T> {
        self.map(|column, row, node| {
            if self.is_held(node) {
                return T::ZERO;
            }
            let a = self.operator[node];
            let [west, east, south, north] = self.neighbours(column, row).map(|k| u[k] - u[node]);
            let flow = a[0] * west + a[1] * east + a[2] * south + a[3] * north;
            let [through, held] = self.side(node);
            f[node] - (flow + (through - held * u[node]))
        })
    }

    /// Pᵀ r: the residual of this level as the source of the coarser one.
    pub fn restrict(&self, coarse: &Self, r: &[T]) -> Vec<T> {
        coarse.map(|column, row, _| {
            let across = self.takers(0, column);
            let mut sum = T::ZERO;
            for (fine_row, along_y) in self.takers(1, row) {
                let mut along_x = T::ZERO;
                for (fine_column, weight) in across {
                    along_x += weight * r[fine_row * self.columns + fine_column];
                }
                sum += along_y * along_x;
            }
            sum
        })
    }

    /// P e: the values of the coarser level, bilinearly interpolated to this one.
    pub fn interpolate(&self, coarse: &Self, e: &[T]) -> Vec<T> {
        self.map(|column, row, _| self.interpolated(coarse, e, column, row))
    }

    /// U ← U + P e
    pub fn correct(&self, coarse: &Self, e: &[T], u: &[T]) -> Vec<T> {
        self.map(|column, row, node| u[node] + self.interpolated(coarse, e, column, row))
    }

    fn relaxed(&self, column: usize, row: usize, f: &[T], u: &[T]) -> T {
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

    /// s γ/β and s α/β; zero inside.
    pub(crate) fn side(&self, node: usize) -> [T; 2] {
        let [alpha, beta, gamma, s] = self.boundary[node];
        match beta == T::ZERO {
            true => [T::ZERO; 2],
            false => [s * gamma / beta, s * alpha / beta],
        }
    }

    /// The nodes west, east, south and north. Beyond an end there is none, and the coefficient is
    /// zero: there any will do.
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

    fn interpolated(&self, coarse: &Self, e: &[T], column: usize, row: usize) -> T {
        let (wx, wy) = (self.weights[0][column], self.weights[1][row]);
        let west = (column / 2).min(coarse.columns.saturating_sub(2));
        let south = (row / 2).min(coarse.rows.saturating_sub(2));
        // A single coarser node has none behind it.
        let east = (west + 1).min(coarse.columns - 1);
        let north = (south + 1).min(coarse.rows - 1);
        let at = |column, row| e[row * coarse.columns + column];
        mix(
            mix(at(west, south), at(east, south), wx),
            mix(at(west, north), at(east, north), wx),
            wy,
        )
    }

    /// The nodes of this level, along one axis, that take of a coarser node by interpolation, and
    /// how much: from the second before to the second after, which do where the last interval is
    /// longer. Where there is none, its weight is zero.
    pub(crate) fn takers(&self, axis: usize, coarse: usize) -> [(usize, T); 5] {
        let (nodes, weights) = ([self.columns, self.rows][axis], &self.weights[axis]);
        let last = ((nodes - 1) / 2).max(1);
        let period = if self.periodic[axis] { nodes - 1 } else { 0 };
        // A replica takes nothing of its own, and is given what its original is.
        let (nodes, coarse) = match period {
            0 => (nodes, coarse),
            _ => (period, coarse % last),
        };
        let taker = |offset: usize| match (2 * coarse + offset).checked_sub(2) {
            Some(node) if node < nodes => match (node / 2).min(last - 1) {
                before if coarse == before => (node, T::ONE - weights[node]),
                before if coarse == before + 1 => (node, weights[node]),
                _ => (node, T::ZERO),
            },
            // Before the first node of a period lie the last ones.
            None => match (period + offset).checked_sub(2) {
                Some(node) if period > 0 => (node, weights[node]),
                _ => (0, T::ZERO),
            },
            _ => (0, T::ZERO),
        };
        [0, 1, 2, 3, 4].map(taker)
    }

    /// Along one axis, the coarser node before each node, and the weight of the one after it.
    pub(crate) fn sources(&self, axis: usize) -> Vec<(usize, T)> {
        let weights = &self.weights[axis];
        let last = ((weights.len() - 1) / 2).max(1);
        let source = |(node, weight): (usize, &T)| ((node / 2).min(last - 1), *weight);
        weights.iter().enumerate().map(source).collect()
    }

    /// Whether the axes are periodic.
    pub(crate) fn periodic(&self) -> [bool; 2] {
        self.periodic
    }

    /// Whether neighbours have different colours everywhere: periods have an even number of
    /// intervals, or one, and then their node has no neighbour but itself.
    pub(crate) fn alternates(&self) -> bool {
        let sizes = [self.columns, self.rows];
        let odd =
            |(nodes, periodic): (usize, bool)| periodic && nodes > 2 && nodes.is_multiple_of(2);
        !sizes.into_iter().zip(self.periodic).any(odd)
    }

    /// A value for each column, row and node; a replica's is that of its original.
    fn map(&self, value: impl Fn(usize, usize, usize) -> T + Sync) -> Vec<T> {
        let mut all = vec![T::ZERO; self.nodes()];
        let original = |axis: usize, node: usize, nodes: usize| match self.periodic[axis] {
            true if node + 1 == nodes => 0,
            _ => node,
        };
        // Some rows, as many as are worth a thread's while.
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

/// The nodes before and after one; round the end of a periodic axis, whose last node is its first.
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

/// As in GLSL.
fn mix<T: Real>(before: T, after: T, weight: T) -> T {
    before * (T::ONE - weight) + after * weight
}
