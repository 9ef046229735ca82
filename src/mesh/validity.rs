//! Checks before computations on a mesh.

use std::ops::RangeInclusive;

use super::connectivity::Connectivity;
use super::measure::{BoundingBox, bounding_box};
use super::triangle_mesh::{MeshError, TriangleMesh};
use super::vector::{Vector, cross, dot, subtract};

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
        let extent = BoundingBox::around(self.positions.iter()).map_or(0.0, |all| all.extent());
        // Rounding an offset changes a height by less than this, and flat triangles are lower.
        let rounding = extent / f64::from(1 << 20);
        if !EXTENTS.contains(&extent) || self.lower_than(0.0, rounding).is_some() {
            self.check_areas()?;
        }
        Connectivity::new(self).map(drop)
    }

    /// Checks the extent, and that triangles have an area, also in single precision.
    fn check_areas(&self) -> Result<(), MeshError> {
        let extent = bounding_box(self).map_or(0.0, |bounds| bounds.extent());
        if !EXTENTS.contains(&extent) && extent > 0.0 {
            return Err(MeshError::Extent);
        }
        if let Some((triangle, count)) = self.lower_than(FLAT, 0.0) {
            return Err(MeshError::ZeroArea { triangle, count });
        }
        match self.offsets(self.origin(), extent).lower_than(FLAT, 0.0) {
            Some((triangle, count)) => Err(MeshError::TooSmall { triangle, count }),
            None => Ok(()),
        }
    }

    /// The first triangle whose height is at most this share of its longest edge, or this length, and the number of all.
    fn lower_than(&self, share: f64, height: f64) -> Option<(usize, usize)> {
        let is_low = |&t: &[u32; 3]| is_lower(self.corners(t), share, height);
        let first = self.triangles.iter().position(is_low)?;
        Some((first, self.triangles[first..].iter().filter(|t| is_low(t)).count()))
    }
}

/// Tests whether a triangle is flat, see [`FLAT`].
pub(super) fn is_flat(corners: [Vector; 3]) -> bool {
    is_lower(corners, FLAT, 0.0)
}

/// Tests whether the height of a triangle is at most this share of its longest edge, or this length.
fn is_lower([a, b, c]: [Vector; 3], share: f64, height: f64) -> bool {
    let edges = [subtract(b, a), subtract(c, a), subtract(c, b)];
    let longest_squared = edges.iter().map(|&e| dot(e, e)).fold(0.0, f64::max);
    // Twice the area, squared.
    let doubled = cross(edges[0], edges[1]);
    let low_squared = (share * share * longest_squared).max(height * height);
    dot(doubled, doubled) <= low_squared * longest_squared
}
