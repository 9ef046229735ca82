//! Connectivity: the one-ring of every vertex, and the boundary.
//!
//! bolz2003 §3.1.2 computes a matrix entry a_ij from the two triangles at the edge ij, whose third vertices are
//! stored in its textures 𝒫 (previous) and 𝒩 (next). [`Connectivity`] provides them on the CPU.
//!
//! The paper's diagonal kernel adds the area of the triangle (i, previous, j) over the ring of i. That is
//! correct only if each triangle at i occurs once, so previous and next must follow the ring. Here they do,
//! because the rings are found by walking. In the *link* of a vertex i, every triangle (i, a, b) is an edge
//! from a to b. No edge of the mesh has more than two triangles, so the link consists of closed cycles and open
//! paths, and `previous` and `next` are the neighbours along them. Their orientation is that of the triangles,
//! if these agree on one.

use rayon::prelude::*;

use super::edges::{crowded, triangles_at_edges};
use super::triangle_mesh::{MeshError, TriangleMesh};

/// Marks a missing vertex.
pub const NONE: u32 = u32::MAX;

/// Vertices handled by one task: enough to hide its overhead, few enough for an even distribution.
const CHUNK: usize = 8192;

/// Position of a vertex in the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexKind {
    /// Every edge of the vertex has triangles on both sides.
    Interior,
    /// At least one of its edges has only one triangle.
    Boundary,
    /// No triangle uses it.
    Unreferenced,
}

/// The one-rings of all vertices in compressed rows.
///
/// Entry k with `offsets[i] ≤ k < offsets[i + 1]` is the directed edge from i to `neighbours[k]`. The triangles
/// at i are (i, `previous[k]`, `neighbours[k]`) for all k whose `previous` is not [`NONE`], each triangle once.
/// They are also (i, `neighbours[k]`, `next[k]`). If neighbouring triangles have the same orientation in the
/// mesh file, so do these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connectivity {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    kind: Vec<VertexKind>,
}

