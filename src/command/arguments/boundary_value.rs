//! How to solve a boundary value problem by the multigrid of goodnight2003, on the command line.

use std::fmt;

use clap::{Args, ValueEnum};

use crate::goodnight2003::{
    Conditions, Hazard, Norm, Programs, Settings, Smoother, Strategy, Test,
};
use crate::solver::{Criteria, Cycle, multigrid};
use crate::stream::{Buffer, Format};

use super::super::failure::Failure;
use super::{Tolerances, check_sweeps, positive};

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

/// What a texel's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// Floats of 32 bits.
    Full,
    /// Floats of 16 bits: twice as fast in 2003, and no use for real problems, as the paper says.
    Half,
}

/// The multigrid method, and where its grids lie.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solver")]
pub struct Multigrid {
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

    /// Where the grids lie: all on the two surfaces of one buffer, the coarser ones in a second
    /// buffer, or each on a pair of its own
    #[arg(long, value_enum, default_value_t = Settings::default().storage)]
    pub storage: Strategy,

    /// What is done where a pass would read the surface that it writes: a barrier, a copy, or an
    /// order of passes in which none does [default: toggle; barrier with --storage two]
    #[arg(long, value_enum)]
    pub hazard: Option<Hazard>,

    /// Make each buffer an OpenGL context of its own, as a pbuffer of 2003 was
    #[arg(long)]
    pub contexts: bool,

    /// The fragment programs: general ones as first written, fast ones without periodic sides, or
    /// fast ones inside and general ones along the sides
    #[arg(long, value_enum, default_value_t = Settings::default().programs)]
    pub programs: Programs,

    /// Where boundary conditions stand: folded into the operator map, or in a map of their own
    #[arg(long, value_enum, default_value_t = Settings::default().conditions)]
    pub conditions: Conditions,

    /// Compute the colour of a node in each fragment instead of looking it up in the red-black map
    #[arg(long)]
    pub compute_red_black: bool,

    /// What the numbers in a texel are
    #[arg(long, value_enum, default_value_t = Precision::Full)]
    pub precision: Precision,

    /// The longest side of a surface; the paper's was 2048 [default: the driver's limit]
    #[arg(long, value_name = "TEXELS", value_parser = clap::value_parser!(u32).range(1..))]
    pub surface_limit: Option<u32>,
}

/// The multigrid method, and when to stop.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solver")]
pub struct BoundaryValue {
    #[command(flatten)]
    pub multigrid: Multigrid,

    /// How the residual is measured [default: l2; max with --test occlusion]
    #[arg(long, value_enum)]
    pub norm: Option<Norm>,

    /// How convergence is tested
    #[arg(long, value_enum, default_value_t = Settings::default().test)]
    pub test: Test,

    /// After how many cycles it is tested
    #[arg(long, value_name = "CYCLES", default_value_t = Settings::default().every)]
    pub every: usize,

    #[command(flatten)]
    pub tolerances: Tolerances,

    /// The largest number of cycles
    #[arg(long, alias = "maxcycles", value_name = "N", default_value_t = MAX_CYCLES)]
    pub maxiter: usize,
}

impl Multigrid {
    /// That the method is one.
    pub fn check(&self) -> Result<(), Failure> {
        check_sweeps(self.pre, self.post)?;
        match self.coarsest_sweeps {
            0 => Err(Failure::input(
                "--coarsest-sweeps 0 solves nothing on the coarsest grid; allow one at least",
            )),
            _ => Ok(()),
        }
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
            storage: self.storage,
            hazard: self.hazard.unwrap_or(match self.storage {
                Strategy::Two => Hazard::Barrier,
                _ => Settings::default().hazard,
            }),
            buffer: match self.contexts {
                true => Buffer::Context,
                false => Buffer::Framebuffer,
            },
            programs: self.programs,
            conditions: self.conditions,
            red_black_map: !self.compute_red_black,
            precision: match self.precision {
                Precision::Full => Format::Rgba32F,
                Precision::Half => Format::Rgba16F,
            },
            surface_limit: self.surface_limit,
            ..Settings::default()
        }
    }
}

