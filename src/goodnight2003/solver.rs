//! The solver: a problem on the stream processor, and the cycles that solve it (goodnight2003 §4).

use std::cell::OnceCell;

use crate::solver::multigrid::{Cycle, Multigrid, Start, iterate};
use crate::solver::{Criteria, Reason};
use crate::stream::{Machine, Rect, Rects, Stream};

use super::atlas::Atlas;
use super::convergence::{Check, Equations};
use super::hierarchy::{Level, Levels};
use super::kernels::Kernels;
use super::maps::{Maps, scales_of};
use super::storage::Storage;
use super::{Boundaries, Norm, Problem, ProblemError, Scales, Settings, Smoother, SolverError};

/// The unit roundoff of single precision.
const ROUNDOFF: f64 = 1.0 / (1u32 << 24) as f64;

/// What a solve did.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// Why it stopped.
    pub reason: Reason,
    /// Cycles.
    pub cycles: usize,
    /// The norm of the true residual, computed on the CPU in double precision.
    pub residual: f64,
    /// What it had to fall to.
    pub tolerance: f64,
    /// What rounding alone can leave of the residual, at most.
    pub rounding: f64,
    /// The norm before the first cycle and after each.
    pub history: Vec<f64>,
}

impl Solved {
    /// Whether the equations are solved: within the tolerance, or as well as the surface's precision
    /// can hold the solution.
    pub fn is_solved(&self) -> bool {
        match self.reason {
            Reason::Converged => true,
            Reason::Stagnated => self.residual <= self.rounding,
            _ => false,
        }
    }
}

/// A problem on the stream processor.
///
/// A solution that is determined up to a constant only is read back with mean zero over the nodes,
/// replicas not counted.
pub struct Solver {
    problem: Problem,
    scales: Scales,
    levels: Levels,
    cycle: Cycle,
    norm: Norm,
    equations: OnceCell<Equations>,
}

impl Solver {
    /// Uploads the problem and computes its maps. The source is the problem's; the solution is zero.
    ///
    /// # Errors
    /// A problem without a solution, a surface over the limit, or those of the stream processor.
    pub fn new(
        machine: &Machine,
        problem: &Problem,
        settings: &Settings,
    ) -> Result<Self, SolverError> {
        let problem = problem.clone();
        let scales = scales_of(machine, &problem)?;
        let source = problem.balanced_right_side(&scales)?;
        let grid = problem.grid;
        let levels = settings.levels.unwrap_or(u32::MAX).clamp(1, grid.levels());
        let sizes: Vec<_> = (0..levels).map(|level| grid.size(level)).collect();
        let driver = machine.context().description().rectangle_limit;
        let limit = settings.surface_limit.unwrap_or(u32::MAX).min(driver);
        let atlas = Atlas::pack(&sizes, limit)?;
        let mut solver = Self {
            levels: Levels {
                grid,
                storage: Storage::one(machine, &atlas)?,
                maps: Maps::new(machine, &problem, &scales, atlas)?,
                kernels: Kernels::new(
                    machine,
                    matches!(settings.smoother, Smoother::Jacobi(_)),
                )?,
                smoother: settings.smoother,
                coarsest_sweeps: settings.coarsest_sweeps,
            },
            cycle: settings.cycle,
            norm: settings.norm,
            equations: OnceCell::new(),
            problem,
            scales,
        };
        let source: Vec<f32> = source.iter().map(|f| *f as f32).collect();
        solver.set_source(&source)?;
        Ok(solver)
    }

    /// V, the volume of each node.
    pub fn volumes(&self) -> Vec<f64> {
        self.problem.volumes(&self.scales)
    }

    /// The problem, with the boundary conditions as they are now.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The levels, kernel by kernel.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The maps.
    pub fn maps(&self) -> &Maps {
        &self.levels.maps
    }

    /// Uploads U, one a node, rows from the south up.
    ///
    /// # Errors
    /// [`ProblemError::Length`], [`ProblemError::NotFinite`], and those of the stream processor.
    pub fn set_solution(&mut self, u: &[f32]) -> Result<(), SolverError> {
        self.set_channel(0, "the solution", u)
    }

    /// Uploads F = V f, one a node, rows from the south up.
    ///
    /// # Errors
    /// As [`Solver::set_solution`]; [`ProblemError::Incompatible`].
    pub fn set_source(&mut self, f: &[f32]) -> Result<(), SolverError> {
        self.set_channel(2, "the source", f)?;
        self.check_balance(f)
    }

    /// Other conditions on the same sides. The coefficients stay.
    ///
    /// # Errors
    /// Those of [`Boundaries::check`]; [`ProblemError::Incompatible`].
    pub fn set_boundary(&mut self, boundaries: Boundaries) -> Result<(), SolverError> {
        boundaries.check(&self.problem.grid)?;
        self.problem.boundaries = boundaries;
        self.levels.maps.write_boundary(&self.problem, &self.scales)?;
        self.equations = OnceCell::new();
        self.check_balance(&self.channel(2)?)
    }

