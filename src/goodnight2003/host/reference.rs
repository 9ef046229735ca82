//! The whole solver on the CPU: the reference in double precision, the GPU's twin in single.
//!
//! The cycle is [`crate::solver::multigrid`]'s, the kernels are those of [`twin`](super::twin).

use std::convert::Infallible;

use super::twin::{Colour, TwinLevel};
use crate::goodnight2003::{Grid, Problem, ProblemError};
use crate::solver::Real;
use crate::solver::multigrid::{Cycle, Hierarchy, Multigrid, Start};
use crate::solver::stopping::{Criteria, Outcome};

/// How a level is relaxed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoother {
    /// A red and a black half-sweep.
    RedBlack,
    /// All nodes at once, by this part of the way.
    Jacobi(f64),
}

/// How the hierarchy is built and relaxed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostOptions {
    /// How a level is relaxed; red-black by default.
    pub smoother: Smoother,
    /// Sweeps on the coarsest level; 8 by default, as §5.3 has on every level.
    pub coarsest_sweeps: usize,
    /// How many levels at most; as many as there are by default.
    pub levels: u32,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self {
            smoother: Smoother::RedBlack,
            coarsest_sweeps: 8,
            levels: u32::MAX,
        }
    }
}

/// The operator map (W, E, S, N) and the boundary map (α, β, γ, s) of a level, a texel a node.
pub type LevelMaps = (Vec<[f64; 4]>, Vec<[f64; 4]>);

/// The levels of a problem in main memory. Vectors hold a value a node, replicas included.
pub struct HostSolver<T> {
    levels: Vec<TwinLevel<T>>,
    /// The finest level's equations in double precision.
    exact: TwinLevel<f64>,
    /// F in double precision.
    right_side: Vec<f64>,
    singular: bool,
    options: HostOptions,
}

/// What a solve leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct HostSolution<T> {
    /// U at each node of the finest grid, rows from the south up. Where only its slope is
    /// determined, the mean over the nodes is zero.
    pub u: Vec<T>,
    /// How the solve went.
    pub outcome: Outcome,
    /// ‖r‖₂ of the original equations, in double precision.
    pub true_residual: f64,
}

impl<T: Real> HostSolver<T> {
    /// The levels of a problem whose metric is known on the CPU.
    pub fn new(problem: &Problem, options: HostOptions) -> Result<Self, ProblemError> {
        let scales = problem.scales()?;
        let right_side = problem.balanced_right_side(&scales)?;
        let levels = problem.levels().min(options.levels.max(1));
        let boundaries = problem.boundary_maps(levels, &scales);
        let maps: Vec<_> = problem
            .operators(levels)?
            .into_iter()
            .zip(boundaries)
            .collect();
        let singular = problem.is_singular();
        Self::with_maps(&problem.grid, &maps, right_side, singular, options)
    }

    /// Levels with these maps, operator (W, E, S, N) and boundary (α, β, γ, s) of each level from
    /// the finest on, and F = V f on the finest: those that the GPU has computed, or others.
    /// `singular` says that the solution is determined up to a constant alone.
    pub fn with_maps(
        grid: &Grid,
        maps: &[LevelMaps],
        right_side: Vec<f64>,
        singular: bool,
        options: HostOptions,
    ) -> Result<Self, ProblemError> {
        let [(operator, boundary), ..] = maps else {
            let (what, expected) = ("the list of levels".into(), grid.levels() as usize);
            let got = 0;
            return Err(ProblemError::Length {
                what,
                got,
                expected,
            });
        };
        ProblemError::check_length("the right side", right_side.len(), grid.nodes(0))?;
        let level = |(level, (operator, boundary)): (usize, &LevelMaps)| {
            TwinLevel::new(grid, level as u32, operator, boundary)
        };
        Ok(Self {
            exact: TwinLevel::new(grid, 0, operator, boundary)?,
            levels: maps
                .iter()
                .enumerate()
                .map(level)
                .collect::<Result<_, _>>()?,
            right_side,
            singular,
            options,
        })
    }

    /// A level's maps and kernels.
    pub fn level(&self, level: usize) -> &TwinLevel<T> {
        &self.levels[level]
    }

    /// F = V f at each node of the finest grid.
    pub fn right_side(&self) -> &[f64] {
        &self.right_side
    }

    /// Another F on the same grid, for a problem that is solved again and again.
    pub fn set_right_side(&mut self, right_side: Vec<f64>) -> Result<(), ProblemError> {
        let nodes = self.right_side.len();
        ProblemError::check_length("the right side", right_side.len(), nodes)?;
        self.right_side = right_side;
        Ok(())
    }

    /// Zero, but for the prescribed values.
    pub fn start(&self) -> Vec<T> {
        self.levels[0].start()
    }

