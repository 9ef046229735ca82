//! Generated meshes: the cube of bolz2003 Fig. 4, large meshes for timing, and noise.

use std::f64::consts::TAU;

use super::measure::vertex_normals;
use super::triangle_mesh::TriangleMesh;
use super::vector::{Vector, add, scale, widen};
use crate::base::random::SplitMix64;

/// The surface of the cube [−1, 1]³, closed and oriented outwards, each face divided into n × n squares of two
/// triangles: 6n² + 2 vertices, 12n² triangles. n = 0 counts as 1.
pub fn cube(n: u32) -> TriangleMesh {
    let n = n.max(1);
    let lattice = CubeLattice { n };
    let mut mesh = TriangleMesh { positions: lattice.positions(), triangles: Vec::new() };
    for axis in 0..3 {
        for side in [0, n] {
            for u in 0..n {
                for v in 0..n {
                    let corner = |du, dv| lattice.vertex_on_face(axis, side, u + du, v + dv);
                    let square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    mesh.triangles.extend(halves(square, false, side == 0));
                }
            }
        }
    }
    mesh
}

/// A closed mesh with `vertices` vertices or slightly more (at least 9) for timing: a torus of radii 1 and 0.4,
/// a grid of nearly square cells with random diagonals.
///
/// Each cell's diagonal adds an edge to two of its corners, so valences have a binomial distribution from 4 to
/// 8, with mean 6. Vertices are numbered along the grid.
pub fn torus(vertices: usize, seed: u64) -> TriangleMesh {
    let (major_radius, minor_radius) = (1.0, 0.4);
    let minor = ((vertices as f64 * minor_radius / major_radius).sqrt().round() as u32).max(3);
    let major = (vertices.div_ceil(minor as usize) as u32).max(3);
    let mut mesh = TriangleMesh::default();
    for i in 0..major {
        let (sin_u, cos_u) = libm::sincos(TAU * f64::from(i) / f64::from(major));
        for j in 0..minor {
            let (sin_v, cos_v) = libm::sincos(TAU * f64::from(j) / f64::from(minor));
            let from_axis = major_radius + minor_radius * cos_v;
            let p = [from_axis * cos_u, from_axis * sin_u, minor_radius * sin_v];
            mesh.positions.push(p.map(|coordinate| f64::from(coordinate as f32)));
        }
    }
    let mut random = SplitMix64::new(seed);
    for i in 0..major {
        for j in 0..minor {
            let vertex = |di, dj| (i + di) % major * minor + (j + dj) % minor;
            let cell = [vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)];
            mesh.triangles.extend(halves(cell, random.next_u64() >> 63 == 1, false));
        }
    }
    mesh
}

/// A flat sheet [0, columns] × [0, rows] of unit squares with one boundary and parallel diagonals: (columns +
/// 1)(rows + 1) vertices, along x first. Zero counts as 1.
pub fn sheet(columns: u32, rows: u32) -> TriangleMesh {
    let (columns, rows) = (columns.max(1), rows.max(1));
    let point = |k: u32| [(k % (columns + 1)).into(), (k / (columns + 1)).into(), 0.0];
    let mut mesh = TriangleMesh {
        positions: (0..(columns + 1) * (rows + 1)).map(point).collect(),
        triangles: Vec::new(),
    };
    for y in 0..rows {
        for x in 0..columns {
            let vertex = |dx, dy| (y + dy) * (columns + 1) + x + dx;
            let square = [vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)];
            mesh.triangles.extend(halves(square, false, false));
        }
    }
    mesh
}

/// Moves every vertex along its normal by a normally distributed random number with the standard deviation
/// `amplitude`, in mesh units. The same seed gives the same mesh on every machine. Vertices without triangles
/// have no normal and do not move.
pub fn add_normal_noise(mesh: &mut TriangleMesh, amplitude: f64, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let normals = vertex_normals(mesh);
    for (position, normal) in mesh.positions.iter_mut().zip(normals) {
        let shift = scale(amplitude * random.normal(), widen(normal));
        *position = add(*position, shift);
    }
}

/// A counter-clockwise quadrilateral as two triangles, along either diagonal, optionally reversed.
fn halves([a, b, c, d]: [u32; 4], other_diagonal: bool, flipped: bool) -> [[u32; 3]; 2] {
    let pair = if other_diagonal { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] };
    if flipped { pair.map(|[a, b, c]| [a, c, b]) } else { pair }
}

/// The points of the lattice {0, …, n}³ on its surface, numbered layer by layer in z: the bottom layer row by
/// row, only the rim of each layer in between, and the top layer row by row.
struct CubeLattice {
    n: u32,
}

impl CubeLattice {
    fn vertex(&self, [x, y, z]: [u32; 3]) -> u32 {
        let n = self.n;
        let layer = (n + 1) * (n + 1);
        let in_full_layer = y * (n + 1) + x;
        if z == 0 {
            in_full_layer
        } else if z == n {
            layer + (n - 1) * 4 * n + in_full_layer
        } else {
            layer + (z - 1) * 4 * n + self.along_rim(x, y)
        }
    }

    /// Steps around the rim of a layer, counter-clockwise from the corner (0, 0).
    fn along_rim(&self, x: u32, y: u32) -> u32 {
        let n = self.n;
        match (x, y) {
            (x, 0) => x,
            (x, y) if x == n => n + y,
            (x, y) if y == n => 3 * n - x,
            (_, y) => 4 * n - y,
        }
    }

