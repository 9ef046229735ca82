//! Settings of a solve.

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::layouts::Layout;
use crate::solver::{Criteria, Csr};

use super::method::Method;

/// Method and stopping criteria. The defaults solve to 1e-8 by the method that suits the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Method. Default: the one that suits the matrix ([`Method::suited_to`]).
    pub method: Option<Method>,
    /// Layout. Default: quarters if the diagonals of the matrix are full enough, else the first layout that the
    /// method supports.
    pub layout: Option<Layout>,
    /// Stopping criteria. Iterations are summed over all corrections. Default: 1e-8 ‖b‖, and at most 100 000
    /// iterations.
    pub criteria: Criteria,
    /// Maximum number of corrections in double precision; zero for single precision throughout, as in the
    /// papers. Default 50.
    pub corrections: usize,
    /// Rectangles of [`ROWS`](crate::layouts::ROWS).
    pub packing: PackingOptions,
    /// Maximum number of bytes of the matrix in textures. Default: the free main memory.
    pub limit: Option<u64>,
    /// Levels of [`Method::Multigrid`].
    pub levels: Levels,
}

/// The levels of multigrid, and their relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Prolongations from the finest level on, each from the next coarser level.
    pub prolongations: Vec<Csr<f64>>,
    /// Damping factor. Default 0.7.
    pub omega: f64,
    /// Sweeps before and after the coarser level. Default: four each.
    pub sweeps: [usize; 2],
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: None,
            layout: None,
            criteria: Criteria { rtol: 1e-8, max_iterations: 100_000, ..Criteria::default() },
            corrections: 50,
            packing: PackingOptions::default(),
            limit: None,
            levels: Levels { prolongations: Vec::new(), omega: 0.7, sweeps: [4, 4] },
        }
    }
}
