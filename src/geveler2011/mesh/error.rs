//! Why a mesh cannot be computed on.

use thiserror::Error;

use crate::error::WithKind;

/// Why a mesh cannot be computed on. Cells and vertices are counted from 0.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshError {
    /// There is nothing to compute on.
    #[error("the mesh has no cells; give one with quadrilaterals or triangles")]
    Empty,
    /// A coordinate is no number.
    #[error("vertex {vertex} has a coordinate that is no finite number; correct it")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A corner that is not there.
    #[error("cell {cell} has the corner {vertex}, but there is no such vertex; correct the cell")]
    NoVertex {
        /// The cell.
        cell: usize,
        /// Its corner.
        vertex: u32,
    },
    /// A cell that a bilinear map would fold.
    #[error(
        "a cell is turned round or degenerate at ({}, {}): corners must go round counter-clockwise, every \
         inner angle between 0 and 180 degrees",
        at[0], at[1]
    )]
    Turned {
        /// The cell.
        cell: usize,
        /// The corner.
        at: [f64; 2],
    },
    /// More cells at an edge than the plane has sides.
    #[error(
        "the edge from ({}, {}) to ({}, {}) has more than one cell on a side; cells must \
         not overlap",
        ends[0][0], ends[0][1], ends[1][0], ends[1][1]
    )]
    CrowdedEdge {
        /// The cell that is one too many.
        cell: usize,
        /// The edge's ends.
        ends: [[f64; 2]; 2],
    },
    /// An edge of the boundary that belongs to no part of it.
    #[error(
        "the boundary edge from vertex {} to {} belongs to no named boundary; name it in the mesh",
        ends[0], ends[1]
    )]
    NoPart {
        /// The vertices at its ends.
        ends: [u32; 2],
    },
    /// Cells of two sizes meet.
    #[error(
        "there is a hanging node at ({}, {}): cells must meet corner to corner; refine the larger one",
        at[0], at[1]
    )]
    HangingNode {
        /// The larger cell.
        cell: usize,
        /// Where.
        at: [f64; 2],
    },
    /// A curve of the boundary that cuts through a flat cell.
    #[error(
        "refined to level {level}, a cell at ({}, {}) is turned round by the curve of the boundary; give \
         a mesh with smaller cells there",
        at[0], at[1]
    )]
    TurnedByRefining {
        /// The level.
        level: usize,
        /// The corner.
        at: [f64; 2],
    },
}

impl MeshError {
    /// The cell that it is about, if it is about one.
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

impl WithKind for MeshError {}