impl BoundaryValue {
    /// That the method is one, and stops.
    pub fn check(&self) -> Result<(), Failure> {
        self.multigrid.check()?;
        Err(Failure::input(if self.maxiter == 0 {
            "--maxiter 0 allows no cycle; allow one at least"
        } else if self.every == 0 {
            "--every 0 never tests for convergence; give 1 or more"
        } else if self.test == Test::Occlusion && self.norm() != Norm::Maximum {
            "--test occlusion measures the largest residual; leave out --norm, or give --norm max"
        } else {
            return Ok(());
        }))
    }

    /// The library's settings.
    pub fn settings(&self) -> Settings {
        Settings {
            norm: self.norm(),
            test: self.test,
            every: self.every,
            ..self.multigrid.settings()
        }
    }

    /// When to stop.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: self.tolerances.rtol,
            atol: self.tolerances.atol,
            max_iterations: self.maxiter,
            ..multigrid::default_criteria()
        }
    }

    fn norm(&self) -> Norm {
        self.norm.unwrap_or(match self.test {
            Test::Occlusion => Norm::Maximum,
            _ => Norm::L2,
        })
    }

    /// Whether what the machine measures is how many nodes exceed the tolerance.
    pub fn counts_nodes(&self) -> bool {
        self.test == Test::Occlusion
    }

    /// The norm in words.
    pub fn norm_in_words(&self) -> &'static str {
        match self.norm() {
            Norm::L1 => "1-norm",
            Norm::L2 => "2-norm",
            Norm::Maximum => "largest",
        }
    }
}

/// What a value is called on the command line.
fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

impl fmt::Display for BoundaryValue {
    /// The method, in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = &self.multigrid;
        let settings = method.settings();
        let letter = match method.cycle {
            Shape::V => 'V',
            Shape::W => 'W',
        };
        write!(f, "{letter}({},{})", method.pre, method.post)?;
        match method.smoother {
            SmootherName::RedBlack => f.write_str(" red-black")?,
            SmootherName::Jacobi => write!(f, " Jacobi {}", method.omega)?,
        }
        write!(f, ", storage {}", name(&settings.storage))?;
        write!(f, ", hazard {}", name(&settings.hazard))?;
        write!(f, ", programs {}", name(&settings.programs))?;
        match method.precision {
            Precision::Full => Ok(()),
            Precision::Half => f.write_str(", half precision"),
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
                    --coarsest-sweeps 5 --levels 4 --norm max --storage separate --hazard copy \
                    --contexts --programs original --conditions folded --compute-red-black --precision half \
                    --test occlusion --every 3 --surface-limit 2048 --rtol 1e-3 --atol 2 \
                    --maxiter 7";
        let settings = Settings {
            cycle: Cycle::w(1, 3),
            smoother: Smoother::Jacobi(0.7),
            coarsest_sweeps: 5,
            levels: Some(4),
            storage: Strategy::Separate,
            hazard: Hazard::Copy,
            buffer: Buffer::Context,
            programs: Programs::Original,
            conditions: Conditions::Folded,
            red_black_map: false,
            precision: Format::Rgba16F,
            norm: Norm::Maximum,
            test: Test::Occlusion,
            every: 3,
            surface_limit: Some(2048),
            ..Settings::default()
        };
        assert_eq!(method(line).settings(), settings);
        let criteria = method(line).criteria();
        assert_eq!((criteria.rtol, criteria.atol), (1e-3, 2.0));
        assert_eq!(criteria.max_iterations, 7);
    }

    #[test]
    fn what_is_not_said_fits_what_is() {
        assert_eq!(
            method("line --storage two").settings().hazard,
            Hazard::Barrier
        );
        assert_eq!(
            method("line --test occlusion").settings().norm,
            Norm::Maximum
        );
    }

    #[test]
    fn a_method_that_does_nothing_is_refused() {
        for line in [
            "--pre 0 --post 0",
            "--coarsest-sweeps 0",
            "--maxiter 0",
            "--every 0",
            "--test occlusion --norm l1",
        ] {
            assert!(method(&format!("line {line}")).check().is_err(), "{line}");
        }
        assert!(method("line --pre 0").check().is_ok());
    }
}
