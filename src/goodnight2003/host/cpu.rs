//! The baseline of Fig. 3: the same cycle tuned for the CPU, in single precision, on one core or
//! on all.
//!
//! - Red and black nodes are stored separately, row by row, so that a half-sweep runs over contiguous memory,
//!   several nodes at once, and reads one array while it writes the other.
//! - A frame of one value around each array holds the values across a periodic side, so that no node
//!   is a special case. Boundary conditions are in the coefficients and in the right-hand side, and the
//!   division is a product with a stored inverse.
//! - Values that the next kernel does not read are not computed. After a sweep the black residuals are zero, so
//!   only red ones are restricted. The sweep after an interpolation begins with red nodes and reads
//!   only black ones, so only black ones are corrected.
//!
//! So a cycle has the results of [`HostSolver`]'s up to rounding errors, and takes at least one sweep before
//! and after.

use crate::goodnight2003::{Colour, HostSolver, TwinLevel};
use crate::parallel::parts;

/// Values per task: enough to hide the cost of a task, few enough to balance the load.
const TASK: usize = 1 << 13;

const RED: usize = 0;
const BLACK: usize = 1;

/// A red and a black array.
type Halves = [Vec<f32>; 2];

/// A solver with its levels arranged for the CPU.
pub struct CpuSolver {
    levels: Vec<CpuLevel>,
    coarsest_sweeps: usize,
    parallel: bool,
}

struct CpuLevel {
    columns: usize,
    rows: usize,
    periodic: [bool; 2],
    /// a_k west, east, south and north, for each colour.
    operator: [[Vec<f32>; 4]; 2],
    /// Σ a_k + s α/β and its inverse; both 0 where corrections are zero.
    diagonal: Halves,
    inverse: Halves,
    u: Halves,
    /// F − s γ/β; for a prescribed value, −γ/α with a diagonal of 1.
    f: Halves,
    /// The residual of red nodes.
    r: Vec<f32>,
    /// For each column and row of this level: the finer nodes that interpolate from it, with their weights.
    restriction_weights: [Vec<Vec<(usize, f32)>>; 2],
    /// The coarser column or row before each, and the weight of the one after it.
    sources: [Vec<(usize, f32)>; 2],
}

impl CpuSolver {
    /// The levels of a solver, for one core or for all. The start is zero except for prescribed values.
    ///
    /// Levels whose periods have an odd number of intervals are left out: red and black would
    /// not alternate there.
    pub fn new(host: &HostSolver, coarsest_sweeps: usize, parallel: bool) -> Self {
        let count = (0..host.levels()).take_while(|level| host.level(*level).alternates());
        let levels: Vec<_> = count.map(|level| CpuLevel::new(host, level)).collect();
        let mut solver = Self {
            levels,
            coarsest_sweeps,
            parallel,
        };
        if let Some(finest) = solver.levels.first_mut() {
            finest.load(host.level(0), host.right_side());
        }
        solver
    }

    /// V(before, after); at least one sweep on either side.
    pub fn cycle(&mut self, before: usize, after: usize) {
        cycle(
            &mut self.levels,
            [before, after],
            self.coarsest_sweeps,
            self.parallel,
        );
    }

    /// U at each node, rows from the south up.
    pub fn solution(&self) -> Vec<f32> {
        let Some(finest) = self.levels.first() else {
            return Vec::new();
        };
        let nodes = (0..finest.rows).flat_map(|j| (0..finest.columns).map(move |i| (i, j)));
        nodes.map(|(i, j)| finest.value(i, j)).collect()
    }
}

fn cycle(levels: &mut [CpuLevel], sweeps: [usize; 2], coarsest_sweeps: usize, parallel: bool) {
    let [fine, coarser @ ..] = levels else { return };
    let Some(coarse) = coarser.first_mut() else {
        fine.smooth(coarsest_sweeps, parallel);
        return;
    };
    fine.smooth(sweeps[0].max(1), parallel);
    fine.residual(parallel);
    coarse.restrict(fine, parallel);
    cycle(coarser, sweeps, coarsest_sweeps, parallel);
    fine.correct(&coarser[0], parallel);
    fine.smooth(sweeps[1].max(1), parallel);
}

