//! Measures of a mesh: area, volume, edge length, normals, distance to a cube.
//!
//! Indices must be in range.

use super::connectivity::Connectivity;
use super::triangle_mesh::TriangleMesh;
use super::vector::{Vector, add, cross, dot, norm, scale, subtract};

/// The smallest box along the axes that holds all vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// The corner of the smallest coordinates.
    pub min: Vector,
    /// The corner of the largest coordinates.
    pub max: Vector,
}

impl BoundingBox {
    /// The box around points; `None` without points.
    pub fn around<'a>(mut points: impl Iterator<Item = &'a Vector>) -> Option<Self> {
        let &first = points.next()?;
        let mut all = Self { min: first, max: first };
        for point in points {
            for (axis, &x) in point.iter().enumerate() {
                if x < all.min[axis] {
                    all.min[axis] = x;
                } else if x > all.max[axis] {
                    all.max[axis] = x;
                }
            }
        }
        Some(all)
    }

    /// Middle of the box.
    pub fn centre(&self) -> [f64; 3] {
        scale(0.5, add(self.min, self.max))
    }

    /// Length of the box's longest side.
    pub fn extent(&self) -> f64 {
        subtract(self.max, self.min).into_iter().fold(0.0, f64::max)
    }

    /// Length of the box's diagonal.
    pub fn diagonal(&self) -> f64 {
        norm(subtract(self.max, self.min))
    }
}

/// The box around all vertices with triangles; `None` for a mesh without triangles.
pub fn bounding_box(mesh: &TriangleMesh) -> Option<BoundingBox> {
    let corners = mesh.triangles.as_flattened().iter();
    BoundingBox::around(corners.map(|&vertex| &mesh.positions[vertex as usize]))
}

/// Sum of the triangles' areas, in squared mesh units.
pub fn area(mesh: &TriangleMesh) -> f64 {
    mesh.triangles.iter().map(|&t| 0.5 * norm(doubled_area_vector(mesh.corners(t)))).sum()
}

/// Volume enclosed by a closed mesh, in cubed mesh units; positive if triangles are counter-clockwise seen from
/// outside. For a mesh with boundary, the volume enclosed after joining every boundary edge to the middle of
/// the bounding box.
pub fn enclosed_volume(mesh: &TriangleMesh) -> f64 {
    // Relative to the middle, because with a distant origin large volumes would cancel.
    let Some(origin) = bounding_box(mesh).map(|all| all.centre()) else {
        return 0.0;
    };
    let signed = |t: &[u32; 3]| {
        let [a, b, c] = mesh.corners(*t).map(|p| subtract(p, origin));
        dot(a, cross(b, c)) / 6.0
    };
    mesh.triangles.iter().map(signed).sum()
}

/// Mean of the squared lengths of the edges, each counted once; 0 without edges.
///
/// `connectivity` must be that of `mesh`.
pub fn mean_squared_edge_length(mesh: &TriangleMesh, connectivity: &Connectivity) -> f64 {
    let mut sum = 0.0;
    for i in 0..connectivity.vertices() {
        for &j in &connectivity.neighbours()[connectivity.ring(i)] {
            if i < j as usize {
                let edge = subtract(mesh.positions[i], mesh.positions[j as usize]);
                sum += dot(edge, edge);
            }
        }
    }
    sum / connectivity.edges().max(1) as f64
}

/// Unit normals of the vertices: the mean of their triangles' normals weighted by area.
///
/// One per vertex; zero if no triangle uses the vertex, or the normals cancel.
pub fn vertex_normals(mesh: &TriangleMesh) -> Vec<[f32; 3]> {
    let mut sums = vec![[0.0; 3]; mesh.positions.len()];
    for &triangle in &mesh.triangles {
        let weighted = doubled_area_vector(mesh.corners(triangle));
        for vertex in triangle {
            let sum = &mut sums[vertex as usize];
            *sum = add(*sum, weighted);
        }
    }
    sums.into_iter().map(unit_or_zero).collect()
}

