//! Poisson and Helmholtz equations on a regular grid, for users: −∇·(a ∇u) + σu = g by multigrid
//! on the GPU (Bolz et al. 2003, section 4).
//!
//! Input and output are in the order of the nodes. The equation is integrated over the control
//! volumes ([`crate::bolz2003::grid::stencil`]), so the right-hand side on the levels is h² g times the volume's
//! share, plus the flux through Neumann sides and the contribution of Dirichlet sides. Norms are
//! divided by h², and so in the unit of g.
//!
//! With Neumann conditions on all sides and σ = 0, u is determined only up to a constant, and a
//! solution exists only if g and the flux balance: the sum of the right-hand side is zero. The part of that
//! sum due to rounding errors is subtracted; a larger imbalance is an error unless [`Options::balance`] allows
//! subtracting it too. The solution returned then has mean zero.
//!
//! Single precision limits convergence: the rounding of u alone leaves a residual of about ε |A| |u|,
//! and ‖b‖ is smaller than |A| |u| by h² for a smooth u. So the relative residual stagnates near 1e-4 on
//! 129² and rises by 4 as h is halved, although u is right to six digits. By default the defect is
//! therefore computed every few cycles in double precision on the CPU, or in pairs of floats on the GPU, and the cycles
//! solve for it ([`Options::refine`]); otherwise a solve ends as `stagnated` at the limit of the precision.

mod equation;
pub mod named;
mod refined;
mod solution;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use web_time::Instant;

use crate::bolz2003::Error;
use crate::settings::headed;
use crate::solver::host::tree_dot;
use crate::solver::multigrid::{self, SWEEPS, iterate};
use crate::solver::{Criteria, Cycle, Hierarchy, Multigrid, Outcome, Seconds, Start};
use crate::stream::{Machine, Stream, StreamError};

use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, Weights};
use crate::bolz2003::grid::stencil::Stencils;
use equation::check_nodes;

pub use crate::bolz2003::grid::hierarchy::StencilStorage;
pub use equation::{Coefficient, Equation, RightSide};
pub use solution::Solution;

/// Largest sum of a Neumann right-hand side, relative to the sum of its absolute values, that is attributed
/// to rounding errors.
const IMBALANCE: f64 = 1e-4;

/// Settings of a solve. Defaults do not change once released.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Options {
    /// Layout, border, weights of Jacobi, coarsest level. By default borders are fused and the weights are
    /// Chebyshev's, which is faster than the paper's options.
    #[serde(flatten)]
    pub hierarchy: HierarchyOptions,
    /// Storage of the stencils
    pub stencils: StencilStorage,
    /// Shape of a cycle. Default V(0, 3): three sweeps in a row with Chebyshev's weights leave 1/13.5 of
    /// the high frequencies of five points, the paper's V(4, 2) 0.088 in six. Where a level starts from
    /// zero, sweeps afterwards save its first residual.
    #[serde(flatten)]
    pub cycle: Cycle,
    /// Begin with full multigrid, from the coarsest grid to the finest, with N cycles per level
    #[schemars(range(min = 1, max = SWEEPS), extend("alone" = "1"))]
    pub full: Option<usize>,
    /// Criteria to stop; see [`multigrid::default_criteria`].
    #[serde(flatten)]
    pub criteria: Criteria,
    /// Correct u in double precision on the CPU after at most N cycles; 0: single precision throughout, as
    /// in the paper
    ///
    /// Fewer cycles if the reduction so far shows that the goal is nearer. Five are about as many as single
    /// precision has digits for.
    pub refine: usize,
    /// Subtract the mean of g where a pure Neumann or periodic problem has no solution otherwise
    #[serde(rename = "remove_mean")]
    pub balance: bool,
}

/// The settings of the solver have a heading in the help.
fn arrange(schema: &mut Schema) {
    headed(schema, "Solver");
}

impl Default for Options {
    /// The paper's, which prints no tolerance: on 257² nodes single precision reaches this one.
    fn default() -> Self {
        Self {
            hierarchy: HierarchyOptions::default(),
            stencils: StencilStorage::Streams,
            cycle: Cycle::v(4, 2),
            full: None,
            criteria: Criteria { rtol: 1e-3, ..multigrid::default_criteria() },
            refine: 0,
            balance: false,
        }
    }
}

