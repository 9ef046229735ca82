//! The solver on the CPU, in double or in single precision: the reference of the GPU's (goodnight2003 §5.1), and
//! the CPU of Fig. 3.
//!
//! It has the kernels of [`Level`], and the same cycle as the GPU.

use std::convert::Infallible;

use crate::goodnight2003::multigrid::convergence::Check;
use crate::goodnight2003::problem::grid::Colour;
use crate::goodnight2003::{Equations, Error, Level, Norm, Problem, Settings, Smoother};
use crate::solver::Real;
use crate::solver::multigrid::{Cycle, Levels, Start, cycle, iterate};
use crate::solver::stopping::{Criteria, Outcome};

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
