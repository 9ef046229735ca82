//! The solver on the CPU, in double or in single precision: the reference of the GPU's (goodnight2003 §5.1), and
//! the CPU of Fig. 3.
//!
//! Plain loops over rows, on all cores: the same arithmetic in the same order as the fragment programs', and the
//! same cycle. Every kernel creates a new array from its inputs, as a pass does. Arrays hold one value per node,
//! rows from the south up, including the replicas of periodic axes.
//!
//! A replica gets the value of its original, from the original's maps and neighbours. If it were computed
//! like any other node, from neighbours that are replicas as well, a replicated row would be a row
//! of separate unknowns: a difference of one rounding error between it and its original is a mode that
//! smoothing across weak couplings hardly damps and that coarser grids correct twice, because
//! restriction reads the original and its replica as one. Such a difference was observed to double per
//! cycle.

use std::convert::Infallible;

use crate::goodnight2003::multigrid::convergence::Check;
use crate::goodnight2003::problem::grid::{Axis, Colour, Grid};
use crate::goodnight2003::{Equations, Error, Norm, Problem, Settings, Smoother};
use crate::parallel::parts;
use crate::solver::Real;
use crate::solver::multigrid::{Cycle, Levels, Start, cycle, iterate};
use crate::solver::stopping::{Criteria, Outcome};

/// Number of nodes below which threads cost more than they save.
const PARALLEL_FROM: usize = 1 << 13;

/// The maps of one level and the kernels that read them.
#[derive(Debug, Clone)]
pub struct Level<T = f64> {
    grid: Grid,
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

/// The solver, with U and F of each level.
pub struct Reference<T = f64> {
    levels: Vec<Level<T>>,
    u: Vec<Vec<T>>,
    f: Vec<Vec<T>>,
    is_singular: bool,
    smoother: Smoother,
    coarsest_sweeps: usize,
}

/// Result of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceSolution<T = f64> {
    /// U at each node of the finest grid, rows from the south up. If it is determined only up to a
    /// constant, the mean over the nodes is zero.
    pub u: Vec<T>,
    /// Outcome of the solve.
    pub outcome: Outcome,
}

impl<T: Real> Reference<T> {
    /// The levels of a problem whose metric is known on the CPU. The relevant settings are the levels, the
    /// smoother and the sweeps on the coarsest level.
    pub fn new(problem: &Problem, settings: &Settings) -> Result<Self, Error> {
        let equations = Equations::new(problem)?;
        let source = equations.balanced(equations.right_side())?;
        let levels = Level::all(&equations, settings.levels_of(problem))?;
        Self::with_levels(levels, source, problem.is_singular(), settings)
    }

    /// These levels, the finest first, and F = V f on the finest: those that the GPU has computed, or others.
    /// `is_singular` is true if the solution is determined only up to a constant.
    ///
    /// # Errors
    /// [`Error::Length`] unless F has one value per node of the finest level.
    pub fn with_levels(
        levels: Vec<Level<T>>,
        right_side: Vec<f64>,
        is_singular: bool,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let zeros = |level: &Level<T>| vec![T::ZERO; level.nodes()];
        let mut new = Self {
            u: levels.iter().map(zeros).collect(),
            f: levels.iter().map(zeros).collect(),
            levels,
            is_singular,
            smoother: settings.smoother,
            coarsest_sweeps: settings.coarsest_sweeps,
        };
        new.set_right_side(right_side)?;
        Ok(new)
    }

    /// A level's maps and kernels.
    pub fn level(&self, level: usize) -> &Level<T> {
        &self.levels[level]
    }

    /// Replaces F = V f, one value per node of the finest level.
    ///
    /// # Errors
    /// [`Error::Length`] unless there is one value per node.
    pub fn set_right_side(&mut self, right_side: Vec<f64>) -> Result<(), Error> {
        let what = "the right-hand side";
        Error::check_length(what, right_side.len(), self.levels[0].nodes())?;
        self.f[0] = right_side.into_iter().map(T::from_f64).collect();
        Ok(())
    }

    /// Cycles from zero, except for the prescribed values, until the criteria are met. The residual of
    /// the start takes the place of ‖F‖, so that boundary values count like sources. A
    /// solve that does not converge is not an error but a reason in the outcome.
    pub fn solve(&mut self, shape: Cycle, criteria: &Criteria) -> ReferenceSolution<T> {
        self.u[0] = self.levels[0].start();
        let first = self.residual();
        let Ok(outcome) = iterate(criteria, criteria.tolerance(first), first, |_| {
            self.cycle(shape);
            Ok::<_, Infallible>(self.residual())
        });
        let mut u = self.u[0].clone();
        self.remove_mean(&mut u);
        ReferenceSolution { u, outcome }
    }

    /// Runs this number of cycles from a given start, for comparison with the GPU. Returns ‖r‖₂ at the
    /// end.
    pub fn cycles(&mut self, cycles: usize, shape: Cycle, u: &mut Vec<T>) -> f64 {
        self.u[0] = std::mem::take(u);
        (0..cycles).for_each(|_| self.cycle(shape));
        *u = self.u[0].clone();
        self.residual()
    }

    /// Runs one cycle on the current solution.
    pub fn cycle(&mut self, shape: Cycle) {
        let Ok(()) = cycle(self, shape, Start::Given);
    }

    /// ‖r‖₂ on the finest level; replicas are counted once.
    fn residual(&self) -> f64 {
        let finest = &self.levels[0];
        let residual = finest.residual(&self.f[0], &self.u[0]);
        Norm::L2.of(finest.originals().map(|node| residual[node].to_f64()))
    }

    /// Subtracts the mean over the nodes from a solution that is determined up to a constant.
    pub fn remove_mean(&self, u: &mut [T]) {
        if self.is_singular {
            let mean = self.levels[0].grid.mean(|node| u[node].to_f64());
            u.iter_mut().for_each(|u| *u -= T::from_f64(mean));
        }
    }
}

impl Reference<f64> {
    /// The residual of a solution, whatever computed it, with its L2 norm and the part that rounding u to double
    /// precision leaves.
    pub fn check(&self, u: &[f64]) -> Check {
        Check::new(&self.levels[0], u, &self.f[0], Norm::L2, f64::EPSILON / 2.0)
    }
}

impl<T: Real> Levels for Reference<T> {
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), Infallible> {
        let (kernels, f, u) = (&self.levels[level], &self.f[level], &mut self.u[level]);
        if start == Start::Zero {
            u.fill(T::ZERO);
        }
        for _ in 0..sweeps {
            match self.smoother {
                Smoother::RedBlack => {
                    for colour in Colour::BOTH {
                        *u = kernels.half_sweep(colour, f, u);
                    }
                }
                Smoother::Jacobi(omega) => *u = kernels.jacobi(omega, f, u),
            }
        }
        Ok(())
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), Infallible> {
        self.smooth(self.u.len() - 1, self.coarsest_sweeps, start)
    }

    fn descend(&mut self, level: usize) -> Result<(), Infallible> {
        let (fine, coarse) = (&self.levels[level], &self.levels[level + 1]);
        let residual = fine.residual(&self.f[level], &self.u[level]);
        self.f[level + 1] = fine.restrict(coarse, &residual);
        Ok(())
    }

    fn ascend(&mut self, level: usize) -> Result<(), Infallible> {
        let (fine, coarse) = (&self.levels[level], &self.levels[level + 1]);
        self.u[level] = fine.correct(coarse, &self.u[level + 1], &self.u[level]);
        Ok(())
    }
}