impl Connectivity {
    /// Finds the rings. Positions are not used.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MeshError> {
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        // A triangle contributes at most six directed edges, each counted in 32 bits.
        if vertices >= NONE as usize || triangles >= NONE as usize / 6 {
            return Err(MeshError::TooLarge { vertices, triangles });
        }
        mesh.check_indices()?;
        let links = Links::new(vertices, &mesh.triangles);
        let parts: Vec<_> = (0..vertices.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                Rings::of_vertices(&links, chunk * CHUNK..vertices.min((chunk + 1) * CHUNK))
            })
            .collect();
        Self::joined(vertices, parts).map_err(|error| match error {
            MeshError::CrowdedEdge { vertices, triangles, .. } => {
                let count = crowded(&triangles_at_edges(&mesh.triangles)).len();
                MeshError::CrowdedEdge { vertices, triangles, count }
            }
            error => error,
        })
    }

    /// Concatenates the rings of consecutive chunks of vertices.
    fn joined(vertices: usize, parts: Vec<Result<Rings, MeshError>>) -> Result<Self, MeshError> {
        // Of several errors, the one at the smallest vertex is reported.
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        let edges = parts.iter().map(|part| part.neighbours.len()).sum();
        let mut all = Self {
            offsets: Vec::with_capacity(vertices + 1),
            neighbours: Vec::with_capacity(edges),
            next: Vec::with_capacity(edges),
            previous: Vec::with_capacity(edges),
            kind: Vec::with_capacity(vertices),
        };
        all.offsets.push(0);
        for part in parts {
            let base = all.neighbours.len() as u32;
            all.offsets.extend(part.ends.iter().map(|end| base + end));
            all.neighbours.extend_from_slice(&part.neighbours);
            all.next.extend_from_slice(&part.next);
            all.previous.extend_from_slice(&part.previous);
            all.kind.extend_from_slice(&part.kind);
        }
        Ok(all)
    }

    /// Number of vertices, including unreferenced ones.
    pub fn vertices(&self) -> usize {
        self.kind.len()
    }

    /// j of every directed edge from i to j.
    pub fn neighbours(&self) -> &[u32] {
        &self.neighbours
    }

    /// Third vertex of the triangle that follows the edge in the ring of i, or [`NONE`].
    pub fn next(&self) -> &[u32] {
        &self.next
    }

    /// Third vertex of the triangle before the edge in the ring of i, or [`NONE`].
    pub fn previous(&self) -> &[u32] {
        &self.previous
    }

    /// Position of every vertex in the mesh.
    pub fn kind(&self) -> &[VertexKind] {
        &self.kind
    }

    /// The entries of the ring of vertex i.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn ring(&self, i: usize) -> std::ops::Range<usize> {
        self.offsets[i] as usize..self.offsets[i + 1] as usize
    }

    /// Number of edges that end at vertex i.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn valence(&self, i: usize) -> usize {
        self.ring(i).len()
    }

    /// Number of undirected edges.
    pub fn edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The boundary as closed loops of vertices, each edge once.
    ///
    /// At a pinched vertex a loop stays with the fan of triangles along which it came, as if the fans were
    /// separate. A loop may therefore visit a vertex repeatedly.
    pub fn boundary_loops(&self) -> Vec<Vec<u32>> {
        let ends = self.fan_ends();
        let mut visited = vec![false; ends.len()];
        let mut loops = Vec::new();
        for first in 0..ends.len() {
            let mut one = Vec::new();
            let mut here = first;
            while !visited[here] {
                // Enter the fan at one side, leave it at the other, and follow the edge there.
                let out = ends[here].other_end;
                visited[here] = true;
                visited[out] = true;
                one.push(ends[here].vertex);
                let reverse = (ends[out].neighbour, ends[out].vertex);
                // Both ends of a boundary edge list it, so the search finds its index exactly.
                here = ends.partition_point(|end| (end.vertex, end.neighbour) < reverse);
            }
            if !one.is_empty() {
                loops.push(one);
            }
        }
        loops
    }

    /// Both ends of all open fans, in ascending order of (vertex, neighbour).
    fn fan_ends(&self) -> Vec<FanEnd> {
        let mut ends: Vec<FanEnd> = Vec::new();
        for i in 0..self.vertices() {
            let first = ends.len();
            for k in self.ring(i) {
                // Paths are stored from end to end: a first entry is followed by its last one.
                let place = ends.len();
                let other_end = match (self.previous[k], self.next[k]) {
                    (NONE, _) => place + 1,
                    (_, NONE) => place - 1,
                    _ => continue,
                };
                ends.push(FanEnd { vertex: i as u32, neighbour: self.neighbours[k], other_end });
            }
            sort_fan_ends(&mut ends[first..], first);
        }
        ends
    }
}

/// A boundary edge seen from one of its end points: the first or last edge of an open fan.
#[derive(Clone, Copy)]
struct FanEnd {
    vertex: u32,
    neighbour: u32,
    /// Index of the other end of the same fan.
    other_end: usize,
}

/// Sorts the fan ends of one vertex, which begin at `first`, and redirects references to them.
fn sort_fan_ends(ends: &mut [FanEnd], first: usize) {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_unstable_by_key(|&place| ends[place].neighbour);
    let mut rank = vec![0; ends.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new;
    }
    let sorted: Vec<FanEnd> = order
        .iter()
        .map(|&old| FanEnd { other_end: first + rank[ends[old].other_end - first], ..ends[old] })
        .collect();
    ends.copy_from_slice(&sorted);
}

/// The edges opposite to every vertex in its triangles, in compressed rows.
struct Links {
    offsets: Vec<u32>,
    edges: Vec<[u32; 2]>,
}