    /// The point (u, v) of the face at `side` of an axis; u and v follow the axes after it.
    fn vertex_on_face(&self, axis: usize, side: u32, u: u32, v: u32) -> u32 {
        let mut point = [0; 3];
        point[axis] = side;
        point[(axis + 1) % 3] = u;
        point[(axis + 2) % 3] = v;
        self.vertex(point)
    }

    fn positions(&self) -> Vec<Vector> {
        let n = self.n;
        let to_cube = |step: u32| f64::from((2.0 * f64::from(step) / f64::from(n) - 1.0) as f32);
        let mut positions = vec![[0.0; 3]; 6 * n as usize * n as usize + 2];
        for axis in 0..3 {
            for side in [0, n] {
                for u in 0..=n {
                    for v in 0..=n {
                        let mut point = [to_cube(side); 3];
                        point[(axis + 1) % 3] = to_cube(u);
                        point[(axis + 2) % 3] = to_cube(v);
                        positions[self.vertex_on_face(axis, side, u, v) as usize] = point;
                    }
                }
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::measure::{enclosed_volume, rms_distance_to_cube};
    use crate::mesh::{Connectivity, VertexKind};

    /// Closed and connected, with Euler characteristic V − E + F.
    fn assert_closed(mesh: &TriangleMesh, euler: i64) {
        mesh.validate().unwrap();
        let connectivity = Connectivity::new(mesh).unwrap();
        assert!(connectivity.kind().iter().all(|&kind| kind == VertexKind::Interior));
        let (v, e, f) = (mesh.positions.len(), connectivity.edges(), mesh.triangles.len());
        assert_eq!(v as i64 - e as i64 + f as i64, euler);
    }

    #[test]
    fn the_cube_is_a_closed_sphere_without_double_vertices() {
        for n in [1, 2, 3, 10] {
            let mesh = cube(n);
            assert_eq!(mesh.positions.len(), (6 * n * n + 2) as usize);
            assert_eq!(mesh.triangles.len(), (12 * n * n) as usize);
            assert_closed(&mesh, 2);
            let mut bits: Vec<_> = mesh.positions.iter().map(|p| p.map(f64::to_bits)).collect();
            bits.sort_unstable();
            bits.dedup();
            assert_eq!(bits.len(), mesh.positions.len());
        }
    }

    #[test]
    fn the_torus_is_closed_of_genus_one_and_of_valences_four_to_eight() {
        let mesh = torus(10_000, 3);
        assert!((10_000..=10_100).contains(&mesh.positions.len()), "{}", mesh.positions.len());
        assert_closed(&mesh, 0);
        let connectivity = Connectivity::new(&mesh).unwrap();
        let mut histogram = [0; 9];
        (0..mesh.positions.len()).for_each(|i| histogram[connectivity.valence(i)] += 1);
        assert!(histogram[..4].iter().all(|&count| count == 0));
        // Binomial shares 1, 4, 6, 4, 1 of 16, to five standard deviations.
        let n = mesh.positions.len() as f64;
        for (count, share) in histogram[4..].iter().zip([1.0, 4.0, 6.0, 4.0, 1.0]) {
            let p: f64 = share / 16.0;
            assert!(
                (*count as f64 - n * p).abs() < 5.0 * (n * p * (1.0 - p)).sqrt(),
                "{histogram:?}"
            );
        }
        // Pappus: 2π²Rr².
        let exact = 2.0 * std::f64::consts::PI.powi(2) * 0.16;
        assert!((enclosed_volume(&mesh) / exact - 1.0).abs() < 0.01);
        assert_eq!(torus(10_000, 3), mesh);
        assert_ne!(torus(10_000, 4), mesh);
        assert_closed(&torus(0, 0), 0);
    }

    #[test]
    fn noise_has_the_standard_deviation_asked_for_and_repeats_with_its_seed() {
        let smooth = cube(40);
        let mut noisy = smooth.clone();
        add_normal_noise(&mut noisy, 0.01, 5);
        let mut again = smooth.clone();
        add_normal_noise(&mut again, 0.01, 5);
        assert_eq!(noisy, again);
        let mut other = smooth.clone();
        add_normal_noise(&mut other, 0.01, 6);
        assert_ne!(noisy, other);
        // Only vertices on edges end up closer to the surface than they are shifted.
        let rms = rms_distance_to_cube(&noisy);
        assert!((0.0095..0.0102).contains(&rms), "{rms}");
    }

    #[test]
    fn noise_is_the_same_bits_on_every_machine() {
        let mut mesh = cube(2);
        add_normal_noise(&mut mesh, 0.1, 1);
        let digest =
            mesh.positions.as_flattened().iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, x| {
                (h ^ u64::from((*x as f32).to_bits())).wrapping_mul(0x0100_0000_01b3)
            });
        // Recorded on x86-64 Linux.
        assert_eq!(digest, 0xa927_7dd3_149b_eea0, "{digest:#x}");
    }

    #[test]
    fn the_sheet_has_one_boundary_loop() {
        let connectivity = Connectivity::new(&sheet(5, 3)).unwrap();
        let loops = connectivity.boundary_loops();
        assert_eq!(loops.iter().map(Vec::len).collect::<Vec<_>>(), [16]);
    }
}
