//! The signed distance from a closed mesh.

use rayon::prelude::*;

use super::connectivity::Connectivity;
use super::triangle_mesh::{MeshError, TriangleMesh};
use super::vector::{Vector, add, cross, dot, scale, subtract};

/// Triangles of a leaf of the tree.
const LEAF: usize = 4;

/// Rays along rows of points are moved aside by this share of the spacing, lest they meet the edges of
/// meshes made of whole numbers.
const ASIDE: [f64; 2] = [1.32e-6, 1.75e-6];

/// The distance of every point of a grid from a mesh, negative inside: point (i, j, k) at
/// i + nx (j + ny k), the first one at `origin`, neighbours `spacing` apart. Inside is where a ray
/// leaves the mesh more often than it enters it, or less often if the mesh is inside out.
///
/// # Errors
/// Those of [`TriangleMesh::validate`], [`MeshError::Open`], [`MeshError::Orientation`].
pub fn signed_distance(
    mesh: &TriangleMesh,
    size: [usize; 3],
    origin: [f64; 3],
    spacing: f64,
) -> Result<Vec<f32>, MeshError> {
    mesh.validate()?;
    match Connectivity::new(mesh)?.boundary_edges().len() {
        0 => {}
        edges => return Err(MeshError::Open { edges }),
    }
    let triangles: Vec<[Vector; 3]> = mesh.triangles.iter().map(|&t| mesh.corners(t)).collect();
    let tree = Tree::new(triangles);
    let mut distances = vec![0.0; size.iter().product()];
    distances
        .par_chunks_mut(size[0].max(1))
        .enumerate()
        .try_for_each(|(line, row)| {
            let (j, k) = (line % size[1], line / size[1]);
            let place = |i: usize| {
                let at = [i, j, k].map(|index| index as f64 * spacing);
                add(origin, at)
            };
            let mut crossings = tree.crossings(place(0), spacing)?.into_iter().peekable();
            let (mut inside, mut bound) = (0, f64::INFINITY);
            for (i, distance) in row.iter_mut().enumerate() {
                let at = place(i);
                while let Some((_, way)) = crossings.next_if(|(x, _)| *x < at[0]) {
                    inside += way;
                }
                // No further than from the point before, and the way from there.
                let found = tree.distance(at, bound);
                bound = (found + spacing) * (1.0 + 1e-9);
                *distance = if inside == 0 { found } else { -found } as f32;
            }
            Ok(())
        })?;
    Ok(distances)
}

/// Boxes around triangles, halved over and over.
struct Tree {
    triangles: Vec<[Vector; 3]>,
    root: Node,
}

struct Node {
    low: Vector,
    high: Vector,
    contents: Contents,
}

enum Contents {
    Halves(Box<[Node; 2]>),
    Triangles(std::ops::Range<usize>),
}

impl Tree {
    fn new(mut triangles: Vec<[Vector; 3]>) -> Self {
        let root = Node::new(&mut triangles, 0);
        Self { triangles, root }
    }

    /// The distance of a point, if it is below the bound; otherwise the bound.
    fn distance(&self, from: Vector, bound: f64) -> f64 {
        let mut least = bound * bound;
        self.search(&self.root, from, &mut least);
        least.sqrt()
    }

    fn search(&self, node: &Node, from: Vector, least: &mut f64) {
        if node.squared_distance(from) >= *least {
            return;
        }
        match &node.contents {
            Contents::Halves(halves) => {
                let [a, b] = [&halves[0], &halves[1]];
                let a_first = a.squared_distance(from) <= b.squared_distance(from);
                let (first, second) = if a_first { (a, b) } else { (b, a) };
                self.search(first, from, least);
                self.search(second, from, least);
            }
            Contents::Triangles(range) => {
                for triangle in &self.triangles[range.clone()] {
                    let offset = subtract(from, nearest(*triangle, from));
                    *least = least.min(dot(offset, offset));
                }
            }
        }
    }

