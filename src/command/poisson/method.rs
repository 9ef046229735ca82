//! How to solve, on the command line.

use clap::{Args, ValueEnum};

use crate::bolz2003::grid::hierarchy::{Coarsest, HierarchyOptions, Weights};
use crate::bolz2003::grid::layering::{BorderSync, ChannelUse};
use crate::bolz2003::grid::poisson::{Options, StencilStorage};
use crate::solver::{Criteria, Cycle, multigrid};

use super::super::arguments::{Tolerances, check_sweeps, positive};
use super::super::failure::Failure;

/// Cycles at most so long as nothing else is said.
const MAX_CYCLES: usize = multigrid::default_criteria().max_iterations;

/// Cycles at most from one residual in double precision to the next, likewise.
pub const DEFAULT_REFINE: usize = 5;

/// The shape of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// One visit of each coarser grid.
    V,
    /// Two visits of each coarser grid.
    W,
    /// First full multigrid, from the coarsest grid to the finest, then V.
    Fmg,
}

/// How the coarsest grid is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoarsestSolver {
    /// Ends at some 300 nodes: a product with the inverse.
    Inverse,
    /// Ends at a few nodes: eight sweeps, as in the paper.
    Jacobi,
    /// Ends at some 300 nodes: conjugate gradients with the diagonal as preconditioner.
    Cg,
}

/// The multigrid method, and when to stop.
#[derive(Args, Clone, Debug)]
pub struct Method {
    /// The cycle
    #[arg(long, value_enum, default_value_t = Shape::V)]
    pub cycle: Shape,

    /// Sweeps of Jacobi before a coarser grid is visited
    #[arg(long, value_name = "N", default_value_t = Options::default().cycle.before)]
    pub pre: usize,

    /// Sweeps of Jacobi afterwards
    #[arg(long, value_name = "N", default_value_t = Options::default().cycle.after)]
    pub post: usize,

    /// The weight of Jacobi's correction, the same in every sweep; the paper's would be 0.667 with --pre 4
    /// --post 2 [default: another in every sweep, by Chebyshev's polynomials]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    pub omega: Option<f64>,

    /// How the coarsest grid is solved, and how small it is
    #[arg(long, value_enum, default_value_t = CoarsestSolver::Inverse)]
    pub coarsest: CoarsestSolver,

    /// Where the stencils are
    #[arg(long, value_enum, default_value_t = StencilStorage::Automatic)]
    pub stencils: StencilStorage,

    /// How nodes lie in textures
    #[arg(long, value_enum, default_value_t = ChannelUse::Layered)]
    pub layout: ChannelUse,

    /// How the duplicates on the border are kept in step
    #[arg(long, value_enum, default_value_t = BorderSync::Fused)]
    pub border: BorderSync,

    /// Compute the residual in double precision on the CPU after so many cycles at most, which then
    /// solve for the correction; 0: single precision throughout, as in the paper
    #[arg(long, value_name = "CYCLES", num_args = 0..=1,
          default_value_t = DEFAULT_REFINE, default_missing_value = "5")]
    pub refine: usize,

    #[command(flatten)]
    pub tolerances: Tolerances,

    /// The largest number of cycles
    #[arg(long, alias = "maxcycles", value_name = "N", default_value_t = MAX_CYCLES)]
    pub maxiter: usize,
}

impl Method {
    /// That the method is one.
    pub fn check(&self) -> Result<(), Failure> {
        check_sweeps(self.pre, self.post)?;
        match self.maxiter {
            0 => Err(Failure::input(
                "--maxiter 0 allows no cycle; allow one at least",
            )),
            _ => Ok(()),
        }
    }

    /// Whether the start comes from the coarsest grid.
    pub fn is_full(&self) -> bool {
        self.cycle == Shape::Fmg
    }

    /// Cycles before those that the library counts: full multigrid in single precision.
    pub fn cycles_before(&self) -> usize {
        usize::from(self.is_full() && self.refine == 0)
    }

    /// The library's options, for nodes at distance `spacing`. The library integrates g over the
    /// control volumes, which makes its norms smaller by h².
    pub fn options(&self, spacing: f64, balance: bool) -> Options {
        let defaults = HierarchyOptions::default();
        let (coarsest, coarsest_nodes) = match self.coarsest {
            CoarsestSolver::Inverse => (Coarsest::Inverse, defaults.coarsest_nodes),
            CoarsestSolver::Jacobi => {
                let paper = HierarchyOptions::paper_2003();
                (paper.coarsest, paper.coarsest_nodes)
            }
            CoarsestSolver::Cg => {
                let method = Coarsest::ConjugateGradients { rtol: 1e-3 };
                (method, defaults.coarsest_nodes)
            }
        };
        let hierarchy = HierarchyOptions {
            layout: self.layout,
            sync: self.border,
            weights: self.omega.map_or(Weights::Chebyshev, Weights::Fixed),
            coarsest,
            coarsest_nodes,
        };
        Options {
            hierarchy,
            stencils: self.stencils,
            cycle: match self.cycle {
                Shape::V | Shape::Fmg => Cycle::v(self.pre, self.post),
                Shape::W => Cycle::w(self.pre, self.post),
            },
            full: self.is_full().then_some(1),
            criteria: Criteria {
                rtol: self.tolerances.rtol,
                atol: self.tolerances.atol * spacing * spacing,
                max_iterations: self.maxiter - self.cycles_before(),
                ..multigrid::default_criteria()
            },
            refine: (self.refine > 0).then_some(self.refine),
            balance,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        method: Method,
    }

    fn method(line: &str) -> Method {
        Line::parse_from(line.split_whitespace()).method
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        for line in ["line", "line --refine"] {
            assert_eq!(method(line).options(1.0, false), Options::default());
        }
    }
}