impl CpuLevel {
    fn new(host: &HostSolver, level: usize) -> Self {
        let twin = host.level(level);
        let (width, _) = twin.size();
        let [(columns, across), (rows, along)] = axes(twin);
        let empty = || vec![0.0; (columns.div_ceil(2) + 2) * (rows + 2)];
        let halves = || [empty(), empty()];
        let mut new = Self {
            columns,
            rows,
            periodic: [across, along],
            operator: [0, 1].map(|_| [empty(), empty(), empty(), empty()]),
            diagonal: halves(),
            inverse: halves(),
            u: halves(),
            f: halves(),
            r: empty(),
            restriction_weights: match level {
                0 => [vec![], vec![]],
                _ => [0, 1].map(|axis| restriction_weights(host.level(level - 1), twin, axis)),
            },
            sources: [0, 1].map(|axis| {
                let source =
                    |&[(before, _), (_, weight)]: &[(usize, f64); 2]| (before, weight as f32);
                twin.shares[axis].iter().map(source).collect()
            }),
        };
        for j in 0..rows {
            for i in 0..columns {
                let (half, place) = new.place(i, j);
                let node = j * width + i;
                if twin.is_held(node) {
                    let diagonal = if level == 0 { 1.0 } else { 0.0 };
                    new.diagonal[half][place] = diagonal;
                    new.inverse[half][place] = diagonal;
                    continue;
                }
                let a = twin.operator[node];
                for (coefficients, a) in new.operator[half].iter_mut().zip(a) {
                    coefficients[place] = a as f32;
                }
                let diagonal = a.iter().sum::<f64>() + twin.side(node)[1];
                new.diagonal[half][place] = diagonal as f32;
                new.inverse[half][place] = (1.0 / diagonal) as f32;
            }
        }
        new
    }

    /// Stores F, and U where it is prescribed.
    fn load(&mut self, twin: &TwinLevel, f: &[f64]) {
        for j in 0..self.rows {
            for i in 0..self.columns {
                let (half, place) = self.place(i, j);
                let node = j * self.columns + i;
                let [alpha, _, gamma, _] = twin.boundary[node];
                if twin.is_held(node) {
                    self.f[half][place] = (-gamma / alpha) as f32;
                    self.u[half][place] = (gamma / alpha) as f32;
                } else {
                    self.f[half][place] = (f[node] - twin.side(node)[0]) as f32;
                }
            }
        }
    }

    /// Values from one row to the next.
    fn stride(&self) -> usize {
        self.columns.div_ceil(2) + 2
    }

    /// The colour and the index of a node.
    fn place(&self, i: usize, j: usize) -> (usize, usize) {
        let half = if Colour::Red.has(i, j) { RED } else { BLACK };
        (half, (j + 1) * self.stride() + i / 2 + 1)
    }

    /// U of a node.
    fn value(&self, i: usize, j: usize) -> f32 {
        let (half, place) = self.place(i, j);
        self.u[half][place]
    }

    /// The first column of a colour in a row: 0 or 1.
    fn first(half: usize, j: usize) -> usize {
        (j + half) % 2
    }

    fn smooth(&mut self, sweeps: usize, parallel: bool) {
        for _ in 0..sweeps {
            for half in [RED, BLACK] {
                let mut new = std::mem::take(&mut self.u[half]);
                let old = &self.u[1 - half];
                self.each_row(&mut new, parallel, |j, row| {
                    self.relax_row(half, j, old, row)
                });
                self.close(&mut new);
                self.u[half] = new;
            }
        }
    }

    /// The residual of red nodes; that of black ones is zero after a sweep.
    fn residual(&mut self, parallel: bool) {
        let mut r = std::mem::take(&mut self.r);
        self.each_row(&mut r, parallel, |j, row| {
            self.sum_row(RED, j, &self.u[BLACK], row);
            let at = (j + 1) * self.stride();
            let count = row.len();
            let (f, u) = (&self.f[RED][at..][..count], &self.u[RED][at..][..count]);
            let diagonal = &self.diagonal[RED][at..][..count];
            for k in 1..count - 1 {
                row[k] = f[k] + diagonal[k] * u[k] - row[k];
            }
        });
        self.close(&mut r);
        self.r = r;
    }

    fn relax_row(&self, half: usize, j: usize, old: &[f32], row: &mut [f32]) {
        self.sum_row(half, j, old, row);
        let at = (j + 1) * self.stride();
        let count = row.len();
        let (f, inverse) = (
            &self.f[half][at..][..count],
            &self.inverse[half][at..][..count],
        );
        for k in 1..count - 1 {
            row[k] = (row[k] - f[k]) * inverse[k];
        }
        self.close_row(half, j, row);
    }

    /// Σ a_k U_k for one colour's nodes of a row, from the other colour's values.
    fn sum_row(&self, half: usize, j: usize, other: &[f32], row: &mut [f32]) {
        let stride = self.stride();
        let at = (j + 1) * stride;
        let inside = stride - 2;
        let p = Self::first(half, j);
        let [west, east, south, north] = self.operator[half]
            .each_ref()
            .map(|a| &a[at + 1..][..inside]);
        let (u_west, u_east) = (&other[at + p..][..inside], &other[at + p + 1..][..inside]);
        let (u_south, u_north) = (
            &other[at - stride + 1..][..inside],
            &other[at + stride + 1..][..inside],
        );
        let row = &mut row[1..][..inside];
        for k in 0..inside {
            row[k] = west[k] * u_west[k]
                + east[k] * u_east[k]
                + south[k] * u_south[k]
                + north[k] * u_north[k];
        }
    }

