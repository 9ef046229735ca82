//! Polygons of a file, split into triangles when all faces are known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::triangle_mesh::TriangleMesh;
use super::vector::{Vector, cross, dot, norm, subtract};

/// Largest number of corners of a polygon whose ears are searched; searching takes up to its cube. Larger ones stay
/// fans.
const MOST_CORNERS: usize = 2000;

/// The faces of a mesh while they are read. A polygon with n corners becomes n − 2 triangles in its position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faces {
    /// First triangle and corners of every face with more than three corners.
    polygons: Vec<(usize, Vec<u32>)>,
    /// Number of triangles up to the end of each face.
    ends: Vec<u32>,
    /// Line of each face, or 0 in a binary file.
    lines: Vec<u32>,
}

impl Faces {
    /// Adds a face, in a line of the file (0 in a binary file). One with fewer than three corners has no triangles.
    pub fn push(&mut self, mesh: &mut TriangleMesh, corners: &[u32], line: usize) {
        if corners.len() > 3 {
            self.polygons.push((mesh.triangles.len(), corners.to_vec()));
        }
        mesh.triangles.extend(
            corners
                .get(1..)
                .unwrap_or_default()
                .windows(2)
                .map(|pair| [corners[0], pair[0], pair[1]]),
        );
        self.ends.push(mesh.triangles.len() as u32);
        self.lines.push(line as u32);
    }

    /// Number of faces.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The number of a triangle's face, counted from 0, and its line.
    pub fn of(&self, triangle: usize) -> (usize, usize) {
        let face = self.ends.partition_point(|&end| end as usize <= triangle);
        (face, self.lines.get(face).map_or(0, |&line| line as usize))
    }

    /// Splits the polygons. A polygon stays the fan around its first corner if all triangles of the fan have a
    /// positive area along the polygon's normal, and no other face has one of its diagonals as an edge. Otherwise
    /// corners with such a triangle (ears) are removed one after the other, as long as there are any.
    pub fn split(&self, mesh: &mut TriangleMesh) {
        if self.polygons.is_empty() {
            return;
        }
        let mut edges = Edges::default();
        let mut polygons = self.polygons.iter().peekable();
        let mut triangle = 0;
        while triangle < mesh.triangles.len() {
            let corners = match polygons.next_if(|(first, _)| *first == triangle) {
                Some((_, corners)) => corners,
                None => &mesh.triangles[triangle][..],
            };
            edges.add_outline(corners);
            triangle += corners.len() - 2;
        }
        let mut seen: FxHashMap<Vec<u32>, &(usize, Vec<u32>)> = FxHashMap::default();
        for polygon_here @ (first, corners) in &self.polygons {
            let polygon = Polygon::new(mesh, corners);
            let mut sorted = corners.clone();
            sorted.sort_unstable();
            let (twin, twins) = *seen.entry(sorted).or_insert(polygon_here);
            if twin != first {
                // A polygon that is there twice is split in the same way twice.
                let is_turned = dot(Polygon::new(mesh, twins).normal, polygon.normal) < 0.0;
                for triangle in 0..corners.len() - 2 {
                    let [a, b, c] = mesh.triangles[twin + triangle];
                    mesh.triangles[first + triangle] =
                        if is_turned { [a, c, b] } else { [a, b, c] };
                }
                continue;
            }
            if !polygon.is_fan(&edges) && corners.len() <= MOST_CORNERS {
                let ears = polygon.ears(&edges);
                mesh.triangles[*first..][..ears.len()].copy_from_slice(&ears);
            }
            // The inner edges of its triangles are then no diagonals of others.
            for triangle in &mesh.triangles[*first..][..corners.len() - 2] {
                edges.add_outline(triangle);
            }
        }
    }
}

/// Edges without direction.
#[derive(Default)]
struct Edges(FxHashSet<[u32; 2]>);

impl Edges {
    fn add_outline(&mut self, corners: &[u32]) {
        let next = corners.iter().cycle().skip(1);
        self.0.extend(corners.iter().zip(next).map(|(&a, &b)| [a.min(b), a.max(b)]));
    }

    fn has(&self, a: u32, b: u32) -> bool {
        self.0.contains(&[a.min(b), a.max(b)])
    }
}

/// A polygon in space. Positions of corners are places in its list of corners.
struct Polygon<'a> {
    corners: &'a [u32],
    points: Vec<Vector>,
    normal: Vector,
}

impl<'a> Polygon<'a> {
    fn new(mesh: &TriangleMesh, corners: &'a [u32]) -> Self {
        let points: Vec<Vector> = corners
            .iter()
            .map(|&vertex| mesh.positions.get(vertex as usize).copied().unwrap_or([f64::NAN; 3]))
            .collect();
        // The vector area, which is twice the area times the normal.
        let mut normal = [0.0; 3];
        for pair in points[1..].windows(2) {
            let area = cross(subtract(pair[0], points[0]), subtract(pair[1], points[0]));
            for (sum, part) in normal.iter_mut().zip(area) {
                *sum += part;
            }
        }
        let length = norm(normal);
        Self { corners, points, normal: normal.map(|component| component / length) }
    }

