//! Meshes in single precision, as offsets from a vertex of their own.

use super::measure::bounding_box;
use super::triangle_mesh::TriangleMesh;
use super::vector::{Vector, dot, subtract};

/// Largest coordinate of a mesh in single precision, in units of its extent.
const FAR: f64 = 4.0;
/// Smallest extent of a mesh in single precision: the spacing of its coordinates is then a normal number.
const SMALLEST: f64 = 1e-30;

impl TriangleMesh {
    /// A corner of the smallest triangle. Offsets from it are the same wherever the mesh is, and most exact where
    /// triangles are small.
    pub(crate) fn origin(&self) -> Vector {
        let size = |&triangle: &[u32; 3]| {
            let [a, b, c] = self.corners(triangle);
            let edges = [subtract(b, a), subtract(c, b), subtract(a, c)];
            edges.iter().map(|&edge| dot(edge, edge)).fold(0.0, f64::max)
        };
        let sizes = self.triangles.iter().map(|triangle| (size(triangle), triangle[0]));
        let smallest = sizes.reduce(|least, next| if next.0 < least.0 { next } else { least });
        smallest.map_or([0.0; 3], |(_, corner)| self.positions[corner as usize])
    }

    /// The offsets of all vertices from `origin` in a unit of length, rounded to single precision.
    pub(crate) fn offsets(&self, origin: Vector, unit: f64) -> Self {
        let rounded = |offset: f64| f64::from((offset / unit) as f32);
        let positions = self.positions.iter().map(|&p| subtract(p, origin).map(rounded));
        Self { positions: positions.collect(), triangles: self.triangles.clone() }
    }

    /// Tests whether coordinates in single precision hold the mesh: it is not far from the origin.
    pub(crate) fn fits_single(&self) -> bool {
        let extent = bounding_box(self).map_or(0.0, |bounds| bounds.extent());
        let coordinates = self.positions.as_flattened().iter();
        let largest = coordinates.fold(0.0, |largest: f64, x| largest.max(x.abs()));
        extent >= SMALLEST && largest <= (FAR * extent).min(f32::MAX.into())
    }
}
