//! Checks before computations on a mesh.

use super::connectivity::Connectivity;
use super::triangle_mesh::{MeshError, TriangleMesh};
use super::vector::{Vector, cross, dot, norm, subtract};

/// A triangle counts as flat if 2A ≤ `FLAT` · (longest edge)².
///
/// The GPU computes in single precision. The cross product of two edges of length L is 2A, and each of its
/// products is rounded by up to 2⁻²⁴ L². For a smaller triangle, the area and the cotangents would consist only
/// of rounding errors.
pub const FLAT: f64 = 1.0 / (1 << 24) as f64;

impl TriangleMesh {
    /// Checks everything on which computations rely: at least one triangle, indices in range, finite
    /// coordinates (of unused vertices, too), triangles with three distinct vertices and a positive area (see
    /// [`FLAT`]), at most two triangles per edge.
    ///
    /// # Errors
    /// The first fault in that order, at the element of the smallest index.
    pub fn validate(&self) -> Result<(), MeshError> {
        if self.triangles.is_empty() || self.positions.is_empty() {
            return Err(MeshError::Empty {
                vertices: self.positions.len(),
                triangles: self.triangles.len(),
            });
        }
        self.check_indices()?;
        self.check_finite()?;
        let is_flat = |&t: &[u32; 3]| is_flat(self.corners(t));
        if let Some(triangle) = self.triangles.iter().position(is_flat) {
            let count = self.triangles[triangle..].iter().filter(|t| is_flat(t)).count();
            return Err(MeshError::ZeroArea { triangle, count });
        }
        Connectivity::new(self).map(drop)
    }
}

/// Tests whether a triangle is flat, see [`FLAT`].
pub(super) fn is_flat([a, b, c]: [Vector; 3]) -> bool {
    let edges = [subtract(b, a), subtract(c, a), subtract(c, b)];
    let longest_squared = edges.iter().map(|&e| dot(e, e)).fold(0.0, f64::max);
    norm(cross(edges[0], edges[1])) <= FLAT * longest_squared
}
