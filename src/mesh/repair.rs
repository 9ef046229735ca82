//! Repairs of a mesh on which computations would fail.

use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::{crowded, edges, triangles_at_edges};
use super::measure::bounding_box;
use super::triangle_mesh::TriangleMesh;
use super::validity::is_flat;
use super::vector::{Vector, norm, subtract};

/// Largest distance of vertices that are joined, in units of the diagonal of the bounding box: eight units in the last
/// place of a coordinate in single precision, which is about what computing it in two ways changes.
const TOLERANCE: f64 = 1.0 / (1 << 20) as f64;
/// The largest distance in units of the shortest edge: a vertex is then closer to its copies than to any other.
const OF_SHORTEST: f64 = 1.0 / 8.0;
/// Shorter edges of a triangle, in units of its longest, are not counted as edges of a fine mesh: they are gaps
/// between copies of a vertex.
const SLENDER: f64 = 1.0 / 1024.0;

/// Changes made by a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Repaired {
    /// Vertices that were joined to others.
    pub joined: usize,
    /// Largest distance of vertices that are joined, in mesh units.
    pub tolerance: f64,
    /// Triangles that were dropped because they had no area.
    pub dropped: usize,
    /// Triangles that were dropped because another one has the same corners.
    pub twice: usize,
    /// Edges with more than two triangles that were split.
    pub split: usize,
}

/// Joins vertices in (almost) the same position, drops triangles without area and those that are there twice, and splits
/// edges with more than two triangles: there every triangle gets an end of its own, as far as the triangles are not
/// connected otherwise.
///
/// Vertices that are used keep their order; copies of vertices follow at the end. Indices have to be in range.
pub fn repair(mesh: &mut TriangleMesh) -> Repaired {
    let tolerance = tolerance(mesh);
    let joined = join_within(mesh, tolerance);
    let before = mesh.triangles.len();
    let TriangleMesh { positions, triangles } = mesh;
    triangles.retain(|&[a, b, c]| {
        let corners = [a, b, c].map(|vertex| positions[vertex as usize]);
        a != b && b != c && c != a && !is_flat(corners)
    });
    let dropped = before - triangles.len();
    let twice = drop_twice(triangles);
    Repaired { joined, tolerance, dropped, twice, split: split(mesh) }
}

/// Largest distance of vertices that are copies of each other.
fn tolerance(mesh: &TriangleMesh) -> f64 {
    let shortest = mesh.triangles.iter().map(|&triangle| {
        let [a, b, c] = mesh.corners(triangle);
        let lengths = [subtract(b, a), subtract(c, b), subtract(a, c)].map(norm);
        let longest = lengths.into_iter().fold(0.0, f64::max);
        let shortest = lengths.into_iter().fold(longest, f64::min);
        match shortest.max(SLENDER * longest) {
            0.0 => f64::INFINITY,
            length => length,
        }
    });
    let shortest = shortest.fold(f64::INFINITY, f64::min);
    let diagonal = bounding_box(mesh).map_or(0.0, |bounds| bounds.diagonal());
    (TOLERANCE * diagonal).min(OF_SHORTEST * shortest)
}

/// Gives the triangles the first of the vertices within a distance, and removes the others. Returns their number.
fn join_within(mesh: &mut TriangleMesh, distance: f64) -> usize {
    // Vertices in the same or in neighbouring cells. Most vertices are in the middle of a cell.
    let cell = if distance > 0.0 { 16.0 * distance } else { 1.0 };
    let origin = mesh.origin();
    let cell_of = |p: Vector| subtract(p, origin).map(|offset| (offset / cell).floor() as i64);
    let mut cells: FxHashMap<[i64; 3], Vec<u32>> = FxHashMap::default();
    join_by(mesh, |kept, p| {
        let [low, high] = [-distance, distance].map(|way| cell_of(p.map(|x| x + way)));
        let near = (low[0]..=high[0]).flat_map(|x| {
            (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z]))
        });
        let mut in_reach = near.filter_map(|cell| cells.get(&cell)).flatten();
        let is_near = |&&vertex: &&u32| norm(subtract(kept[vertex as usize], p)) <= distance;
        in_reach.find(is_near).copied().unwrap_or_else(|| {
            let new = kept.len() as u32;
            cells.entry(cell_of(p)).or_default().push(new);
            new
        })
    })
}

