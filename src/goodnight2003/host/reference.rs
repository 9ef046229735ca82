//! The whole solver on the CPU, in double precision: the reference of the GPU's.
//!
//! The cycle is [`crate::solver::multigrid`]'s, the kernels are those of [`TwinLevel`].

use std::convert::Infallible;

use crate::goodnight2003::{Colour, Norm, Problem, ProblemError, Settings, Smoother, TwinLevel};
use crate::solver::multigrid::{Cycle, Levels, Start, cycle, iterate};
use crate::solver::stopping::{Criteria, Outcome};

/// The levels of a problem in main memory. Vectors hold one value per node, including replicas.
pub struct HostSolver {
    levels: Vec<TwinLevel>,
    right_side: Vec<f64>,
    singular: bool,
    smoother: Smoother,
    coarsest_sweeps: usize,
}

/// Result of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct HostSolution {
    /// U at each node of the finest grid, rows from the south up. If it is determined only up to a
    /// constant, the mean over the nodes is zero.
    pub u: Vec<f64>,
    /// Outcome of the solve.
    pub outcome: Outcome,
}

impl HostSolver {
    /// The levels of a problem whose metric is known on the CPU. The relevant settings are the levels, the
    /// smoother and the sweeps on the coarsest level.
    pub fn new(problem: &Problem, settings: &Settings) -> Result<Self, ProblemError> {
        let scales = problem.scales()?;
        let right_side = problem.balanced(problem.right_side(&scales), &scales)?;
        let levels = settings.levels_of(problem);
        let boundaries = problem.boundary_maps(levels, &scales);
        let maps = (0..).zip(problem.operators(levels)?.into_iter().zip(boundaries));
        let twin = |(level, (operator, boundary))| {
            TwinLevel::new(&problem.grid, level, operator, boundary)
        };
        let levels = maps.map(twin).collect();
        Self::with_levels(levels, right_side, problem.is_singular(), settings)
    }

    /// These levels, the finest first, and F = V f on the finest: those that the GPU has computed, or others.
    /// `singular` is true if the solution is determined only up to a constant.
    pub fn with_levels(
        levels: Vec<TwinLevel>,
        right_side: Vec<f64>,
        singular: bool,
        settings: &Settings,
    ) -> Result<Self, ProblemError> {
        let nodes = levels.first().map_or(0, TwinLevel::nodes);
        ProblemError::check_length("the right-hand side", right_side.len(), nodes)?;
        Ok(Self {
            levels,
            right_side,
            singular,
            smoother: settings.smoother,
            coarsest_sweeps: settings.coarsest_sweeps,
        })
    }

    /// Number of levels.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// A level's maps and kernels.
    pub fn level(&self, level: usize) -> &TwinLevel {
        &self.levels[level]
    }

    /// F = V f at each node of the finest grid.
    pub fn right_side(&self) -> &[f64] {
        &self.right_side
    }

    /// Replaces F on the same grid, for a problem that is solved repeatedly.
    pub fn set_right_side(&mut self, right_side: Vec<f64>) -> Result<(), ProblemError> {
        let nodes = self.right_side.len();
        ProblemError::check_length("the right-hand side", right_side.len(), nodes)?;
        self.right_side = right_side;
        Ok(())
    }

    /// Cycles from zero, except for the prescribed values, until the criteria are met. The residual of
    /// the start takes the place of ‖F‖, so that boundary values count like sources. A
    /// solve that does not converge is not an error but a reason in the outcome.
    pub fn solve(&self, shape: Cycle, criteria: &Criteria) -> HostSolution {
        let mut state = self.state(self.levels[0].start());
        let first = state.residual();
        let Ok(outcome) = iterate(criteria, criteria.tolerance(first), first, |_| {
            cycle(&mut state, shape, Start::Given).map(|()| state.residual())
        });
        let mut u = state.u.swap_remove(0);
        self.remove_mean(&mut u);
        HostSolution { u, outcome }
    }

    /// Runs this number of cycles from a given start, for comparison with the GPU. Returns ‖r‖₂ at the
    /// end.
    pub fn cycles(&self, cycles: usize, shape: Cycle, u: &mut Vec<f64>) -> f64 {
        let mut state = self.state(std::mem::take(u));
        for _ in 0..cycles {
            let Ok(()) = cycle(&mut state, shape, Start::Given);
        }
        let residual = state.residual();
        *u = state.u.swap_remove(0);
        residual
    }

    /// All levels with this U on the finest.
    fn state(&self, u: Vec<f64>) -> State<'_> {
        let zeros = |level: &TwinLevel| vec![0.0; level.nodes()];
        let coarser = || self.levels[1..].iter().map(zeros);
        State {
            solver: self,
            u: std::iter::once(u).chain(coarser()).collect(),
            f: std::iter::once(self.right_side.clone())
                .chain(coarser())
                .collect(),
        }
    }

    /// Subtracts the mean over the nodes from a solution that is determined up to a constant.
    pub fn remove_mean(&self, u: &mut [f64]) {
        if self.singular {
            let originals = || self.levels[0].originals();
            let mean = originals().map(|node| u[node]).sum::<f64>() / originals().count() as f64;
            u.iter_mut().for_each(|u| *u -= mean);
        }
    }
}

/// The levels of a solver with U and F of each.
struct State<'a> {
    solver: &'a HostSolver,
    u: Vec<Vec<f64>>,
    f: Vec<Vec<f64>>,
}

impl State<'_> {
    /// ‖r‖₂ on the finest level; replicas are counted once.
    fn residual(&self) -> f64 {
        let finest = &self.solver.levels[0];
        let residual = finest.residual(&self.f[0], &self.u[0]);
        Norm::L2.of(finest.originals().map(|node| residual[node]))
    }
}

impl Levels for State<'_> {
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.u.len()
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), Infallible> {
        let (twin, f, u) = (
            &self.solver.levels[level],
            &self.f[level],
            &mut self.u[level],
        );
        if start == Start::Zero {
            u.fill(0.0);
        }
        for _ in 0..sweeps {
            match self.solver.smoother {
                Smoother::RedBlack => {
                    for colour in Colour::BOTH {
                        *u = twin.half_sweep(colour, f, u);
                    }
                }
                Smoother::Jacobi(omega) => *u = twin.jacobi(omega, f, u),
            }
        }
        Ok(())
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), Infallible> {
        self.smooth(self.u.len() - 1, self.solver.coarsest_sweeps, start)
    }

    fn descend(&mut self, level: usize) -> Result<(), Infallible> {
        let (fine, coarse) = (&self.solver.levels[level], &self.solver.levels[level + 1]);
        let residual = fine.residual(&self.f[level], &self.u[level]);
        self.f[level + 1] = fine.restrict(coarse, &residual);
        Ok(())
    }

    fn ascend(&mut self, level: usize) -> Result<(), Infallible> {
        let (fine, coarse) = (&self.solver.levels[level], &self.solver.levels[level + 1]);
        self.u[level] = fine.correct(coarse, &self.u[level + 1], &self.u[level]);
        Ok(())
    }
}