    /// Tests whether a triangle of corners has a positive area along the normal.
    fn is_positive(&self, [a, b, c]: [usize; 3]) -> bool {
        let [ab, ac, bc] =
            [(a, b), (a, c), (b, c)].map(|(a, b)| subtract(self.points[b], self.points[a]));
        let longest = [ab, ac, bc].map(|edge| dot(edge, edge)).into_iter().fold(0.0, f64::max);
        dot(cross(ab, ac), self.normal) > super::validity::FLAT * longest
    }

    fn is_free(&self, edges: &Edges, a: usize, b: usize) -> bool {
        !edges.has(self.corners[a], self.corners[b])
    }

    fn is_fan(&self, edges: &Edges) -> bool {
        let last = self.corners.len() - 1;
        (1..last).all(|k| self.is_positive([0, k, k + 1]))
            && (2..last).all(|k| self.is_free(edges, 0, k))
    }

    /// Triangles of ears; the rest, if it has no ear, as a fan.
    fn ears(&self, edges: &Edges) -> Vec<[u32; 3]> {
        let mut left: Vec<usize> = (0..self.corners.len()).collect();
        let mut triangles = Vec::with_capacity(left.len() - 2);
        let mut at = 1;
        while left.len() > 3 {
            let n = left.len();
            let ear = (0..n).map(|k| (at + k) % n).find(|&k| self.is_ear(&left, k, edges));
            let Some(ear) = ear else { break };
            let [before, after] = [left[(ear + n - 1) % n], left[(ear + 1) % n]];
            triangles.push([before, left[ear], after]);
            left.remove(ear);
            // The next ear is not beside this one, so that no corner gets all diagonals.
            at = ear + 1;
        }
        triangles.extend(left[1..].windows(2).map(|pair| [left[0], pair[0], pair[1]]));
        triangles.into_iter().map(|triangle| triangle.map(|corner| self.corners[corner])).collect()
    }

    fn is_ear(&self, left: &[usize], k: usize, edges: &Edges) -> bool {
        let n = left.len();
        let [before, ear, after] = [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
        let is_outside = |&corner: &usize| {
            let p = self.points[corner];
            let is_corner = [before, ear, after].iter().any(|&own| self.points[own] == p);
            is_corner || !self.encloses([before, ear, after], p)
        };
        // Of a quadrilateral the other half has to be a triangle, too.
        let rest = left[(k + 2) % n];
        self.is_positive([before, ear, after])
            && self.is_free(edges, before, after)
            && (n > 4 || self.is_positive([after, rest, before]))
            && left.iter().all(is_outside)
    }

    /// Tests whether a point, seen along the normal, is inside a positive triangle or on its border.
    fn encloses(&self, [a, b, c]: [usize; 3], p: Vector) -> bool {
        [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| {
            let [from, to] = [from, to].map(|corner| self.points[corner]);
            dot(cross(subtract(to, from), subtract(p, from)), self.normal) >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::measure::area;
    use crate::mesh::vector::scale;

    fn split(points: &[Vector], faces: &[&[u32]]) -> TriangleMesh {
        let mut mesh = TriangleMesh { positions: points.to_vec(), triangles: Vec::new() };
        let mut read = Faces::default();
        faces.iter().for_each(|face| read.push(&mut mesh, face, 0));
        read.split(&mut mesh);
        mesh
    }

    #[test]
    fn a_concave_polygon_keeps_its_area_wherever_it_begins() {
        // A star with ten corners, tilted: by the shoelace formula half the sum of its cross products.
        let star: Vec<Vector> = (0..10)
            .map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k) / 10.0;
                let radius = if k % 2 == 0 { 1.0 } else { 0.3 };
                [radius * angle.cos(), radius * angle.sin(), 0.5 * radius * angle.cos()]
            })
            .collect();
        let next = star.iter().cycle().skip(1);
        let cross_products = star.iter().zip(next).map(|(&a, &b)| cross(a, b));
        let doubled = cross_products.fold([0.0; 3], crate::mesh::vector::add);
        let expected = norm(scale(0.5, doubled));
        for first in 0..10 {
            let face: Vec<u32> = (0..10).map(|k| (first + k) % 10).collect();
            let mesh = split(&star, &[&face]);
            assert_eq!(mesh.triangles.len(), 8);
            assert!((area(&mesh) - expected).abs() < 1e-6, "{} for {expected}", area(&mesh));
        }
    }

    #[test]
    fn a_corner_on_a_side_gives_no_flat_triangle_and_two_quadrilaterals_no_common_diagonal() {
        let side =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
        for first in 0..5 {
            let face: Vec<u32> = (0..5).map(|k| (first + k) % 5).collect();
            assert_eq!(split(&side, &[&face]).validate(), Ok(()));
        }
        let two =
            [[0.0, 0.0, 0.0], [1.0, -1.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.3], [1.0, 1.0, 0.0]];
        let mesh = split(&two, &[&[0, 1, 2, 3], &[0, 3, 2, 4]]);
        assert_eq!(mesh.validate(), Ok(()));
        assert!((area(&mesh) - 2.386278).abs() < 1e-6, "{}", area(&mesh));
        // What is a fan stays one.
        let square = split(&[side[0], side[2], side[3], side[4]], &[&[0, 1, 2, 3]]);
        assert_eq!(square.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
}
