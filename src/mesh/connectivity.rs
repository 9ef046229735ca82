//! Who is whose neighbour: the one-ring of every vertex, and what follows from it.
//!
//! bolz2003 §3.1.2 computes a matrix entry a_ij from the two triangles at the edge ij, whose third
//! vertices its textures 𝒫 (previous) and 𝒩 (next) hold. [`Connectivity`] is the CPU side of that.
//!
//! The paper's diagonal kernel adds the area of the triangle (i, previous, j) over the ring of i.
//! That is right only if each triangle at i is met once, so previous and next cannot be any two
//! third vertices: they must follow the ring. Here they do, because the rings are found by walking.
//! In the *link* of a vertex i, every triangle (i, a, b) is an edge from a to b. As no edge of the
//! mesh has more than two triangles, the link falls into closed cycles and open paths, and `previous`
//! and `next` are the neighbours along them. Orientation is followed where triangles agree on one,
//! and not needed where they do not.

use rayon::prelude::*;

use super::triangle_mesh::{MeshError, TriangleMesh};

/// Stands for "no vertex".
pub const NONE: u32 = u32::MAX;

/// Vertices handled by one task: enough to hide the cost of a task, small enough to share out.
const CHUNK: usize = 8192;

/// Where a vertex lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexKind {
    /// Wherever one goes from it, there are triangles on both sides.
    Interior,
    /// At least one of its edges has only one triangle.
    Boundary,
    /// No triangle uses it.
    Unreferenced,
}

/// The one-rings of all vertices in compressed rows.
///
/// Entry k with `offsets[i] ≤ k < offsets[i + 1]` is the directed edge from i to `neighbours[k]`.
/// The triangles at i are (i, `previous[k]`, `neighbours[k]`) over those k whose `previous` is not
/// [`NONE`], each triangle once, and likewise (i, `neighbours[k]`, `next[k]`). Where neighbouring
/// triangles have the same orientation as in the mesh file, so have these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connectivity {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    kind: Vec<VertexKind>,
}

impl Connectivity {
    /// Finds the rings. Positions are not looked at.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MeshError> {
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        // A triangle contributes at most six directed edges, each counted in 32 bits.
        if vertices >= NONE as usize || triangles >= NONE as usize / 6 {
            return Err(MeshError::TooLarge {
                vertices,
                triangles,
            });
        }
        mesh.check_indices()?;
        let links = Links::new(vertices, &mesh.triangles);
        let parts: Vec<_> = (0..vertices.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                Rings::of_vertices(&links, chunk * CHUNK..vertices.min((chunk + 1) * CHUNK))
            })
            .collect();
        Self::joined(vertices, parts)
    }

    /// Puts the rings of consecutive chunks of vertices behind each other.
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

    /// Number of vertices, those that no triangle uses among them.
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

    /// Where every vertex lies.
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

    /// The edges that have only one triangle, each once, as vertices in ascending order.
    pub fn boundary_edges(&self) -> Vec<[u32; 2]> {
        let ends = self.fan_ends().into_iter();
        ends.filter(|end| end.vertex < end.neighbour)
            .map(|end| [end.vertex, end.neighbour])
            .collect()
    }

    /// The boundary as closed loops of vertices, each edge once.
    ///
    /// At a pinched vertex a loop stays with the fan of triangles that it came along, as if the
    /// fans were cut apart there. A loop may so pass a vertex more than once.
    pub fn boundary_loops(&self) -> Vec<Vec<u32>> {
        let ends = self.fan_ends();
        let mut visited = vec![false; ends.len()];
        let mut loops = Vec::new();
        for first in 0..ends.len() {
            let mut one = Vec::new();
            let mut here = first;
            while !visited[here] {
                // Into the fan at one side, out at the other, and along the edge there.
                let out = ends[here].other_end;
                visited[here] = true;
                visited[out] = true;
                one.push(ends[here].vertex);
                let reverse = (ends[out].neighbour, ends[out].vertex);
                // Both ends of a boundary edge list it, so the search finds its place exactly.
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
                ends.push(FanEnd {
                    vertex: i as u32,
                    neighbour: self.neighbours[k],
                    other_end,
                });
            }
            sort_fan_ends(&mut ends[first..], first);
        }
        ends
    }
}

/// An edge on the boundary as one of its end points sees it: the first or last of an open fan.
#[derive(Clone, Copy)]
struct FanEnd {
    vertex: u32,
    neighbour: u32,
    /// Place in the list of the other end of the same fan.
    other_end: usize,
}

/// Sorts the fan ends of one vertex, which lie from `first` on, and redirects what points to them.
fn sort_fan_ends(ends: &mut [FanEnd], first: usize) {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_unstable_by_key(|&place| ends[place].neighbour);
    let mut rank = vec![0; ends.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new;
    }
    let sorted: Vec<FanEnd> = order
        .iter()
        .map(|&old| FanEnd {
            other_end: first + rank[ends[old].other_end - first],
            ..ends[old]
        })
        .collect();
    ends.copy_from_slice(&sorted);
}

/// The edges opposite to every vertex, in the triangles that it belongs to, in compressed rows.
struct Links {
    offsets: Vec<u32>,
    edges: Vec<[u32; 2]>,
}

impl Links {
    /// By counting sort. The indices must have been checked.
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

/// Room for the walk around one vertex, kept from vertex to vertex.
///
/// The edge e of the link has the ends 2e and 2e + 1.
#[derive(Default)]
struct Walk {
    /// (vertex, end), sorted, so that ends at the same vertex are beside each other.
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
        // Paths begin where their first edge points away, if any end is like that.
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
        self.kind.push(if link.is_empty() {
            VertexKind::Unreferenced
        } else {
            kind
        });
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
        let (head, tail) = if closed {
            (ring[0], ring[ring.len() - 1])
        } else {
            (NONE, NONE)
        };
        self.previous.push(tail);
        self.previous.extend_from_slice(&ring[..ring.len() - 1]);
        self.next.extend_from_slice(&ring[1..]);
        self.next.push(head);
    }
}

impl Walk {
    /// Finds for every end of the link's edges the other edge that goes on there.
    fn pair(&mut self, i: u32, link: &[[u32; 2]]) -> Result<(), MeshError> {
        self.ends.clear();
        self.ends.extend(
            link.as_flattened()
                .iter()
                .zip(0..)
                .map(|(&vertex, end)| (vertex, end)),
        );
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
                    });
                }
            }
        }
        Ok(())
    }
}
