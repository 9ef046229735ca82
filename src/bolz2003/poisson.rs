//! Poisson's and Helmholtz' equation on a regular grid, for users: −∇·(a ∇u) + σu = g by multigrid
//! on the stream processor (Bolz et al. 2003, section 4).
//!
//! Numbers go in and come out in the order of the nodes. The equation is integrated over the control
//! volumes ([`super::stencil`]), so the right side that the levels see is h² g times the volume's
//! share, with the flux through Neumann sides added and what Dirichlet sides contribute taken over;
//! residuals are residuals of that.
//!
//! With Neumann conditions all round and σ = 0, u is known but for a constant, and there is a
//! solution only if g and the flux balance: the sum of the right side is zero. What is left of that
//! sum by rounding is taken off; a larger imbalance is an error unless [`Options::balance`] allows
//! to take it off too. The solution returned then has mean zero.
//!
//! Single precision ends the convergence: the rounding of u alone leaves a residual of about ε |A| |u|,
//! and ‖b‖ is smaller than |A| |u| by h² for a smooth u. So the relative residual stops near 1e-4 on
//! 129² and rises by 4 as h halves, though u is right to six digits. By default the defect is
//! therefore computed in double precision on the CPU every few cycles, and the cycles solve for it
//! ([`Options::refine`]); without that a solve ends as `stagnated` where the precision ends.

use std::time::Instant;

use rayon::prelude::*;
use thiserror::Error;

use crate::solver::multigrid::{self, factors, iterate};
use crate::solver::{Criteria, Cycle, Hierarchy, Multigrid, Outcome, Reason, Start};
use crate::stream::{Machine, Stream, StreamError};

use super::grid::{Boundary, Grid, GridError};
use super::grid_hierarchy::{GridHierarchy, HierarchyOptions};
use super::stencil::{Stencils, apply_stencil, helmholtz_stencil};

/// Largest sum of a Neumann right side, as a part of the sum of its absolute values, that is put
/// down to rounding.
const IMBALANCE: f64 = 1e-4;

/// A coefficient of the equation.
#[derive(Debug, Clone, PartialEq)]
pub enum Coefficient {
    /// The same everywhere.
    Constant(f64),
    /// One value a node.
    Nodes(Vec<f32>),
}

impl Coefficient {
    fn at(&self, place: usize) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Nodes(values) => f64::from(values[place]),
        }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let (constant, nodes) = match self {
            Self::Constant(value) => (Some(*value), &[][..]),
            Self::Nodes(values) => (None, &values[..]),
        };
        constant
            .into_iter()
            .chain(nodes.iter().map(|&v| f64::from(v)))
    }
}

/// −∇·(a ∇u) + σu on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The nodes, and the conditions on the sides.
    pub grid: Grid,
    /// h, the distance of two nodes.
    pub spacing: f64,
    /// a > 0. Between two nodes it is their mean.
    pub diffusion: Coefficient,
    /// σ.
    pub sigma: Coefficient,
}

impl Equation {
    /// −∇²u = g with nodes at distance `spacing`.
    pub fn poisson(grid: Grid, spacing: f64) -> Self {
        Self {
            grid,
            spacing,
            diffusion: Coefficient::Constant(1.0),
            sigma: Coefficient::Constant(0.0),
        }
    }

    /// The stencil of a node in double precision.
    fn stencil(&self, i: usize, j: usize) -> [f64; 9] {
        let (grid, h2) = (&self.grid, self.spacing * self.spacing);
        let a = |i, j| self.diffusion.at(grid.place(i, j));
        let sigma_h2 = |i, j| h2 * self.sigma.at(grid.place(i, j));
        helmholtz_stencil(grid, i, j, a, sigma_h2)
    }

    /// b − A u at the nodes that are computed, zero elsewhere, in double precision.
    fn residual(&self, b: &[f64], u: &[f64]) -> Vec<f64> {
        let (grid, columns) = (&self.grid, self.grid.columns());
        let node = |place: usize| {
            let (i, j) = (place % columns, place / columns);
            match grid.is_computed(i, j) {
                true => b[place] - apply_stencil(grid, &self.stencil(i, j), u, i, j),
                false => 0.0,
            }
        };
        (0..grid.nodes()).into_par_iter().map(node).collect()
    }