/// Root of the mean squared distance of all vertices from the surface of the cube [−1, 1]³
/// ([`generate::cube`](super::generate::cube)); 0 without vertices.
pub fn rms_distance_to_cube(mesh: &TriangleMesh) -> f64 {
    let squares = mesh.positions.iter().map(|&p| distance_to_cube(p).powi(2));
    (squares.sum::<f64>() / mesh.positions.len().max(1) as f64).sqrt()
}

/// Distance of a point from the surface of the cube [−1, 1]³, from inside or outside.
fn distance_to_cube(p: Vector) -> f64 {
    let beyond = p.map(|coordinate| coordinate.abs() - 1.0);
    let nearest_face = beyond.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if nearest_face <= 0.0 { -nearest_face } else { norm(beyond.map(|excess| excess.max(0.0))) }
}

/// Normal to the triangle whose length is twice its area.
fn doubled_area_vector([a, b, c]: [Vector; 3]) -> Vector {
    cross(subtract(b, a), subtract(c, a))
}

fn unit_or_zero(v: Vector) -> [f32; 3] {
    let length = norm(v);
    if length > 0.0 { v.map(|component| (component / length) as f32) } else { [0.0; 3] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use approx::assert_relative_eq;

    #[test]
    fn the_cube_has_the_cubes_measures_at_any_resolution() {
        for n in [1, 2, 5, 12] {
            let cube = generate::cube(n);
            assert_relative_eq!(area(&cube), 24.0, epsilon = 1e-5);
            assert_relative_eq!(enclosed_volume(&cube), 8.0, epsilon = 1e-5);
            assert!(rms_distance_to_cube(&cube) == 0.0);
            let all = bounding_box(&cube).unwrap();
            assert_eq!((all.min, all.max), ([-1.0; 3], [1.0; 3]));
        }
    }

    #[test]
    fn volume_does_not_lose_digits_far_from_the_origin_and_changes_sign_when_turned_inside_out() {
        let mut cube = generate::cube(4);
        cube.positions.iter_mut().for_each(|p| p[0] += 4096.0);
        assert_relative_eq!(enclosed_volume(&cube), 8.0, epsilon = 1e-9);
        cube.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert_relative_eq!(enclosed_volume(&cube), -8.0, epsilon = 1e-9);
    }

    #[test]
    fn the_mean_squared_edge_counts_every_edge_once() {
        // A unit square cut along its diagonal: four edges of squared length 1, one of 2.
        let square = TriangleMesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [9.0; 3]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        let connectivity = Connectivity::new(&square).unwrap();
        assert_relative_eq!(mean_squared_edge_length(&square, &connectivity), 6.0 / 5.0);
    }

    #[test]
    fn normals_are_weighted_by_area_and_zero_at_unreferenced_vertices() {
        // A large triangle upward and a small one sideways share the vertex 0.
        let mesh = TriangleMesh {
            positions: vec![
                [0.0; 3],
                [3.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
                [7.0, 7.0, 7.0],
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        let normals = vertex_normals(&mesh);
        let expected = [1.0 / 10.0_f32.sqrt(), 0.0, 3.0 / 10.0_f32.sqrt()];
        for axis in 0..3 {
            assert_relative_eq!(normals[0][axis], expected[axis], epsilon = 1e-6);
        }
        assert_eq!(normals[1], [0.0, 0.0, 1.0]);
        assert_eq!(normals[4], [0.0; 3]);
    }

    #[test]
    fn the_distance_to_the_cube_is_that_to_the_nearest_face_edge_or_corner() {
        assert_eq!(distance_to_cube([0.0, 0.0, 0.0]), 1.0);
        assert_eq!(distance_to_cube([0.5, -0.75, 0.0]), 0.25);
        assert_eq!(distance_to_cube([0.0, 3.0, 0.0]), 2.0);
        assert_eq!(distance_to_cube([4.0, -5.0, 0.3]), 5.0);
        assert_eq!(distance_to_cube([2.0, 3.0, 3.0]), 3.0);
    }
}