    /// U, one a node, rows from the south up. With mean zero where it is determined up to a constant
    /// only.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn solution(&self) -> Result<Vec<f32>, SolverError> {
        let mut u = self.channel(0)?;
        if self.problem.is_singular() {
            let sum: f64 = self.problem.originals().map(|node| f64::from(u[node])).sum();
            let mean = sum / self.problem.originals().count() as f64;
            u.iter_mut().for_each(|u| *u = (f64::from(*u) - mean) as f32);
        }
        Ok(u)
    }

    /// F, one a node, as it lies on the machine.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn source(&self) -> Result<Vec<f32>, SolverError> {
        self.channel(2)
    }

    /// The true residual of the solution, computed on the CPU in double precision, and its norm.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn residual(&self) -> Result<Check, SolverError> {
        let (u, f) = (self.channel(0)?, self.channel(2)?);
        Ok(self.equations()?.check(&u, &f, self.norm, ROUNDOFF))
    }

    /// Where the finest level lies now: a surface and a rectangle of it, whose corner is the origin.
    pub fn state(&self) -> (&Stream, Rect) {
        let place = self.levels.storage.source(0);
        (self.levels.storage.surface(place), place.rect)
    }

    /// Lets another kernel write the finest level's next state: `draw` is given the surface that holds
    /// it now, the one to be drawn into and the rectangle to be drawn (the same in both, with its
    /// corner at the origin). Every texel of it must be written: U, anything, F, 0.
    ///
    /// # Errors
    /// Those of `draw`; the state is then the old one.
    pub fn update<E>(
        &mut self,
        draw: impl FnOnce(&Stream, &Stream, &Rects) -> Result<(), E>,
    ) -> Result<(), E> {
        let storage = &self.levels.storage;
        let target = storage.target(0);
        draw(self.state().0, storage.surface(target), &target.rects)?;
        storage.toggle(0);
        Ok(())
    }

    /// Sweeps of the smoother on a level.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn smooth(&mut self, level: usize, sweeps: usize) -> Result<(), SolverError> {
        Ok(self.levels.smooth(level, sweeps)?)
    }

    /// One cycle.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn cycle(&mut self) -> Result<(), SolverError> {
        let (b, mut u) = (Level(0), Level(0));
        Multigrid::new(&self.levels, self.cycle)?.cycle(Start::Given, &b, &mut u)
    }

    /// Cycles until the residual is within max(rtol ‖b‖, atol), b being the residual of U = 0 with
    /// prescribed values in place; for b = 0 the first residual takes its place. Begins with one
    /// sweep, which puts prescribed values where they belong. `observer` is shown the number of
    /// cycles done and the norm of the residual.
    ///
    /// # Errors
    /// Those of the stream processor. A solve that does not converge is no error but a [`Reason`].
    pub fn solve(
        &mut self,
        criteria: &Criteria,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Solved, SolverError> {
        self.smooth(0, 1)?;
        let first = self.residual()?;
        let right_side = {
            let f = self.channel(2)?;
            self.equations()?.norm_of_right_side(&f, self.norm)
        };
        let scale = if right_side == 0.0 { first.norm } else { right_side };
        let tolerance = criteria.tolerance(scale);
        observer(0, first.norm);
        let mut last = first;
        let first = last.norm;
        let outcome = iterate(criteria, tolerance, first, |done| -> Result<_, SolverError> {
            self.cycle()?;
            last = self.residual()?;
            observer(done, last.norm);
            Ok(last.norm)
        })?;
        Ok(Solved {
            reason: outcome.reason,
            cycles: outcome.iterations,
            residual: last.norm,
            tolerance,
            rounding: last.rounding,
            history: outcome.history,
        })
    }

    fn equations(&self) -> Result<&Equations, SolverError> {
        if let Some(known) = self.equations.get() {
            return Ok(known);
        }
        let (maps, grid) = (&self.levels.maps, &self.problem.grid);
        let place = maps.atlas.places[0];
        let equations = Equations::new(
            grid,
            &maps.operator.read_rect(place)?,
            &maps.boundary.read_rect(place)?,
        )?;
        Ok(self.equations.get_or_init(|| equations))
    }

    /// A channel of the finest level's texels.
    fn channel(&self, channel: usize) -> Result<Vec<f32>, SolverError> {
        let texels = self.levels.read(0)?;
        Ok(texels.iter().skip(channel).step_by(4).copied().collect())
    }

    fn set_channel(&self, channel: usize, what: &str, values: &[f32]) -> Result<(), SolverError> {
        let nodes = self.problem.grid.nodes(0);
        if values.len() != nodes {
            return Err(SolverError::Problem(ProblemError::Length {
                what: what.into(),
                got: values.len(),
                expected: nodes,
            }));
        }
        if let Some(node) = values.iter().position(|value| !value.is_finite()) {
            return Err(SolverError::Problem(ProblemError::NotFinite {
                what: what.into(),
                node,
            }));
        }
        let mut texels = self.levels.read(0)?;
        let texel = texels.chunks_exact_mut(4);
        texel.zip(values).for_each(|(texel, value)| texel[channel] = *value);
        Ok(self.levels.write(0, &texels)?)
    }

    fn check_balance(&self, f: &[f32]) -> Result<(), SolverError> {
        if !self.problem.is_singular() {
            return Ok(());
        }
        let (sum, magnitude) = self.equations()?.balance(f);
        match sum.abs() > super::problem::BALANCE * magnitude {
            true => Err(SolverError::Problem(ProblemError::Incompatible { sum })),
            false => Ok(()),
        }
    }
}