    /// Where a line along x through this point meets triangles, in order, each with 1 where it enters
    /// and −1 where it leaves.
    fn crossings(&self, [_, y, z]: Vector, spacing: f64) -> Result<Vec<(f64, i32)>, MeshError> {
        let [y, z] = [y + ASIDE[0] * spacing, z + ASIDE[1] * spacing];
        let mut found = Vec::new();
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            let (low, high) = (node.low, node.high);
            if y < low[1] || y > high[1] || z < low[2] || z > high[2] {
                continue;
            }
            match &node.contents {
                Contents::Halves(halves) => open.extend(halves.iter()),
                Contents::Triangles(range) => {
                    let triangles = &self.triangles[range.clone()];
                    found.extend(triangles.iter().filter_map(|t| crossing(*t, [y, z])));
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        match found.iter().map(|crossing| crossing.1).sum::<i32>() {
            0 => Ok(found),
            _ => Err(MeshError::Orientation),
        }
    }
}

impl Node {
    /// A node of these triangles, which it sorts; `first` is the number of the first of them.
    fn new(triangles: &mut [[Vector; 3]], first: usize) -> Self {
        let corners = triangles.as_flattened().iter();
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in corners {
            for axis in 0..3 {
                low[axis] = low[axis].min(corner[axis]);
                high[axis] = high[axis].max(corner[axis]);
            }
        }
        let contents = if triangles.len() <= LEAF {
            Contents::Triangles(first..first + triangles.len())
        } else {
            let side = subtract(high, low);
            let longest = (0..3).fold(0, |a, b| if side[b] > side[a] { b } else { a });
            let middle = triangles.len() / 2;
            let centre = |t: &[Vector; 3]| t[0][longest] + t[1][longest] + t[2][longest];
            triangles.select_nth_unstable_by(middle, |a, b| centre(a).total_cmp(&centre(b)));
            let (before, after) = triangles.split_at_mut(middle);
            let halves = [Node::new(before, first), Node::new(after, first + middle)];
            Contents::Halves(Box::new(halves))
        };
        Self {
            low,
            high,
            contents,
        }
    }

    /// The square of a point's distance from the box.
    fn squared_distance(&self, from: Vector) -> f64 {
        let beyond = |axis: usize| {
            (self.low[axis] - from[axis])
                .max(from[axis] - self.high[axis])
                .max(0.0)
        };
        (0..3).map(|axis| beyond(axis).powi(2)).sum()
    }
}

/// The place of a triangle that is nearest to a point (Ericson 2005, 5.1.5).
fn nearest([a, b, c]: [Vector; 3], p: Vector) -> Vector {
    let (ab, ac, ap) = (subtract(b, a), subtract(c, a), subtract(p, a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = subtract(p, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return add(a, scale(d1 / (d1 - d3), ab));
    }
    let cp = subtract(p, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return add(a, scale(d2 / (d2 - d6), ac));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let share = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return add(b, scale(share, subtract(c, b)));
    }
    let whole = 1.0 / (va + vb + vc);
    add(a, add(scale(vb * whole, ab), scale(vc * whole, ac)))
}

/// Where a line along x meets a triangle, and whether it enters there (1) or leaves (−1).
fn crossing([a, b, c]: [Vector; 3], [y, z]: [f64; 2]) -> Option<(f64, i32)> {
    let side = |p: Vector, q: Vector| (q[1] - p[1]) * (z - p[2]) - (q[2] - p[2]) * (y - p[1]);
    let sides = [side(b, c), side(c, a), side(a, b)];
    let is_left = sides.map(|side| side > 0.0);
    if is_left[0] != is_left[1] || is_left[1] != is_left[2] {
        return None;
    }
    let normal = cross(subtract(b, a), subtract(c, a));
    let x = a[0] - (normal[1] * (y - a[1]) + normal[2] * (z - a[2])) / normal[0];
    Some((x, if normal[0] < 0.0 { 1 } else { -1 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{cube, sheet, torus};

    const SIZE: [usize; 3] = [13, 11, 9];
    const ORIGIN: [f64; 3] = [-1.5, -1.25, -1.0];
    const SPACING: f64 = 0.25;

    fn all_places() -> impl Iterator<Item = Vector> {
        (0..SIZE.iter().product()).map(|number: usize| {
            let cell = [
                number % SIZE[0],
                number / SIZE[0] % SIZE[1],
                number / (SIZE[0] * SIZE[1]),
            ];
            [0, 1, 2].map(|axis| ORIGIN[axis] + SPACING * cell[axis] as f64)
        })
    }

    #[test]
    fn a_cube_on_the_grid_s_own_lines_has_its_distance_everywhere_inside_out_too() {
        let mut mesh = cube(4);
        for _ in 0..2 {
            let found = signed_distance(&mesh, SIZE, ORIGIN, SPACING).unwrap();
            for (at, found) in all_places().zip(found) {
                let beyond = at.map(|v| v.abs() - 1.0);
                let outside = beyond.map(|v| v.max(0.0));
                let inside = beyond.into_iter().fold(f64::NEG_INFINITY, f64::max);
                let expected = dot(outside, outside).sqrt() + inside.min(0.0);
                assert!(
                    (f64::from(found) - expected).abs() < 1e-6,
                    "{at:?}: {found}"
                );
            }
            mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        }
    }

    #[test]
    fn a_torus_has_its_distance_to_the_size_of_its_triangles() {
        let mesh = torus(20_000, 1);
        let found = signed_distance(&mesh, SIZE, ORIGIN, SPACING).unwrap();
        for (at, found) in all_places().zip(found) {
            let from_axis = at[0].hypot(at[1]) - 1.0;
            let expected = from_axis.hypot(at[2]) - 0.4;
            assert!(
                (f64::from(found) - expected).abs() < 2e-3,
                "{at:?}: {found}"
            );
        }
    }

    #[test]
    fn what_encloses_nothing_is_refused() {
        let open = signed_distance(&sheet(2, 2), SIZE, ORIGIN, SPACING);
        assert_eq!(open, Err(MeshError::Open { edges: 8 }));
        let mut twisted = cube(1);
        twisted.triangles[0].swap(0, 1);
        let twisted = signed_distance(&twisted, SIZE, ORIGIN, SPACING);
        assert_eq!(twisted, Err(MeshError::Orientation));
    }
}
