//! Repairs of a mesh on which computations would fail.

use rustc_hash::FxHashMap;

use super::triangle_mesh::TriangleMesh;
use super::validity::is_flat;

/// Changes made by a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Vertices that were joined to others in the same position.
    pub joined: usize,
    /// Triangles that were dropped because they had no area.
    pub dropped: usize,
    /// Edges with more than two triangles that were split.
    pub split: usize,
}

/// Joins vertices in the same position, drops triangles without area, and splits edges with more than two
/// triangles: there every triangle gets an end of its own, as far as the triangles are not connected otherwise.
///
/// Vertices that are used keep their order; copies of vertices follow at the end. Indices have to be in range.
pub fn repair(mesh: &mut TriangleMesh) -> Repaired {
    let joined = join(mesh);
    let before = mesh.triangles.len();
    let TriangleMesh { positions, triangles } = mesh;
    triangles.retain(|&[a, b, c]| {
        let corners = [a, b, c].map(|vertex| positions[vertex as usize].map(f64::from));
        a != b && b != c && c != a && !is_flat(corners)
    });
    let dropped = before - triangles.len();
    Repaired { joined, dropped, split: split(mesh) }
}

/// Gives the triangles the first of the vertices in a position, and removes the others. Returns their number.
pub(crate) fn join(mesh: &mut TriangleMesh) -> usize {
    let mut first = FxHashMap::default();
    let mut kept: Vec<[f32; 3]> = Vec::new();
    let new: Vec<u32> = (mesh.positions.iter())
        .map(|&position| {
            // The two zeros are one number.
            let key = position.map(|coordinate| (coordinate + 0.0).to_bits());
            *first.entry(key).or_insert_with(|| {
                kept.push(position);
                kept.len() as u32 - 1
            })
        })
        .collect();
    for corner in mesh.triangles.as_flattened_mut() {
        *corner = new[*corner as usize];
    }
    let joined = mesh.positions.len() - kept.len();
    mesh.positions = kept;
    joined
}

type AtEdges = FxHashMap<[u32; 2], Vec<u32>>;

/// The edges of a triangle, the smaller index first.
fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}

/// The triangles at each edge.
pub(super) fn triangles_at_edges(triangles: &[[u32; 3]]) -> AtEdges {
    let mut at_edge = AtEdges::default();
    for (number, &triangle) in (0..).zip(triangles) {
        for edge in edges(triangle) {
            at_edge.entry(edge).or_default().push(number);
        }
    }
    at_edge
}

/// The edges with more than two triangles.
pub(super) fn crowded(at_edge: &AtEdges) -> Vec<[u32; 2]> {
    let crowded = at_edge.iter().filter(|(_, triangles)| triangles.len() > 2);
    crowded.map(|(&edge, _)| edge).collect()
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
    use crate::mesh::{Connectivity, VertexKind};

    #[test]
    fn a_repaired_mesh_is_valid_and_has_the_area_of_before() {
        // Two tetrahedra that share an edge, each with corners of its own, and a triangle without area.
        let tetrahedron = |apex: [f32; 3], side: [f32; 3]| {
            let [a, b] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
            [[a, b, apex], [b, a, side], [a, apex, side], [b, side, apex]]
        };
        let first = tetrahedron([1.0, 0.0, 0.0], [1.0, 1.0, 0.0]);
        let second = tetrahedron([-1.0, 0.0, 0.0], [-1.0, -1.0, 0.0]);
        let corners: Vec<[f32; 3]> = first.into_iter().chain(second).flatten().collect();
        let triangles = (0..8).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        let mut mesh = TriangleMesh { positions: corners, triangles: triangles.collect() };
        mesh.triangles.push([0, 1, 1]);
        let before = area(&mesh);
        let repaired = repair(&mut mesh);
        assert_eq!(repaired, Repaired { joined: 18, dropped: 1, split: 1 });
        assert_eq!(mesh.validate(), Ok(()));
        assert!((area(&mesh) - before).abs() < 1e-12);
        // Closed again: two components, which meet only in space.
        let kinds = Connectivity::new(&mesh).unwrap();
        assert!(kinds.kind().iter().all(|&kind| kind == VertexKind::Interior));
        assert_eq!(mesh.positions.len(), 8);
    }
}
