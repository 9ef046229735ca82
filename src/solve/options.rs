//! Settings of a solve.

#[cfg(feature = "cli")]
use crate::arguments::{SWEEPS, bytes, count, positive, size};
use crate::layouts::Layout;
use crate::solver::{Criteria, Csr};
use crate::stream::Size;

use super::method::Method;

/// Method and stopping criteria. The defaults solve to 1e-8 by the method that suits the matrix.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(clap::Args), command(
    mut_arg("rtol", |arg| arg.default_value(format!("{:e}", Self::default().criteria.rtol))
            .default_value_if("refine", "0", format!("{:e}", Criteria::default().rtol)).hide_default_value(true)
            .help("Relative tolerance: converged is |r| <= max(rtol |b|, atol), r = b - A x \
            [default: 1e-8; 1e-5 with --refine 0]")),
    mut_arg("max_iterations", |arg| arg.default_value(Self::default().criteria.max_iterations.to_string())
            .help("Maximum number of iterations, summed over all corrections"))))]
pub struct Options {
    /// Method [default: pcg, minres or bicgstab, and others if that one fails: see above]
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub method: Option<Method>,
    /// Layout of the matrix in textures [default: rows, or quarters if the diagonals are full enough; points
    /// for gauss-seidel, columns for lu, ellpack for multigrid]
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub layout: Option<Layout>,
    /// Width and height in texels of the rectangles of --layout rows [default: 26x18]
    #[cfg_attr(feature = "cli", arg(long = "rect", value_name = "WxH", value_parser = size))]
    pub rectangle: Option<Size>,
    /// Maximum number of corrections in double precision; 0: single precision throughout, as in the papers
    #[cfg_attr(feature = "cli", arg(long = "refine", id = "refine", value_name = "N",
               default_value_t = Self::default().corrections, value_parser = count(0..=usize::MAX)))]
    pub corrections: usize,
    /// Stopping criteria. Iterations are summed over all corrections.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub criteria: Criteria,
    /// Reject a solve whose matrix would take more memory than this, as in 2GB [default: the free memory]
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", value_parser = bytes))]
    pub limit: Option<u64>,
    /// Levels of [`Method::Multigrid`].
    #[cfg_attr(feature = "cli", command(flatten))]
    pub levels: Levels,
}

/// Heading of the options for levels.
#[cfg(feature = "cli")]
pub(crate) const HEADING: &str = "With --method multigrid";

/// The levels of multigrid, and their relaxation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Levels {
    /// Prolongations from the finest level on, each from the next coarser level.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub prolongations: Vec<Csr<f64>>,
    /// Damping factor of the smoother
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", default_value_t = Self::default().omega,
               value_parser = positive, help_heading = HEADING))]
    pub omega: f64,
    /// Sweeps before a coarser level is visited
    #[cfg_attr(feature = "cli", arg(long = "pre", value_name = "N", default_value_t = Self::default().before,
               value_parser = count(0..=SWEEPS), help_heading = HEADING))]
    pub before: usize,
    /// Sweeps afterwards
    #[cfg_attr(feature = "cli", arg(long = "post", value_name = "N", default_value_t = Self::default().after,
               value_parser = count(0..=SWEEPS), help_heading = HEADING))]
    pub after: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: None,
            layout: None,
            rectangle: None,
            corrections: 50,
            criteria: Criteria { rtol: 1e-8, max_iterations: 100_000, ..Criteria::default() },
            limit: None,
            levels: Levels::default(),
        }
    }
}

impl Default for Levels {
    fn default() -> Self {
        Self { prolongations: Vec::new(), omega: 0.7, before: 4, after: 4 }
    }
}
