//! The problems that are timed.

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::poisson::StencilStorage;
use crate::bolz2003::grid::stencil::Stencils;
use crate::stream::{Machine, Stream, StreamError};

/// −∇²u = g on n² nodes with this condition on all sides.
pub struct Problem {
    /// Nodes of a side.
    pub n: usize,
    /// The condition.
    pub boundary: Boundary,
    /// Where the stencils are kept.
    pub storage: StencilStorage,
    /// Layout, border, coarsest level.
    pub options: HierarchyOptions,
}

impl Problem {
    /// With Dirichlet conditions and stencils in streams, as the paper keeps them.
    pub fn stored(n: usize) -> Self {
        Self {
            n,
            boundary: Boundary::Dirichlet,
            storage: StencilStorage::Streams,
            options: HierarchyOptions::default(),
        }
    }

    /// With Dirichlet conditions and stencils in constants.
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

    pub(super) fn grid(&self) -> Grid {
        Grid::new(self.n, self.n, Sides::all(self.boundary))
            .expect("sizes that are timed can be coarsened")
    }

    pub(super) fn stencils(&self) -> Stencils<f32> {
        Stencils::helmholtz(self.grid(), |_, _| 1.0, |_, _| 0.0)
    }

    /// Its hierarchy of grids.
    pub fn hierarchy(&self, machine: &Machine) -> Result<GridHierarchy, StreamError> {
        match self.storage {
            StencilStorage::Streams => {
                GridHierarchy::stored(machine, &self.stencils(), self.options)
            }
            StencilStorage::Automatic => {
                GridHierarchy::constant(machine, self.grid(), 0.0, self.options)
            }
        }
    }
}

/// Random values where nodes are computed, as a vector.
pub(super) fn random(gpu: &GridHierarchy) -> Result<Stream, StreamError> {
    gpu.grid().upload(&gpu.grid().grid().random(1))
}