    /// Whether u is known but for a constant.
    fn is_singular(&self) -> bool {
        self.grid.sides.all_neumann() && self.sigma.values().all(|sigma| sigma == 0.0)
    }

    /// Whether the stencil is the same at all inner nodes, and that of −∇² + σ.
    fn is_constant(&self) -> Option<f64> {
        match (&self.diffusion, &self.sigma) {
            (Coefficient::Constant(1.0), Coefficient::Constant(sigma)) => Some(*sigma),
            _ => None,
        }
    }

    /// The share of a cell that a node's control volume is.
    fn share(&self, place: usize) -> f64 {
        let columns = self.grid.columns();
        self.grid.extent(0, place % columns) * self.grid.extent(1, place / columns)
    }

    /// The right side of the integrated equation before known values are taken over: h² g and what
    /// flows in through Neumann sides, a h ∂u/∂n times the side's share.
    fn integrated(&self, right: &RightSide<'_>) -> Vec<f64> {
        let (grid, h) = (&self.grid, self.spacing);
        let columns = grid.columns();
        let flux = |place: usize| {
            let Some(given) = right.boundary else {
                return 0.0;
            };
            let (i, j) = (place % columns, place / columns);
            let [last_column, last_row] = grid.cells;
            let sides = grid.sides;
            let along = |side, extent| {
                if side == Boundary::Neumann {
                    extent
                } else {
                    0.0
                }
            };
            let mut length = 0.0;
            for (on_side, side, extent) in [
                (i == 0, sides.left, grid.extent(1, j)),
                (i == last_column, sides.right, grid.extent(1, j)),
                (j == 0, sides.bottom, grid.extent(0, i)),
                (j == last_row, sides.top, grid.extent(0, i)),
            ] {
                length += if on_side { along(side, extent) } else { 0.0 };
            }
            h * length * self.diffusion.at(place) * f64::from(given[place])
        };
        (0..grid.nodes())
            .into_par_iter()
            .map(|place| h * h * self.share(place) * f64::from(right.g[place]) + flux(place))
            .collect()
    }

    /// The known values on Dirichlet sides, zero elsewhere.
    fn known(&self, right: &RightSide<'_>) -> Vec<f64> {
        let columns = self.grid.columns();
        let node = |place: usize| match right.boundary {
            Some(given) if !self.grid.is_computed(place % columns, place / columns) => {
                f64::from(given[place])
            }
            _ => 0.0,
        };
        (0..self.grid.nodes()).map(node).collect()
    }

    fn check(&self) -> Result<(), PoissonError> {
        if !(self.spacing.is_finite() && self.spacing > 0.0) {
            return Err(PoissonError::Spacing(self.spacing));
        }
        for (what, coefficient) in [("a", &self.diffusion), ("sigma", &self.sigma)] {
            if let Coefficient::Nodes(values) = coefficient {
                check_nodes(&self.grid, what, values)?;
            }
            if let Some(value) = coefficient.values().find(|v| !v.is_finite()) {
                return Err(PoissonError::Coefficient { what, value });
            }
        }
        match self.diffusion.values().find(|&a| a <= 0.0) {
            Some(value) => Err(PoissonError::Coefficient { what: "a", value }),
            None => Ok(()),
        }
    }
}

/// What is given beside the equation.
#[derive(Debug, Clone, Copy)]
pub struct RightSide<'a> {
    /// g at every node.
    pub g: &'a [f32],
    /// One value a node, of which only those on the sides are used: u on Dirichlet sides, ∂u/∂n on
    /// Neumann sides (at a corner of two, the same number for both). Without it all are zero.
    pub boundary: Option<&'a [f32]>,
    /// Where to start from; zero without it.
    pub start: Option<&'a [f32]>,
}

impl<'a> RightSide<'a> {
    /// g with zero on all sides, from zero.
    pub fn new(g: &'a [f32]) -> Self {
        Self {
            g,
            boundary: None,
            start: None,
        }
    }
}

/// Where the stencils are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StencilStorage {
    /// In constants where the coefficients are constant, else in streams.
    #[default]
    Automatic,
    /// In nine streams, as in the paper.
    Streams,
}

