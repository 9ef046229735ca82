//! How to solve a boundary value problem by the multigrid of goodnight2003, on the command line.

use std::fmt;

use clap::{Args, ValueEnum};

use fragstream::goodnight2003::{Norm, Settings, Smoother, SolverError};
use fragstream::solver::{Criteria, Cycle, multigrid};

use super::arguments::{not_negative, positive};
use super::failure::Failure;

/// Cycles at most so long as nothing else is said.
const MAX_CYCLES: usize = multigrid::default_criteria().max_iterations;

/// The shape of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// One visit of each coarser grid.
    V,
    /// Two visits of each coarser grid.
    W,
}

/// How a level is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SmootherName {
    /// The red nodes from the black ones, then the black from the red.
    RedBlack,
    /// All nodes at once, by a part of the way (--omega).
    Jacobi,
}

/// How the residual is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NormName {
    /// The sum of magnitudes.
    L1,
    /// The root of the sum of squares.
    L2,
    /// The largest magnitude.
    Max,
}

impl From<NormName> for Norm {
    fn from(name: NormName) -> Self {
        match name {
            NormName::L1 => Norm::L1,
            NormName::L2 => Norm::L2,
            NormName::Max => Norm::Maximum,
        }
    }
}

/// The multigrid method, where its grids lie, and when to stop.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solver")]
pub struct BoundaryValue {
    /// The cycle
    #[arg(long, value_enum, default_value_t = Shape::V)]
    pub cycle: Shape,

    /// Sweeps before a coarser grid is visited
    #[arg(long, value_name = "N", default_value_t = Settings::default().cycle.before)]
    pub pre: usize,

    /// Sweeps afterwards
    #[arg(long, value_name = "N", default_value_t = Settings::default().cycle.after)]
    pub post: usize,

    /// How a grid is smoothed
    #[arg(long, value_enum, default_value_t = SmootherName::RedBlack)]
    pub smoother: SmootherName,

    /// The weight of Jacobi's correction
    #[arg(long, value_name = "NUMBER", default_value = "0.8", value_parser = positive,
          allow_negative_numbers = true)]
    pub omega: f64,

    /// Sweeps on the coarsest grid
    #[arg(long, value_name = "N", default_value_t = Settings::default().coarsest_sweeps)]
    pub coarsest_sweeps: usize,

    /// Grids, the finest included [default: as many as there can be]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub levels: Option<u32>,

    /// The longest side of a surface; the paper's was 2048 [default: the driver's limit]
    #[arg(long, value_name = "TEXELS", value_parser = clap::value_parser!(u32).range(1..))]
    pub surface_limit: Option<u32>,

    /// How the residual is measured
    #[arg(long, value_enum, default_value_t = NormName::L2)]
    pub norm: NormName,

    /// Converged is |r| <= max(rtol |b|, atol), r the residual and b the residual of zero with
    /// prescribed values put in
    #[arg(long, value_name = "NUMBER", default_value = "1e-5",
          value_parser = not_negative, allow_negative_numbers = true)]
    pub rtol: f64,

    /// The absolute tolerance
    #[arg(long, value_name = "NUMBER", default_value = "0",
          value_parser = not_negative, allow_negative_numbers = true)]
    pub atol: f64,

    /// The largest number of cycles
    #[arg(long, value_name = "N", default_value_t = MAX_CYCLES)]
    pub maxcycles: usize,
}

impl BoundaryValue {
    /// That the method is one.
    pub fn check(&self) -> Result<(), Failure> {
        let wrong = if self.pre == 0 && self.post == 0 {
            "--pre 0 --post 0 leaves nothing that relaxes; give a sweep to one of them"
        } else if self.coarsest_sweeps == 0 {
            "--coarsest-sweeps 0 solves nothing on the coarsest grid; allow one at least"
        } else if self.maxcycles == 0 {
            "--maxcycles 0 allows no cycle; allow one at least"
        } else {
            return Ok(());
        };
        Err(Failure::input(wrong))
    }

    /// The library's settings.
    pub fn settings(&self) -> Settings {
        Settings {
            cycle: match self.cycle {
                Shape::V => Cycle::v(self.pre, self.post),
                Shape::W => Cycle::w(self.pre, self.post),
            },
            smoother: match self.smoother {
                SmootherName::RedBlack => Smoother::RedBlack,
                SmootherName::Jacobi => Smoother::Jacobi(self.omega),
            },
            coarsest_sweeps: self.coarsest_sweeps,
            levels: self.levels,
            norm: self.norm.into(),
            surface_limit: self.surface_limit,
        }
    }

    /// When to stop.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: self.rtol,
            atol: self.atol,
            max_iterations: self.maxcycles,
            ..multigrid::default_criteria()
        }
    }

    /// A few words on the method: `V(2,2)`.
    pub fn shape(&self) -> String {
        let letter = match self.cycle {
            Shape::V => 'V',
            Shape::W => 'W',
        };
        format!("{letter}({},{})", self.pre, self.post)
    }

    /// The norm as it is written in formulas.
    pub fn norm_name(&self) -> &'static str {
        match self.norm {
            NormName::L1 => "1-norm",
            NormName::L2 => "2-norm",
            NormName::Max => "largest",
        }
    }
}

impl fmt::Display for BoundaryValue {
    /// The method, in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}, {} sweeps on the coarsest grid",
            self.shape(),
            match self.smoother {
                SmootherName::RedBlack => "red-black".to_owned(),
                SmootherName::Jacobi => format!("Jacobi {}", self.omega),
            },
            self.coarsest_sweeps
        )?;
        match self.levels {
            None => Ok(()),
            Some(1) => f.write_str(", one grid"),
            Some(levels) => write!(f, ", at most {levels} grids"),
        }
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Self {
        match error {
            SolverError::Stream(error) => error.into(),
            error => Failure::input(error),
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
        method: BoundaryValue,
    }

    fn method(line: &str) -> BoundaryValue {
        Line::parse_from(line.split_whitespace()).method
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        assert_eq!(method("line").settings(), Settings::default());
        assert_eq!(method("line").criteria(), multigrid::default_criteria());
    }

    #[test]
    fn what_is_said_is_what_is_set() {
        let line = "line --cycle w --pre 1 --post 3 --smoother jacobi --omega 0.7 \
                    --coarsest-sweeps 5 --levels 4 --norm max \
                    --surface-limit 2048 --rtol 1e-3 --atol 2 --maxcycles 7";
        let settings = Settings {
            cycle: Cycle::w(1, 3),
            smoother: Smoother::Jacobi(0.7),
            coarsest_sweeps: 5,
            levels: Some(4),
            norm: Norm::Maximum,
            surface_limit: Some(2048),
        };
        assert_eq!(method(line).settings(), settings);
        let criteria = method(line).criteria();
        assert_eq!((criteria.rtol, criteria.atol), (1e-3, 2.0));
        assert_eq!(criteria.max_iterations, 7);
    }

    #[test]
    fn a_method_that_does_nothing_is_refused() {
        for line in ["--pre 0 --post 0", "--coarsest-sweeps 0", "--maxcycles 0"] {
            assert!(method(&format!("line {line}")).check().is_err(), "{line}");
        }
        assert!(method("line --pre 0").check().is_ok());
    }
}
