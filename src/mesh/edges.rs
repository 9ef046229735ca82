//! Edges of triangles, and the triangles at each.

use rustc_hash::FxHashMap;

pub(super) type AtEdges = FxHashMap<[u32; 2], Vec<u32>>;

/// The edges of a triangle, the smaller index first.
pub(super) fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
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