/// Gives the triangles the first of the vertices in a position, and removes the others. In a mesh in single precision,
/// positions are compared in it.
pub(crate) fn join(mesh: &mut TriangleMesh) {
    let is_single = mesh.fits_single();
    let mut first = FxHashMap::default();
    join_by(mesh, |kept, p| {
        let round = |x: f64| if is_single { f64::from(x as f32) } else { x };
        // The two zeros are one number.
        let key = p.map(|x| (round(x) + 0.0).to_bits());
        *first.entry(key).or_insert(kept.len() as u32)
    });
}

/// Joins every vertex to the kept one with the number that `place` gives, or keeps it if that is the next number. Returns
/// the number of joined vertices.
fn join_by(mesh: &mut TriangleMesh, mut place: impl FnMut(&[Vector], Vector) -> u32) -> usize {
    let mut kept: Vec<Vector> = Vec::new();
    let new: Vec<u32> = (mesh.positions.iter())
        .map(|&position| {
            let place = place(&kept, position);
            if place as usize == kept.len() {
                kept.push(position);
            }
            place
        })
        .collect();
    for corner in mesh.triangles.as_flattened_mut() {
        *corner = new[*corner as usize];
    }
    let joined = mesh.positions.len() - kept.len();
    mesh.positions = kept;
    joined
}

/// Drops triangles with the corners of an earlier one, if an edge has more than two triangles: elsewhere the two are the
/// sides of a closed surface. Returns their number.
fn drop_twice(triangles: &mut Vec<[u32; 3]>) -> usize {
    let before = triangles.len();
    let at_edge = triangles_at_edges(triangles);
    let mut seen = FxHashSet::default();
    triangles.retain(|&triangle| {
        let mut corners = triangle;
        corners.sort_unstable();
        let is_crowded = || edges(triangle).iter().any(|edge| at_edge[edge].len() > 2);
        seen.insert(corners) || !is_crowded()
    });
    before - triangles.len()
}