    /// Along a periodic row, fills the replica and the frame.
    fn close_row(&self, half: usize, j: usize, row: &mut [f32]) {
        if self.periodic[0] {
            let middle = self.columns / 2;
            if Self::first(half, j) > 0 {
                row[0] = row[middle];
            }
            row[1 + middle] = row[1];
        }
    }

    /// Fills the replica of the first row and the frame, if rows are periodic.
    fn close(&self, values: &mut [f32]) {
        if self.periodic[1] {
            let stride = self.stride();
            let mut copy = |from: usize, to: usize| {
                values.copy_within(from * stride..(from + 1) * stride, to * stride);
            };
            copy(1, self.rows);
            copy(self.rows - 1, 0);
            copy(2, self.rows + 1);
        }
    }

    /// F ← Pᵀ r, U ← 0.
    fn restrict(&mut self, fine: &Self, parallel: bool) {
        for half in [RED, BLACK] {
            self.u[half].fill(0.0);
            let mut f = std::mem::take(&mut self.f[half]);
            self.each_row(&mut f, parallel, |j, row| {
                self.restrict_row(fine, half, j, row)
            });
            self.f[half] = f;
        }
    }

    fn restrict_row(&self, fine: &Self, half: usize, j: usize, row: &mut [f32]) {
        for (k, i) in (Self::first(half, j)..self.columns).step_by(2).enumerate() {
            let is_inside = i > 0 && i + 2 < self.columns && j > 0 && j + 2 < self.rows;
            row[k + 1] = if is_inside {
                let at = (2 * j + 1) * fine.stride() + i + 1;
                let (below, above) = (at - fine.stride(), at + fine.stride());
                let r = &fine.r;
                r[at] + 0.25 * (r[below - 1] + r[below] + r[above - 1] + r[above])
            } else {
                self.restricted(fine, i, j)
            };
        }
    }

    fn restricted(&self, fine: &Self, i: usize, j: usize) -> f32 {
        let mut sum = 0.0;
        for &(y, along_y) in &self.restriction_weights[1][j] {
            for &(x, along_x) in &self.restriction_weights[0][i] {
                let (half, place) = fine.place(x, y);
                if half == RED {
                    sum += along_x * along_y * fine.r[place];
                }
            }
        }
        sum
    }

    /// U ← U + P e at black nodes. Red ones are computed from these next.
    fn correct(&mut self, coarse: &Self, parallel: bool) {
        let mut u = std::mem::take(&mut self.u[BLACK]);
        self.each_row(&mut u, parallel, |j, row| {
            let (south, v) = self.sources[1][j];
            for (k, i) in (Self::first(BLACK, j)..self.columns).step_by(2).enumerate() {
                let (west, w) = self.sources[0][i];
                let at =
                    |row| coarse.value(west, row) * (1.0 - w) + coarse.value(west + 1, row) * w;
                let (below, above) = (at(south), at(south + 1));
                row[k + 1] += below * (1.0 - v) + above * v;
            }
            self.close_row(BLACK, j, row);
        });
        self.close(&mut u);
        self.u[BLACK] = u;
    }

    /// Each row except the frame, with its number.
    fn each_row(
        &self,
        values: &mut [f32],
        parallel: bool,
        work: impl Fn(usize, &mut [f32]) + Sync,
    ) {
        let stride = self.stride();
        let inside = &mut values[stride..(self.rows + 1) * stride];
        let rows = if parallel {
            TASK.div_ceil(stride)
        } else {
            self.rows
        };
        parts(inside, rows * stride, &|first, part| {
            for (row, values) in part.chunks_mut(stride).enumerate() {
                work(first / stride + row, values);
            }
        });
    }
}

/// Columns and rows, without the replica of a single node, and whether they are periodic.
fn axes(twin: &TwinLevel) -> [(usize, bool); 2] {
    let (columns, rows) = twin.size();
    let [across, along] = twin.periodic();
    [(columns, across), (rows, along)].map(|axis| match axis {
        (2, true) => (1, false),
        more => more,
    })
}

/// For each column or row of a level, the finer ones that are interpolated from it, with their
/// weights. Replicas of the finer level are left out, and replicas of the coarser one have the values of their
/// originals.
fn restriction_weights(
    fine: &TwinLevel,
    coarse: &TwinLevel,
    axis: usize,
) -> Vec<Vec<(usize, f32)>> {
    let [(nodes, is_round), (coarse_nodes, is_coarse_round)] =
        [fine, coarse].map(|l| axes(l)[axis]);
    let originals = nodes - usize::from(is_round);
    let mut restriction_weights = vec![Vec::new(); coarse_nodes];
    for (node, shares) in fine.shares[axis][..originals].iter().enumerate() {
        for (coarser, share) in shares {
            restriction_weights[*coarser].push((node, *share as f32));
        }
    }
    if is_coarse_round {
        restriction_weights[coarse_nodes - 1] = restriction_weights[0].clone();
    }
    restriction_weights
}