/// What can be chosen about a solve. Defaults do not change once released.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Layout, border, weight of Jacobi, coarsest level.
    pub hierarchy: HierarchyOptions,
    /// Where the stencils are kept.
    pub stencils: StencilStorage,
    /// The shape of a cycle. Default V(4, 2).
    pub cycle: Cycle,
    /// Begin with full multigrid of so many cycles a level, instead of the start given.
    pub full: Option<usize>,
    /// When to stop; see [`multigrid::default_criteria`].
    pub criteria: Criteria,
    /// Defect correction in double precision after every so many cycles; the history then has one
    /// entry for each correction. Default 2. `None`: single precision throughout, as in the paper.
    pub refine: Option<usize>,
    /// Take the mean off a Neumann right side that does not balance, instead of refusing it.
    pub balance: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hierarchy: HierarchyOptions::default(),
            stencils: StencilStorage::default(),
            cycle: Cycle::default(),
            full: None,
            criteria: multigrid::default_criteria(),
            refine: Some(2),
            balance: false,
        }
    }
}

/// Why an equation cannot be solved at all.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PoissonError {
    /// The grid, or data of another size.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The distance of nodes.
    #[error("the spacing is {0}; give a positive number")]
    Spacing(f64),
    /// A coefficient that makes no equation.
    #[error("the coefficient {what} is {value} somewhere; it must be finite, and a positive")]
    Coefficient {
        /// a or σ.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// NaN or infinity among the data.
    #[error("{what} is {value} at column {column}, row {row}; all values must be finite")]
    NotFinite {
        /// Which data.
        what: &'static str,
        /// The value.
        value: f32,
        /// Column of the node.
        column: usize,
        /// Row of the node.
        row: usize,
    },
    /// A Neumann problem without a solution.
    #[error(
        "with Neumann sides all round and sigma = 0 the right side must balance, but its sum is {0:.1e} \
         of its size; take its mean off (or let that be done), or set a Dirichlet side"
    )]
    Incompatible(f64),
    /// The stream processor.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Solution {
    /// u at every node, known values included. With [`Options::refine`] its digits are double
    /// precision's.
    pub u: Vec<f64>,
    /// Why it stopped, cycles and residuals (of the integrated equation).
    pub outcome: Outcome,
    /// ‖b‖ of the integrated equation, known values taken over.
    pub norm_of_b: f64,
    /// ‖b − A u‖ of the u returned, computed from the equation in double precision.
    pub true_residual: f64,
    /// What was taken off g to make a Neumann right side balance.
    pub removed_mean: f64,
    /// Seconds for stencils, streams and programs.
    pub set_up_seconds: f64,
    /// Seconds for the cycles, from the upload of b to the read-back of u.
    pub solve_seconds: f64,
}

impl Solution {
    /// Why it stopped.
    pub fn reason(&self) -> Reason {
        self.outcome.reason
    }

    /// The factors by which the residual fell, step by step.
    pub fn factors(&self) -> Vec<f64> {
        factors(&self.outcome.history)
    }

    /// ‖b − A u‖ / ‖b‖, or of the first residual for b = 0.
    pub fn relative_residual(&self) -> f64 {
        match self.norm_of_b {
            0.0 if self.outcome.history[0] == 0.0 => 0.0,
            0.0 => self.true_residual / self.outcome.history[0],
            norm => self.true_residual / norm,
        }
    }
}

/// An equation made ready on the stream processor, for any number of right sides.
pub struct PoissonSolver {
    equation: Equation,
    options: Options,
    hierarchy: GridHierarchy,
    plain: Stream,
    set_up_seconds: f64,
}

