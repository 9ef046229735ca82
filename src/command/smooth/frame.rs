//! The coordinates in which a mesh is smoothed.

use crate::mesh::TriangleMesh;
use crate::mesh::measure::bounding_box;

/// Coordinates scaled to the mesh. Geometric flow does not depend on the position and size of a mesh, but
/// single precision and tolerances relative to ‖b‖ do.
///
/// The unit is the power of two nearest to the typical edge length. The origin is outside of the mesh, one unit
/// from the corner of its box, so that no right-hand side is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    origin: [f64; 3],
    /// The frame's unit of length, in mesh units.
    pub unit: f64,
}

impl Frame {
    /// The frame of a mesh; `edge` is its typical edge length, above zero.
    pub fn of(mesh: &TriangleMesh, edge: f64) -> Self {
        let unit = 2.0_f64.powi(edge.log2().round() as i32);
        let low = bounding_box(mesh).map_or([0.0; 3], |all| all.min);
        Frame {
            origin: low.map(|coordinate| f64::from(coordinate) - unit),
            unit,
        }
    }

    /// Converts from mesh coordinates.
    pub fn enter(&self, position: [f32; 3]) -> [f32; 3] {
        let axes = [0, 1, 2];
        axes.map(|axis| ((f64::from(position[axis]) - self.origin[axis]) / self.unit) as f32)
    }

    /// Converts to mesh coordinates.
    pub fn leave(&self, position: [f32; 3]) -> [f32; 3] {
        let axes = [0, 1, 2];
        axes.map(|axis| (f64::from(position[axis]) * self.unit + self.origin[axis]) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_undoes_entering_far_from_the_origin_and_at_any_size() {
        for (size, shift) in [(1.0, 0.0), (1e-20, 0.0), (1e20, 0.0), (1.0, 1e5)] {
            let at = |x: f32, y: f32| [size * x + shift, size * y + shift, shift];
            let mesh = TriangleMesh {
                positions: vec![at(0.0, 0.0), at(1.0, 0.0), at(0.25, 0.75)],
                triangles: vec![[0, 1, 2]],
            };
            let frame = Frame::of(&mesh, f64::from(size));
            for &position in &mesh.positions {
                let inside = frame.enter(position);
                assert!(inside.iter().all(|c| (0.5..4.0).contains(c)), "{inside:?}");
                for (back, original) in frame.leave(inside).into_iter().zip(position) {
                    assert!((back - original).abs() <= 4.0 * f32::EPSILON * (size + shift));
                }
            }
        }
    }
}