/// Splits the edges with more than two triangles. Returns their number.
fn split(mesh: &mut TriangleMesh) -> usize {
    let at_edge = triangles_at_edges(&mesh.triangles);
    let crowded = crowded(&at_edge);
    let mut ends: Vec<u32> = crowded.as_flattened().to_vec();
    ends.sort_unstable();
    ends.dedup();
    let mut at_vertex: FxHashMap<u32, Vec<u32>> =
        ends.iter().map(|&end| (end, Vec::new())).collect();
    for (number, triangle) in (0..).zip(&mesh.triangles) {
        for vertex in triangle {
            if let Some(triangles) = at_vertex.get_mut(vertex) {
                triangles.push(number);
            }
        }
    }
    let old = mesh.triangles.clone();
    for end in ends {
        // Fans: triangles at the vertex that edges with at most two triangles connect.
        let mut left = at_vertex.remove(&end).unwrap_or_default();
        let mut is_first = true;
        while let Some(seed) = left.pop() {
            let mut fan = vec![seed];
            let mut reached = 0;
            while let Some(&triangle) = fan.get(reached) {
                reached += 1;
                let inner =
                    edges(old[triangle as usize]).into_iter().filter(|edge| edge.contains(&end));
                for edge in inner {
                    let Some(pair @ [_, _]) = at_edge.get(&edge).map(Vec::as_slice) else {
                        continue;
                    };
                    for other in pair {
                        if let Some(place) = left.iter().position(|one| one == other) {
                            fan.push(left.swap_remove(place));
                        }
                    }
                }
            }
            if !std::mem::take(&mut is_first) {
                let copy = mesh.positions.len() as u32;
                mesh.positions.push(mesh.positions[end as usize]);
                for triangle in fan {
                    for corner in &mut mesh.triangles[triangle as usize] {
                        if *corner == end {
                            *corner = copy;
                        }
                    }
                }
            }
        }
    }
    crowded.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::measure::area;
    use crate::mesh::{Connectivity, VertexKind, generate};

    #[test]
    fn a_repaired_mesh_is_valid_and_has_the_area_of_before() {
        // Two tetrahedra that share an edge, each with corners of its own, and a triangle without area.
        let tetrahedron = |apex: Vector, side: Vector| {
            let [a, b] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
            [[a, b, apex], [b, a, side], [a, apex, side], [b, side, apex]]
        };
        let first = tetrahedron([1.0, 0.0, 0.0], [1.0, 1.0, 0.0]);
        let second = tetrahedron([-1.0, 0.0, 0.0], [-1.0, -1.0, 0.0]);
        let corners: Vec<Vector> = first.into_iter().chain(second).flatten().collect();
        let triangles = (0..8).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        let mut mesh = TriangleMesh { positions: corners, triangles: triangles.collect() };
        mesh.triangles.push([0, 1, 1]);
        let before = area(&mesh);
        let repaired = repair(&mut mesh);
        let changes = [repaired.joined, repaired.dropped, repaired.twice, repaired.split];
        assert_eq!(changes, [18, 1, 0, 1]);
        assert_eq!(mesh.validate(), Ok(()));
        assert!((area(&mesh) - before).abs() < 1e-12);
        // Closed again: two components, which meet only in space.
        let kinds = Connectivity::new(&mesh).unwrap();
        assert!(kinds.kind().iter().all(|&kind| kind == VertexKind::Interior));
        assert_eq!(mesh.positions.len(), 8);
    }

    #[test]
    fn copies_are_joined_but_no_vertices_of_a_fine_mesh() {
        for size in [1e-30, 1.0, 1e30] {
            // A cube of which a third of the triangles each has vertices of its own, beside a triangle that makes the
            // extent small or large.
            for far in [1.0, 1e9] {
                let cube = generate::cube(10);
                let mut mesh = TriangleMesh::default();
                for (copy, nudge) in [(0, 0.0), (1, 1e-7), (2, -1e-7)] {
                    let nudged = cube.positions.iter().enumerate().map(|(i, p)| {
                        let way = if i % 2 == 0 { nudge } else { -nudge };
                        p.map(|x| size * (x + way))
                    });
                    mesh.positions.extend(nudged);
                    let first = copy * cube.positions.len() as u32;
                    let own = cube.triangles.iter().skip(copy as usize).step_by(3);
                    mesh.triangles.extend(own.map(|t| t.map(|vertex| first + vertex)));
                }
                let last = mesh.positions.len() as u32;
                let corners = [[0.0, 0.0, far], [far, 0.0, 0.0], [0.0, far, 0.0]];
                mesh.positions.extend(corners.map(|p| p.map(|x| size * (3.0 + x))));
                mesh.triangles.push([last, last + 1, last + 2]);
                let repaired = repair(&mut mesh);
                let changes = [repaired.joined, repaired.dropped, repaired.twice, repaired.split];
                assert_eq!(changes, [2 * cube.positions.len(), 0, 0, 0], "{size} {far}");
                assert!(repaired.tolerance <= size * 0.2 / 8.0, "{}", repaired.tolerance);
            }
        }
    }

    #[test]
    fn triangles_that_are_there_twice_are_dropped_but_not_the_two_sides_of_a_closed_surface() {
        let mut sides = vec![[0, 1, 2], [2, 1, 0]];
        assert_eq!((drop_twice(&mut sides), sides.len()), (0, 2));
        let mut thrice = vec![[0, 1, 2], [1, 2, 0], [2, 0, 1]];
        assert_eq!((drop_twice(&mut thrice), thrice), (2, vec![[0, 1, 2]]));
        // A sheet seen from both sides has four triangles at its inner edge.
        let mut sheet = vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]];
        assert_eq!((drop_twice(&mut sheet), sheet), (2, vec![[0, 1, 2], [0, 2, 3]]));
    }
}