impl PoissonSolver {
    /// Builds the stencils of all levels.
    ///
    /// # Errors
    /// [`PoissonError::Spacing`], [`PoissonError::Coefficient`], [`PoissonError::Grid`] for
    /// coefficients of another size, [`PoissonError::Stream`] when memory is short.
    pub fn new(
        machine: &Machine,
        equation: Equation,
        options: Options,
    ) -> Result<Self, PoissonError> {
        let started = Instant::now();
        equation.check()?;
        let grid = equation.grid;
        let h2 = equation.spacing * equation.spacing;
        let hierarchy = match (equation.is_constant(), options.stencils) {
            (Some(sigma), StencilStorage::Automatic) => {
                GridHierarchy::constant(machine, grid, sigma * h2, options.hierarchy)?
            }
            _ => {
                let stencils = Stencils::helmholtz(
                    grid,
                    |i, j| equation.diffusion.at(grid.place(i, j)),
                    |i, j| h2 * equation.sigma.at(grid.place(i, j)),
                );
                GridHierarchy::stored(machine, &stencils, options.hierarchy)?
            }
        };
        let plain = hierarchy.grid().plain("nodes")?;
        machine.finish();
        Ok(Self {
            equation,
            options,
            hierarchy,
            plain,
            set_up_seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// The hierarchy of grids below.
    pub fn hierarchy(&self) -> &GridHierarchy {
        &self.hierarchy
    }

    /// Solves for a right side. `observer` is shown the number of steps done and the norm of the
    /// residual: before the first and after each.
    ///
    /// # Errors
    /// [`PoissonError::Grid`] for data of another size, [`PoissonError::NotFinite`],
    /// [`PoissonError::Incompatible`], [`PoissonError::Stream`]. A solve that does not converge is
    /// no error but a [`Reason`].
    pub fn solve(
        &self,
        right: &RightSide<'_>,
        observer: impl FnMut(usize, f64),
    ) -> Result<Solution, PoissonError> {
        let equation = &self.equation;
        check_nodes(&equation.grid, "the right side", right.g)?;
        for (what, data) in [("the boundary", right.boundary), ("the start", right.start)] {
            data.map_or(Ok(()), |data| check_nodes(&equation.grid, what, data))?;
        }
        let known = equation.known(right);
        let mut b = equation.integrated(right);
        if right.boundary.is_some() {
            b = equation.residual(&b, &known);
        }
        let removed_mean = self.balance(&mut b)?;
        self.clear_known(&mut b);
        let mut u = match right.start {
            Some(start) => start.iter().map(|&v| f64::from(v)).collect(),
            None => vec![0.0; b.len()],
        };
        self.clear_known(&mut u);

        let started = Instant::now();
        let outcome = match self.options.refine {
            None => self.solve_single(&b, &mut u, observer)?,
            Some(cycles) => self.solve_refined(cycles.max(1), &b, &mut u, observer)?,
        };
        let solve_seconds = started.elapsed().as_secs_f64();
        let true_residual = norm(&equation.residual(&b, &u));
        if equation.is_singular() {
            self.fix_mean(&mut u);
        }
        u.iter_mut().zip(known).for_each(|(u, known)| *u += known);
        Ok(Solution {
            u,
            outcome,
            norm_of_b: norm(&b),
            true_residual,
            removed_mean,
            set_up_seconds: self.set_up_seconds,
            solve_seconds,
        })
    }

    /// All cycles in single precision.
    fn solve_single(
        &self,
        b: &[f64],
        u: &mut [f64],
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Outcome, PoissonError> {
        let scale = scale_of(b, u);
        let single = |values: &[f64]| values.iter().map(|v| (v / scale) as f32).collect();
        let b_stream = self.upload("b", single(b))?;
        let mut u_stream = self.upload("u", single(u))?;
        let mut multigrid = Multigrid::new(&self.hierarchy, self.options.cycle)?;
        if let Some(cycles) = self.options.full {
            multigrid.full(cycles, &b_stream, &mut u_stream)?;
        }
        let criteria = Criteria {
            atol: self.options.criteria.atol / scale,
            ..self.options.criteria
        };
        let mut outcome =
            multigrid.solve(&b_stream, &mut u_stream, &criteria, |step, residual| {
                observer(step, residual * scale)
            })?;
        let nodes = self.read(&u_stream)?;
        u.iter_mut()
            .zip(nodes)
            .for_each(|(u, node)| *u = f64::from(node) * scale);
        outcome.residual *= scale;
        outcome.verified = outcome.verified.map(|residual| residual * scale);
        outcome.history.iter_mut().for_each(|r| *r *= scale);
        Ok(outcome)
    }

    /// `cycles` cycles for the defect at a time, u and the defect in double precision.
    fn solve_refined(
        &self,
        cycles: usize,
        b: &[f64],
        u: &mut [f64],
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Outcome, PoissonError> {
        let mut defect = self.equation.residual(b, u);
        let first = norm(&defect);
        let norm_of_b = norm(b);
        let reference = if norm_of_b == 0.0 { first } else { norm_of_b };
        let criteria = &self.options.criteria;
        let mut multigrid = Multigrid::new(&self.hierarchy, self.options.cycle)?;
        let mut correction = self.hierarchy.zeros(0)?;
        observer(0, first);
        iterate(criteria, criteria.tolerance(reference), first, |step| {
            let scale = scale_of(&defect, &[]);
            let scaled = defect.iter().map(|d| (d / scale) as f32).collect();
            let right = self.upload("defect", scaled)?;
            match self.options.full {
                Some(per_level) if step == 1 => {
                    multigrid.full(per_level, &right, &mut correction)?;
                }
                _ => multigrid.cycle(Start::Zero, &right, &mut correction)?,
            }
            for _ in 1..cycles {
                multigrid.cycle(Start::Given, &right, &mut correction)?;
            }
            let nodes = self.read(&correction)?;
            u.iter_mut()
                .zip(nodes)
                .for_each(|(u, node)| *u += f64::from(node) * scale);
            defect = self.equation.residual(b, u);
            let residual = norm(&defect);
            observer(step, residual);
            Ok(residual)
        })
    }

    /// A vector of the finest level with these nodes.
    fn upload(&self, label: &str, nodes: Vec<f32>) -> Result<Stream, StreamError> {
        let grid = self.hierarchy.grid();
        let stream = grid.zeros(label)?;
        self.plain.write(&nodes)?;
        grid.layer(&self.plain, &stream)?;
        Ok(stream)
    }

    fn read(&self, stream: &Stream) -> Result<Vec<f32>, StreamError> {
        self.hierarchy.grid().unlayer(stream, &self.plain)?;
        self.plain.read()
    }

    /// Takes off the right side what no u could give, if the matrix is singular. Returns it as a
    /// value of g.
    fn balance(&self, b: &mut [f64]) -> Result<f64, PoissonError> {
        if !self.equation.is_singular() {
            return Ok(0.0);
        }
        let sum: f64 = b.iter().sum();
        let size: f64 = b.iter().map(|v| v.abs()).sum();
        if sum.abs() > IMBALANCE * size && !self.options.balance {
            return Err(PoissonError::Incompatible(sum / size));
        }
        let [columns, rows] = self.equation.grid.cells;
        let mean = sum / (columns * rows) as f64;
        for (place, value) in b.iter_mut().enumerate() {
            *value -= mean * self.equation.share(place);
        }
        Ok(mean / (self.equation.spacing * self.equation.spacing))
    }

    /// Makes the mean over the domain zero.
    fn fix_mean(&self, u: &mut [f64]) {
        let [columns, rows] = self.equation.grid.cells;
        let shares = u.iter().enumerate();
        let sum: f64 = shares
            .map(|(place, v)| self.equation.share(place) * v)
            .sum();
        let mean = sum / (columns * rows) as f64;
        u.iter_mut().for_each(|u| *u -= mean);
    }

    /// Zero where nodes are not computed.
    fn clear_known(&self, values: &mut [f64]) {
        let grid = &self.equation.grid;
        let columns = grid.columns();
        for (place, value) in values.iter_mut().enumerate() {
            if !grid.is_computed(place % columns, place / columns) {
                *value = 0.0;
            }
        }
    }
}

/// The largest absolute value: what single precision sees has size one, and no square of it
/// underflows.
fn scale_of(b: &[f64], u: &[f64]) -> f64 {
    let largest = |values: &[f64]| values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    match (largest(b), largest(u)) {
        (0.0, 0.0) => 1.0,
        (0.0, of_u) => of_u,
        (of_b, _) => of_b,
    }
}

fn norm(values: &[f64]) -> f64 {
    values.par_iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// One finite value a node.
fn check_nodes(grid: &Grid, what: &'static str, values: &[f32]) -> Result<(), PoissonError> {
    if values.len() != grid.nodes() {
        let (found, expected) = (values.len(), grid.nodes());
        return Err(GridError::Length {
            what,
            found,
            expected,
        }
        .into());
    }
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(place) => Err(PoissonError::NotFinite {
            what,
            value: values[place],
            column: place % grid.columns(),
            row: place / grid.columns(),
        }),
    }
}
