//! Settings of a solve.

use crate::layouts::Layout;
use crate::solver::{Criteria, Csr};
use crate::stream::Size;

use super::method::Method;

/// Method and stopping criteria. The defaults solve to 1e-8 by the method that suits the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Method; without one that which suits the matrix, and others if it fails.
    pub method: Option<Method>,
    /// Layout of the matrix in textures; without one that whose products are the fastest, or the method's usual one.
    pub layout: Option<Layout>,
    /// True if products are timed to choose a layout. Then x may differ in its last digits from run to run.
    pub measures: bool,
    /// Width and height in texels of the rectangles of [`ROWS`](crate::layouts::ROWS).
    pub rectangle: Option<Size>,
    /// Maximum number of corrections in double precision; 0: single precision throughout, as in the papers.
    pub corrections: usize,
    /// Stopping criteria. Iterations are summed over all corrections.
    pub criteria: Criteria,
    /// Memory that a matrix may take, in bytes; without a limit the free memory.
    pub limit: Option<u64>,
    /// Levels of [`Method::Multigrid`].
    pub levels: Levels,
}

/// The levels of multigrid, and their relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Prolongations from the finest level on, each from the next coarser level.
    pub prolongations: Vec<Csr<f64>>,
    /// Damping factor of the smoother.
    pub omega: f64,
    /// Sweeps before a coarser level is visited.
    pub before: usize,
    /// Sweeps afterwards.
    pub after: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: None,
            layout: None,
            measures: true,
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
