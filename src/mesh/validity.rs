//! Checks before computations on a mesh.

use std::ops::RangeInclusive;

use super::connectivity::Connectivity;
use super::measure::bounding_box;
use super::triangle_mesh::{MeshError, TriangleMesh};
use super::vector::{Vector, cross, norm, scale, subtract};

/// Extents of meshes whose squared areas neither underflow nor overflow.
pub const EXTENTS: RangeInclusive<f64> = 1e-60..=1e60;

/// A triangle counts as flat if 2A ≤ `FLAT` · (longest edge)².
///
/// The GPU computes in single precision. The cross product of two edges of length L is 2A, and each of its
/// products is rounded by up to 2⁻²⁴ L². For a smaller triangle, the area and the cotangents would consist only
/// of rounding errors.
pub const FLAT: f64 = 1.0 / (1 << 24) as f64;

impl TriangleMesh {
    /// Checks everything on which computations rely: at least one triangle, indices in range, finite
    /// coordinates (of unused vertices, too), an extent within [`EXTENTS`], triangles with three distinct vertices and
    /// a positive area (see [`FLAT`]), also in single precision as offsets from a vertex, at most two triangles per
    /// edge.
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
        let extent = bounding_box(self).map_or(0.0, |bounds| bounds.extent());
        if !EXTENTS.contains(&extent) && extent > 0.0 {
            return Err(MeshError::Extent);
        }
        if let Some((triangle, count)) = self.flat() {
            return Err(MeshError::ZeroArea { triangle, count });
        }
        if let Some((triangle, count)) = self.offsets(self.origin(), extent).flat() {
            return Err(MeshError::TooSmall { triangle, count });
        }
        Connectivity::new(self).map(drop)
    }

    /// The first flat triangle, and the number of all.
    fn flat(&self) -> Option<(usize, usize)> {
        let is_flat = |&t: &[u32; 3]| is_flat(self.corners(t));
        let first = self.triangles.iter().position(is_flat)?;
        Some((first, self.triangles[first..].iter().filter(|t| is_flat(t)).count()))
    }
}

/// Tests whether a triangle is flat, see [`FLAT`].
pub(super) fn is_flat([a, b, c]: [Vector; 3]) -> bool {
    let edges = [subtract(b, a), subtract(c, a), subtract(c, b)];
    let longest = edges.iter().map(|&e| norm(e)).fold(0.0, f64::max);
    let [u, v, _] = edges.map(|e| scale(1.0 / longest, e));
    // True also for NaN, of corners in one position.
    !(norm(cross(u, v)) > FLAT)
}