impl Links {
    /// Builds the links by counting sort. The indices must have been checked.
    fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut offsets = vec![0_u32; vertices + 1];
        for &vertex in triangles.as_flattened() {
            offsets[vertex as usize + 1] += 1;
        }
        for i in 0..vertices {
            offsets[i + 1] += offsets[i];
        }
        let mut free = offsets.clone();
        let mut edges = vec![[0; 2]; 3 * triangles.len()];
        for &[a, b, c] in triangles {
            for (i, opposite) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                let place = &mut free[i as usize];
                edges[*place as usize] = opposite;
                *place += 1;
            }
        }
        Self { offsets, edges }
    }

    fn of_vertex(&self, i: usize) -> &[[u32; 2]] {
        &self.edges[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

/// The rings of some consecutive vertices.
#[derive(Default)]
struct Rings {
    /// One past the last entry of every vertex.
    ends: Vec<u32>,
    neighbours: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    kind: Vec<VertexKind>,
}

/// Scratch space for the walk around one vertex, reused from vertex to vertex.
///
/// The edge e of the link has the ends 2e and 2e + 1.
#[derive(Default)]
struct Walk {
    /// (vertex, end), sorted, so that ends at the same vertex are adjacent.
    ends: Vec<(u32, u32)>,
    /// The end of the other link edge at the same vertex, or [`NONE`].
    mate: Vec<u32>,
    walked: Vec<bool>,
}

impl Rings {
    fn of_vertices(links: &Links, vertices: std::ops::Range<usize>) -> Result<Self, MeshError> {
        let mut rings = Self::default();
        let mut walk = Walk::default();
        for i in vertices {
            let link = links.of_vertex(i);
            walk.pair(i as u32, link)?;
            rings.push(link, &mut walk);
        }
        Ok(rings)
    }

    /// Appends the ring of one vertex: its paths first, then its cycles.
    fn push(&mut self, link: &[[u32; 2]], walk: &mut Walk) {
        let loose = |mate: &[u32], end: u32| mate[end as usize] == NONE;
        let ends = 2 * link.len() as u32;
        let mut kind = VertexKind::Interior;
        // Paths begin where their first edge points away, if such an end exists.
        for end in (0..ends).step_by(2).chain((1..ends).step_by(2)) {
            if loose(&walk.mate, end) && !walk.walked[end as usize / 2] {
                kind = VertexKind::Boundary;
                self.walk_from(end, link, walk);
            }
        }
        for end in (0..ends).step_by(2) {
            if !walk.walked[end as usize / 2] {
                self.walk_from(end, link, walk);
            }
        }
        self.kind.push(if link.is_empty() { VertexKind::Unreferenced } else { kind });
        self.ends.push(self.neighbours.len() as u32);
    }

    /// Follows the link from one end of an edge until the path ends or the cycle closes.
    fn walk_from(&mut self, start: u32, link: &[[u32; 2]], walk: &mut Walk) {
        let vertex = |end: u32| link[end as usize / 2][end as usize % 2];
        let first = self.neighbours.len();
        self.neighbours.push(vertex(start));
        let mut end = start;
        let closed = loop {
            walk.walked[end as usize / 2] = true;
            let far = end ^ 1;
            end = walk.mate[far as usize];
            if end == start {
                break true;
            }
            self.neighbours.push(vertex(far));
            if end == NONE {
                break false;
            }
        };
        let ring = &self.neighbours[first..];
        let (head, tail) = if closed { (ring[0], ring[ring.len() - 1]) } else { (NONE, NONE) };
        self.previous.push(tail);
        self.previous.extend_from_slice(&ring[..ring.len() - 1]);
        self.next.extend_from_slice(&ring[1..]);
        self.next.push(head);
    }
}

impl Walk {
    /// Finds for every end of the link's edges the other edge that continues there.
    fn pair(&mut self, i: u32, link: &[[u32; 2]]) -> Result<(), MeshError> {
        self.ends.clear();
        self.ends.extend(link.as_flattened().iter().zip(0..).map(|(&vertex, end)| (vertex, end)));
        self.ends.sort_unstable();
        self.mate.clear();
        self.mate.resize(2 * link.len(), NONE);
        self.walked.clear();
        self.walked.resize(link.len(), false);
        for group in self.ends.chunk_by(|a, b| a.0 == b.0) {
            match *group {
                [_] => {}
                [(_, a), (_, b)] => {
                    self.mate[a as usize] = b;
                    self.mate[b as usize] = a;
                }
                _ => {
                    let j = group[0].0;
                    let vertices = [i.min(j), i.max(j)];
                    return Err(MeshError::CrowdedEdge {
                        vertices,
                        triangles: group.len(),
                        count: 1,
                    });
                }
            }
        }
        Ok(())
    }
}
