//! Problems for timings.

use crate::bolz2003::grid::geometry::{Boundary, Grid, GridError, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, StencilStorage};
use crate::stream::{Machine, Stream, StreamError};
use crate::timing::TimingError;

/// −∇²u = g on n² nodes with this condition on all sides.
pub struct Problem {
    /// Nodes per side.
    pub n: usize,
    /// The condition.
    pub boundary: Boundary,
    /// Storage of the stencils.
    pub storage: StencilStorage,
    /// Layout, border, coarsest level.
    pub options: HierarchyOptions,
}

impl Problem {
    /// Dirichlet conditions and stencils in streams, as in the paper.
    pub fn stored(n: usize) -> Self {
        Self {
            n,
            boundary: Boundary::Dirichlet,
            storage: StencilStorage::Streams,
            options: HierarchyOptions::default(),
        }
    }

    /// Dirichlet conditions and stencils in constants.
    pub fn constant(n: usize) -> Self {
        Self {
            storage: StencilStorage::Automatic,
            ..Self::stored(n)
        }
    }

    /// The same with other options.
    pub fn with(self, options: HierarchyOptions) -> Self {
        Self { options, ..self }
    }

    pub(super) fn grid(&self) -> Result<Grid, GridError> {
        Grid::new(self.n, self.n, Sides::all(self.boundary))
    }

    /// Its hierarchy of grids.
    pub fn hierarchy(&self, machine: &Machine) -> Result<GridHierarchy, TimingError> {
        let (grid, options) = (self.grid()?, self.options);
        Ok(GridHierarchy::helmholtz(
            machine,
            grid,
            0.0,
            self.storage,
            options,
        )?)
    }
}

impl From<GridError> for TimingError {
    fn from(error: GridError) -> Self {
        TimingError::Case(error.into())
    }
}

/// A vector of random values at computed nodes.
pub(super) fn random(gpu: &GridHierarchy) -> Result<Stream, StreamError> {
    gpu.grid().upload(&gpu.grid().grid().random(1))
}
