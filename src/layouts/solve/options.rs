//! Settings of a solve.

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::layouts::Layout;
use crate::solver::{Criteria, Csr};

use super::method::Method;

/// How to solve, and when to stop. The defaults solve to 1e-8 by the method that suits the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Method. Default: the one that suits the matrix ([`Method::suited_to`]).
    pub method: Option<Method>,
    /// Layout. Default: quarters where the diagonals of the matrix are full enough, else the first one
    /// that the method works on.
    pub layout: Option<Layout>,
    /// When to stop. The iterations are those of all corrections together. Default: 1e-8 ‖b‖, and at most
    /// 100 000 iterations.
    pub criteria: Criteria,
    /// Maximum number of corrections in double precision; zero for single precision throughout, as in the
    /// papers. Default 50.
    pub corrections: usize,
    /// Rectangles of [`ROWS`](crate::layouts::ROWS).
    pub packing: PackingOptions,
    /// The memory and the time that a solve may take.
    pub limit: Limit,
    /// Levels of [`Method::Multigrid`].
    pub levels: Levels,
}

/// The memory and the time that a solve may take, by the [`Estimate`](super::Estimate).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// Bytes of textures. Default: the free main memory.
    pub bytes: Option<u64>,
    /// Seconds. Default: any number.
    pub seconds: Option<f64>,
}

/// The levels of multigrid, and how they are relaxed.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Prolongations, each to a level from the next coarser one, from the finest on.
    pub prolongations: Vec<Csr<f64>>,
    /// Damping factor of a sweep. Default 0.7.
    pub omega: f64,
    /// Sweeps before and after the coarser level. Default four each.
    pub sweeps: [usize; 2],
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: None,
            layout: None,
            criteria: Criteria {
                rtol: 1e-8,
                max_iterations: 100_000,
                ..Criteria::default()
            },
            corrections: 50,
            packing: PackingOptions::default(),
            limit: Limit::default(),
            levels: Levels {
                prolongations: Vec::new(),
                omega: 0.7,
                sweeps: [4, 4],
            },
        }
    }
}
