//! Errors of meshes, and of solves.

use std::path::PathBuf;

use crate::base::error::{ErrorKind, WithKind};
use crate::io::{InputError, Place};
use crate::solver::CsrError;
use crate::stream::StreamError;

/// Reason why a problem cannot be solved.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum Error {
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// A matrix for which the smoother cannot be built.
    #[error(transparent)]
    Matrix(#[from] CsrError),
    /// A mesh cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A mesh cannot be used.
    #[error("{}: {place}{source}", path.display())]
    Mesh { path: PathBuf, place: Place, source: QuadMeshError },
}

impl WithKind for Error {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Matrix(error) => error.error_kind(),
            Self::Input(error) => error.error_kind(),
            Self::Mesh { .. } => ErrorKind::Input,
        }
    }
}

/// Reason why a mesh cannot be used. Cells and vertices are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum QuadMeshError {
    /// A mesh without cells.
    #[error("the mesh has no cells. Give one with quadrilaterals or triangles.")]
    Empty,
    /// A coordinate that is not finite.
    #[error("vertex {vertex} has a coordinate that is not finite. Correct it.")]
    NotFinite { vertex: usize },
    /// A corner that does not exist.
    #[error("cell {cell} has the corner {vertex}, but there is no such vertex. Correct the cell.")]
    NoVertex { cell: usize, vertex: u32 },
    /// A cell folded by its bilinear map.
    #[error(
        "a cell is inverted or degenerate at ({}, {}). Order its corners counter-clockwise, with every \
         inner angle between 0 and 180 degrees.",
        at[0], at[1]
    )]
    Turned { cell: usize, at: [f64; 2] },
    /// More than one cell on a side of an edge.
    #[error(
        "the edge from ({}, {}) to ({}, {}) has more than one cell on a side. Remove the \
         overlap of cells.",
        ends[0][0], ends[0][1], ends[1][0], ends[1][1]
    )]
    CrowdedEdge { cell: usize, ends: [[f64; 2]; 2] },
    /// An edge of the boundary without a name.
    #[error(
        "the boundary edge from vertex {} to {} belongs to no named boundary. Name it in the mesh.",
        ends[0], ends[1]
    )]
    NoPart { ends: [u32; 2] },
    /// A hanging node between cells of two sizes, and the larger cell.
    #[error(
        "there is a hanging node at ({}, {}), but cells must meet corner to corner. Refine the larger cell.",
        at[0], at[1]
    )]
    HangingNode { cell: usize, at: [f64; 2] },
    /// A cell inverted by a curve of the boundary.
    #[error(
        "refined to level {level}, a cell at ({}, {}) is inverted by the curve of the boundary. Give \
         a mesh with smaller cells there.",
        at[0], at[1]
    )]
    TurnedByRefining { level: usize, at: [f64; 2] },
}

impl QuadMeshError {
    /// The cell concerned, if any.
    pub fn cell(&self) -> Option<usize> {
        match *self {
            Self::NoVertex { cell, .. }
            | Self::Turned { cell, .. }
            | Self::CrowdedEdge { cell, .. }
            | Self::HangingNode { cell, .. } => Some(cell),
            _ => None,
        }
    }
}

impl WithKind for QuadMeshError {}
