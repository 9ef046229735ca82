//! A triangle mesh as in files, and its possible faults.

use crate::base::error::WithKind;

use super::vector::Vector;

/// Positions, and triangles of indices.
///
/// Vertices without triangles are allowed and keep their index, so that reading, smoothing and writing a file
/// preserves the order of its vertices. Several components, boundaries, pinched vertices (where several fans of
/// triangles touch) and triangles of either orientation are also allowed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// One point in space per vertex, in double precision: far from the origin, single precision would round away
    /// the differences on which computations depend.
    pub positions: Vec<Vector>,
    /// Three indices into `positions` per triangle, counted from 0.
    pub triangles: Vec<[u32; 3]>,
}

/// A fault that prevents computations on a mesh. All indices count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum MeshError {
    /// The mesh has no triangles.
    #[error(
        "the mesh is empty ({vertices} vertices, {triangles} triangles). Give a mesh with at least one triangle."
    )]
    Empty { vertices: usize, triangles: usize },
    /// The mesh has more elements than 32-bit indices can count.
    #[error(
        "{vertices} vertices and {triangles} triangles are too many for 32-bit indices. \
         Split the mesh."
    )]
    TooLarge { vertices: usize, triangles: usize },
    /// A triangle uses a vertex that does not exist.
    #[error(
        "triangle {triangle} uses vertex {index}, but there are {vertices} vertices \
         (both counted from 0). Correct the index."
    )]
    IndexOutOfRange { triangle: usize, index: u32, vertices: usize },
    /// A coordinate is NaN or infinite.
    #[error(
        "vertex {vertex} (counted from 0) has a NaN or infinite coordinate. Correct or remove it."
    )]
    NotFinite { vertex: usize },
    /// A triangle has the same vertex at two corners.
    #[error(
        "triangle {triangle} uses vertex {vertex} twice (both counted from 0). Remove the triangle, or repair \
         the mesh (--repair)."
    )]
    RepeatedIndex { triangle: usize, vertex: u32 },
    /// The corners of a triangle are (almost) on one line.
    #[error(
        "triangle {triangle} (counted from 0) has no area{}. Repair the mesh (--repair).", in_all(*count)
    )]
    ZeroArea { triangle: usize, count: usize },
    /// A triangle has an area, but not in single precision.
    #[error(
        "triangle {triangle} (counted from 0) is too small or too narrow for a mesh of this extent: in single \
         precision it has no area{}. Give the parts of the mesh in files of their own.", in_all(*count)
    )]
    TooSmall { triangle: usize, count: usize },
    /// Squared areas would underflow or overflow.
    #[error(
        "the extent of the mesh is not between 1e-60 and 1e60. Give it in another unit of length."
    )]
    Extent,
    /// More than two triangles meet at an edge.
    #[error(
        "the edge between vertices {} and {} (counted from 0) has {triangles} triangles, but can have two{}. \
         Repair the mesh (--repair).", vertices[0], vertices[1], in_all(*count)
    )]
    CrowdedEdge { vertices: [u32; 2], triangles: usize, count: usize },
}

/// The number of places with a fault, if there are several.
fn in_all(count: usize) -> String {
    if count > 1 { format!(" ({count} in all)") } else { String::new() }
}

impl WithKind for MeshError {}

impl TriangleMesh {
    /// Checks that every coordinate is finite.
    pub(crate) fn check_finite(&self) -> Result<(), MeshError> {
        let finite = |p: &Vector| p.iter().all(|coordinate| coordinate.is_finite());
        match self.positions.iter().position(|p| !finite(p)) {
            Some(vertex) => Err(MeshError::NotFinite { vertex }),
            None => Ok(()),
        }
    }

    /// Checks that every triangle has three distinct existing vertices.
    pub(crate) fn check_indices(&self) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        let sound = |&[a, b, c]: &[u32; 3]| {
            (a.max(b).max(c) as usize) < vertices && a != b && b != c && c != a
        };
        let Some(triangle) = self.triangles.iter().position(|t| !sound(t)) else {
            return Ok(());
        };
        let [a, b, c] = self.triangles[triangle];
        match [a, b, c].into_iter().find(|&index| index as usize >= vertices) {
            Some(index) => Err(MeshError::IndexOutOfRange { triangle, index, vertices }),
            None => {
                let vertex = if a == b || a == c { a } else { b };
                Err(MeshError::RepeatedIndex { triangle, vertex })
            }
        }
    }

    /// The positions of a triangle's corners.
    pub(crate) fn corners(&self, triangle: [u32; 3]) -> [Vector; 3] {
        triangle.map(|vertex| self.positions[vertex as usize])
    }
}
