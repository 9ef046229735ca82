//! What can be chosen about a solve.

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::solver::{Criteria, Csr};

use super::choice::{Layout, Method};

/// How to solve, and when to stop. The defaults solve to 1e-8 by the method that suits the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The method; the one that suits the matrix if none is given ([`Method::suited_to`]).
    pub method: Option<Method>,
    /// How the matrix lies in textures. If none is given, rows or quarters, whichever the estimate says
    /// takes less time; where the method can have neither, its first one.
    pub layout: Option<Layout>,
    /// When to stop. The iterations are those of all corrections together. Default: 1e-8 ‖b‖, and at most
    /// 100 000 iterations.
    pub criteria: Criteria,
    /// The most corrections in double precision; zero for single precision throughout, as in the papers.
    /// Default 50.
    pub corrections: usize,
    /// The rectangles that [`Layout::Rows`] packs rows into, and the most entries of a pass; how large a
    /// texture can be is asked of the driver.
    pub packing: PackingOptions,
    /// What the solve may take before it is refused.
    pub limit: Limit,
    /// Of [`Method::Multigrid`]: the levels and how they are relaxed.
    pub levels: Levels,
}

/// What a solve may take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// Bytes of textures; the main memory that is free if none is given.
    pub bytes: Option<u64>,
    /// Seconds, by the rough estimate that [`super::Estimate`] is; any number if none is given.
    pub seconds: Option<f64>,
}

/// The levels of multigrid, and how they are relaxed.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Prolongations, each to a level from the next coarser one, from the finest on.
    pub prolongations: Vec<Csr<f64>>,
    /// The part of the way that a sweep goes. Default 0.7.
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