    /// Cycles from [`HostSolver::start`] until the criteria say stop. A solve that does not converge
    /// is no error but a reason in the outcome.
    pub fn solve(&self, cycle: Cycle, criteria: &Criteria) -> HostSolution<T> {
        self.solve_from(self.start(), cycle, criteria, |_, _| {})
    }

    /// The same from a given start; `observer` is shown the cycles done and the residual's norm.
    pub fn solve_from(
        &self,
        mut u: Vec<T>,
        cycle: Cycle,
        criteria: &Criteria,
        observer: impl FnMut(usize, f64),
    ) -> HostSolution<T> {
        let b = self.source();
        let Ok(outcome) = Multigrid::new(self, cycle)
            .and_then(|mut multigrid| multigrid.solve(&b, &mut u, criteria, observer));
        self.remove_mean(&mut u);
        HostSolution {
            true_residual: self.true_residual(&u),
            u,
            outcome,
        }
    }

    /// As many cycles, from a given start, as said: what is compared with the GPU's.
    pub fn cycles(&self, cycles: usize, cycle: Cycle, u: &mut Vec<T>) {
        let b = self.source();
        let Ok(mut multigrid) = Multigrid::new(self, cycle);
        for _ in 0..cycles {
            let Ok(()) = multigrid.cycle(Start::Given, &b, u);
        }
    }

    /// F in the solver's precision.
    pub fn source(&self) -> Vec<T> {
        self.right_side.iter().map(|f| T::from_f64(*f)).collect()
    }

    /// The residual of the original equations, in double precision.
    pub fn residual(&self, u: &[T]) -> Vec<f64> {
        let u: Vec<f64> = u.iter().map(|u| u.to_f64()).collect();
        self.exact.residual(&self.right_side, &u)
    }

    /// ‖r‖₂ of the original equations, in double precision; a replica counts no second time.
    pub fn true_residual(&self, u: &[T]) -> f64 {
        norm(&self.exact, &self.residual(u))
    }

    /// Takes the mean over the nodes off a solution that is determined up to a constant.
    pub fn remove_mean(&self, u: &mut [T]) {
        if self.singular {
            let sum: f64 = self.exact.originals().map(|node| u[node].to_f64()).sum();
            let mean = T::from_f64(sum / self.exact.originals().count() as f64);
            u.iter_mut().for_each(|u| *u -= mean);
        }
    }
}

fn norm<T: Real>(level: &TwinLevel<T>, values: &[T]) -> f64 {
    let square = |node: usize| values[node].to_f64() * values[node].to_f64();
    level.originals().map(square).sum::<f64>().sqrt()
}

impl<T: Real> Hierarchy for HostSolver<T> {
    type Vector = Vec<T>;
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn zeros(&self, level: usize) -> Result<Vec<T>, Infallible> {
        Ok(vec![T::ZERO; self.levels[level].nodes()])
    }

    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        b: &Vec<T>,
        u: &mut Vec<T>,
    ) -> Result<(), Infallible> {
        if start == Start::Zero {
            u.fill(T::ZERO);
        }
        let level = &self.levels[level];
        for _ in 0..sweeps {
            match self.options.smoother {
                Smoother::RedBlack => {
                    for colour in Colour::BOTH {
                        *u = level.half_sweep(colour, b, u);
                    }
                }
                Smoother::Jacobi(omega) => *u = level.jacobi(T::from_f64(omega), b, u),
            }
        }
        Ok(())
    }

    fn solve_coarsest(&self, start: Start, b: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        let coarsest = self.levels() - 1;
        self.relax(coarsest, self.options.coarsest_sweeps, start, b, u)
    }

    fn project_residual(
        &self,
        level: usize,
        b: &Vec<T>,
        u: &Vec<T>,
        coarse: &mut Vec<T>,
    ) -> Result<(), Infallible> {
        let residual = self.levels[level].residual(b, u);
        self.project(level, &residual, coarse)
    }

    fn project(&self, level: usize, fine: &Vec<T>, coarse: &mut Vec<T>) -> Result<(), Infallible> {
        *coarse = self.levels[level].restrict(&self.levels[level + 1], fine);
        Ok(())
    }

    fn correct(&self, level: usize, coarse: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        *u = self.levels[level].correct(&self.levels[level + 1], coarse, u);
        Ok(())
    }

    fn interpolate(&self, level: usize, coarse: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        *u = self.levels[level].interpolate(&self.levels[level + 1], coarse);
        Ok(())
    }

    fn residual_norm(&self, b: &Vec<T>, u: &Vec<T>) -> Result<f64, Infallible> {
        Ok(norm(&self.levels[0], &self.levels[0].residual(b, u)))
    }

    /// The right side of the equations that are left when the prescribed values are put in, so that
    /// boundary values count as sources do.
    fn norm(&self, b: &Vec<T>) -> Result<f64, Infallible> {
        self.residual_norm(b, &self.start())
    }
}