impl Options {
    /// fragstream's variant: corrections in double precision, Chebyshev's weights, fused borders.
    pub fn robust() -> Self {
        Self {
            hierarchy: HierarchyOptions {
                weights: Weights::Chebyshev,
                ..HierarchyOptions::fused()
            },
            stencils: StencilStorage::default(),
            cycle: Cycle::v(0, 3),
            criteria: multigrid::default_criteria(),
            refine: 5,
            ..Self::default()
        }
    }

    /// Cycles before those of the criteria: full multigrid in single precision.
    fn cycles_before(&self) -> usize {
        if self.refine == 0 { self.full.unwrap_or(0) } else { 0 }
    }
}

/// An equation prepared on the GPU, for any number of right-hand sides.
pub struct PoissonSolver {
    equation: Equation,
    options: Options,
    hierarchy: GridHierarchy,
    plain: Stream,
    residual_on_gpu: bool,
    set_up_seconds: f64,
}

impl PoissonSolver {
    /// Builds the stencils of all levels.
    pub fn new(machine: &Machine, equation: Equation, options: Options) -> Result<Self, Error> {
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
            residual_on_gpu: refined::is_faster_on_gpu(machine),
            set_up_seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Chooses where the residuals between corrections are computed: on the GPU in pairs of floats, if it keeps rounding
    /// errors and the coefficients are constant, or on the CPU.
    pub fn with_residual_on_gpu(mut self, is_on_gpu: bool) -> Self {
        self.residual_on_gpu = is_on_gpu && self.plain.machine().keeps_errors();
        self
    }

    /// Solves for a right-hand side. `observer` receives the number of cycles done and the norm of the residual:
    /// before the first cycle, then after each, or, with [`Options::refine`], after each correction.
    /// A solve that does not converge is not an error but a [`Reason`](crate::solver::Reason).
    pub fn solve(
        &self,
        right: &RightSide<'_>,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Solution, Error> {
        let equation = &self.equation;
        check_nodes(&equation.grid, "the right-hand side", right.g)?;
        for (what, data) in [("the boundary", right.boundary), ("the start", right.start)] {
            data.map_or(Ok(()), |data| check_nodes(&equation.grid, what, data))?;
        }
        // Exact, so that neither what is given nor a square of it leaves the range of numbers.
        let scale = right.scale();
        let known = equation.known(right, scale);
        let mut b = equation.integrated(right, scale);
        if right.boundary.is_some() {
            b = equation.residual(&b, &known);
        }
        let removed_mean = self.balance(&mut b)?;
        self.clear_known(&mut b);
        let mut u = match right.start {
            Some(start) => start.iter().map(|v| scale * v).collect(),
            None => vec![0.0; b.len()],
        };
        self.clear_known(&mut u);

        let unit = scale * equation.spacing * equation.spacing;
        let before = self.options.cycles_before();
        let given = self.options.criteria;
        let criteria = Criteria {
            atol: given.atol * unit,
            max_iterations: given.max_iterations.saturating_sub(before),
            ..given
        };
        let mut history = Vec::new();
        let observer = |cycles, residual| {
            history.push((cycles, residual));
            observer(cycles + before, residual / unit);
        };
        let started = Instant::now();
        let (outcome, remainder, error) = match self.options.refine {
            0 => self.solve_single(&criteria, &b, &mut u, observer)?,
            _ => self.solve_refined(&criteria, &b, &mut u, observer)?,
        };
        let solve = started.elapsed().as_secs_f64();
        if equation.is_singular() {
            let mean = equation.grid.mean(&u);
            u.iter_mut().for_each(|u| *u -= mean);
        }
        u.iter_mut().zip(known).for_each(|(u, known)| *u += known);
        equation.grid.bring_in_step(&mut u);
        Ok(Solution::new(
            equation,
            (&criteria, before, self.options.refine > 0),
            (outcome, history),
            &remainder,
            [norm(&b), removed_mean / scale],
            Seconds { set_up: self.set_up_seconds, solve },
            (u, error, scale),
        ))
    }

    /// Runs all cycles in single precision. Returns b − A u, too.
    fn solve_single(
        &self,
        criteria: &Criteria,
        b: &[f64],
        u: &mut [f64],
        mut observer: impl FnMut(usize, f64),
    ) -> Result<(Outcome, Vec<f64>, Option<f64>), Error> {
        let scale = scale_of(b, u);
        let single =
            |values: &[f64]| -> Vec<f32> { values.iter().map(|v| (v / scale) as f32).collect() };
        let [b_stream, mut u_stream] = [self.hierarchy.zeros(0)?, self.hierarchy.zeros(0)?];
        self.write(&single(b), &b_stream)?;
        self.write(&single(u), &u_stream)?;
        let mut multigrid = Multigrid::new(&self.hierarchy, self.options.cycle)?;
        if let Some(cycles) = self.options.full {
            multigrid.full(cycles, &b_stream, &mut u_stream)?;
        }
        let mut read = |stream: &Stream| -> Result<Vec<f64>, StreamError> {
            let nodes = self.read(stream)?;
            u.iter_mut().zip(nodes).for_each(|(u, node)| *u = f64::from(node) * scale);
            Ok(self.equation.residual(b, u))
        };
        let start = self.hierarchy.residual_norm(&b_stream, &u_stream)? * scale;
        let norm_of_b = norm(b);
        let tolerance = criteria.tolerance(if norm_of_b == 0.0 { start } else { norm_of_b });
        // Within the tolerance, the true norm takes its place.
        let mut measure = |cycle, found: f64, stream: &Stream| -> Result<f64, StreamError> {
            let found = if found > tolerance { found } else { norm(&read(stream)?) };
            observer(cycle, found);
            Ok(found)
        };
        let first = measure(0, start, &u_stream)?;
        let outcome = iterate(criteria, tolerance, first, |cycle| {
            multigrid.cycle(Start::Given, &b_stream, &mut u_stream)?;
            let found = self.hierarchy.residual_norm(&b_stream, &u_stream)?;
            measure(cycle, found * scale, &u_stream)
        })?;
        Ok((outcome, read(&u_stream)?, None))
    }

    /// Sets the nodes of a vector of the finest level.
    fn write(&self, nodes: &[f32], vector: &Stream) -> Result<(), StreamError> {
        let grid = &self.equation.grid;
        if grid.is_periodic(0) || grid.is_periodic(1) {
            let mut nodes = nodes.to_vec();
            grid.bring_in_step(&mut nodes);
            self.plain.write(&nodes)?;
        } else {
            self.plain.write(nodes)?;
        }
        self.hierarchy.grid().layer(&self.plain, vector)
    }

    fn read(&self, stream: &Stream) -> Result<Vec<f32>, StreamError> {
        self.hierarchy.grid().unlayer(stream, &self.plain)?;
        self.plain.read()
    }

    /// If the matrix is singular, subtracts the part of the right-hand side that no u can produce. Returns it as a
    /// value of g.
    fn balance(&self, b: &mut [f64]) -> Result<f64, Error> {
        if !self.equation.is_singular() {
            return Ok(0.0);
        }
        let sum: f64 = b.iter().sum();
        let size: f64 = b.iter().map(|v| v.abs()).sum();
        if sum.abs() > IMBALANCE * size && !self.options.balance {
            return Err(Error::Incompatible(sum / size));
        }
        let mean = self.equation.grid.balance(b);
        Ok(mean / (self.equation.spacing * self.equation.spacing))
    }

    /// Sets nodes that are not computed to zero.
    fn clear_known(&self, values: &mut [f64]) {
        let grid = &self.equation.grid;
        let computed = grid.map(0.0, |i, j| values[grid.place(i, j)]);
        values.copy_from_slice(&computed);
    }
}

/// The largest absolute value. Dividing by it gives single precision numbers of size one, whose squares do not
/// underflow.
fn scale_of(b: &[f64], u: &[f64]) -> f64 {
    let largest = |values: &[f64]| values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    match (largest(b), largest(u)) {
        (0.0, 0.0) => 1.0,
        (0.0, of_u) => of_u,
        (of_b, _) => of_b,
    }
}

pub(super) fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}
