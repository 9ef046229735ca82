//! The two finite elements, bilinear and biquadratic, their unknowns on a mesh (geveler2011 §1.2), and the numbers of
//! unknowns and non-zeros, computed without building anything (Table 1).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quad_mesh::QuadMesh;

/// A finite element space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// Bilinear: one unknown per vertex
    Q1,
    /// Biquadratic: one unknown per vertex, edge and cell
    Q2,
}

/// Shape functions at a point: their values, and their derivatives on the square.
pub struct Shape {
    /// φ_i
    pub values: Vec<f64>,
    /// ∂φ_i/∂ξ, ∂φ_i/∂η
    pub gradients: Vec<[f64; 2]>,
}

impl Element {
    /// Both elements.
    pub const ALL: [Self; 2] = [Self::Q1, Self::Q2];

    /// Its degree in each direction, k.
    pub fn degree(self) -> usize {
        match self {
            Self::Q1 => 1,
            Self::Q2 => 2,
        }
    }

    /// The nodes of its unknowns: corners counter-clockwise from (−1, −1), then the middles of the
    /// edges in the same order, then the centre.
    pub fn nodes(self) -> &'static [[f64; 2]] {
        const NODES: [[f64; 2]; 9] = [
            [-1.0, -1.0],
            [1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [0.0, -1.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [-1.0, 0.0],
            [0.0, 0.0],
        ];
        match self {
            Self::Q1 => &NODES[..4],
            Self::Q2 => &NODES,
        }
    }

    /// The shape functions at a point: products of Lagrange's polynomials of ξ and of η, each 1 at
    /// its node and 0 at all others.
    pub fn shape(self, at: [f64; 2]) -> Shape {
        let nodes = self.nodes();
        // §2.3, Lagrange's basis: φ = l(ξ) l(η); value and derivative of each factor.
        let pairs = nodes.iter().map(|node| [0, 1].map(|k| self.lagrange(node[k], at[k])));
        let (values, gradients) = pairs.map(|[x, y]| (x.0 * y.0, [x.1 * y.0, x.0 * y.1])).unzip();
        Shape { values, gradients }
    }

    /// The polynomial that is 1 at `node`, and its derivative.
    fn lagrange(self, node: f64, x: f64) -> (f64, f64) {
        match self {
            Self::Q1 => (0.5 * (1.0 + node * x), 0.5 * node),
            Self::Q2 if node == 0.0 => (1.0 - x * x, -2.0 * x),
            Self::Q2 => (0.5 * x * (x + node), x + 0.5 * node),
        }
    }
}

/// A finite element space on a mesh.
///
/// Unknowns are numbered as in 2LV: vertices, then edges, then cells. In the numbering by refinement,
/// Q2's unknowns are those of Q1 on the mesh refined once more.
pub struct Space<'a> {
    /// The mesh.
    pub mesh: &'a QuadMesh,
    /// The element.
    pub element: Element,
}

impl<'a> Space<'a> {
    /// Creates the element's space on the mesh.
    pub fn new(mesh: &'a QuadMesh, element: Element) -> Self {
        Self { mesh, element }
    }

    /// Number of unknowns, including those on the boundary.
    pub fn dimension(&self) -> usize {
        let mesh = self.mesh;
        match self.element {
            Element::Q1 => mesh.vertices.len(),
            Element::Q2 => mesh.vertices.len() + mesh.edges.len() + mesh.cells.len(),
        }
    }

    /// The unknowns of a cell, in the order of the element's nodes.
    pub fn unknowns_of(&self, cell: usize) -> Vec<usize> {
        let mesh = self.mesh;
        let corners = mesh.cells[cell].map(|v| v as usize);
        match self.element {
            Element::Q1 => corners.to_vec(),
            Element::Q2 => {
                let (v, e) = (mesh.vertices.len(), mesh.edges.len());
                let edges = mesh.cell_edges[cell].map(|edge| v + edge as usize);
                [&corners[..], &edges, &[v + e + cell]].concat()
            }
        }
    }

    /// The unknowns of an edge: its ends, and its middle.
    pub fn unknowns_on(&self, edge: usize) -> Vec<usize> {
        let ends = self.mesh.edges[edge].map(|v| v as usize).into_iter();
        let middle = (self.element == Element::Q2).then_some(self.mesh.vertices.len() + edge);
        ends.chain(middle).collect()
    }

    /// The point of every unknown, by the cells' bilinear maps.
    pub fn points(&self) -> Vec<[f64; 2]> {
        let mut points = vec![[0.0; 2]; self.dimension()];
        for cell in 0..self.mesh.cells.len() {
            let map = Bilinear::of(self.mesh, cell);
            for (&unknown, &node) in self.unknowns_of(cell).iter().zip(self.element.nodes()) {
                points[unknown] = map.point(&Element::Q1.shape(node).values);
            }
        }
        points
    }
}

/// The map of the square [−1, 1]² onto a cell: bilinear for both elements.
pub struct Bilinear {
    pub(super) corners: [[f64; 2]; 4],
}

impl Bilinear {
    /// The map onto this cell.
    pub fn of(mesh: &QuadMesh, cell: usize) -> Self {
        let corners = mesh.cells[cell].map(|v| mesh.vertices[v as usize]);
        Self { corners }
    }

    /// The point at which Q1's shape functions have these values.
    pub fn point(&self, values: &[f64]) -> [f64; 2] {
        [0, 1].map(|k| {
            let terms = values.iter().zip(&self.corners);
            terms.map(|(phi, corner)| phi * corner[k]).sum()
        })
    }

    /// ∂(x, y)/∂(ξ, η) at a point where Q1's shape functions have these gradients. They add up to zero, so the first
    /// corner is subtracted: far from the origin nothing cancels.
    pub fn jacobian(&self, gradients: &[[f64; 2]]) -> [[f64; 2]; 2] {
        [0, 1].map(|row| {
            [0, 1].map(|column| {
                let terms = gradients.iter().zip(&self.corners);
                let edge = |corner: &[f64; 2]| corner[row] - self.corners[0][row];
                terms.map(|(gradient, corner)| gradient[column] * edge(corner)).sum()
            })
        })
    }
}

/// Counts of a mesh from which those of its refinement follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    vertices: usize,
    edges: usize,
    cells: usize,
    /// Number of edges of the boundary, which is that of its vertices.
    boundary: usize,
    /// Number of cells at vertices of the boundary, summed over the vertices.
    cells_at_boundary: usize,
}

impl Counts {
    /// Counts of a mesh.
    pub fn of(mesh: &QuadMesh) -> Self {
        let is_boundary = mesh.boundary_vertices();
        let corners = mesh.cells.iter().flatten();
        Self {
            vertices: mesh.vertices.len(),
            edges: mesh.edges.len(),
            cells: mesh.cells.len(),
            boundary: mesh.boundary_edges(),
            cells_at_boundary: corners.filter(|&&v| is_boundary[v as usize]).count(),
        }
    }

    /// Counts of the refined mesh: a new vertex of the boundary has two cells.
    pub fn refined(self) -> Self {
        Self {
            // §2.3.1: n_v ← n_v + n_e + n_q
            vertices: self.vertices + self.edges + self.cells,
            edges: 2 * self.edges + 4 * self.cells,
            cells: 4 * self.cells,
            boundary: 2 * self.boundary,
            cells_at_boundary: self.cells_at_boundary + 2 * self.boundary,
        }
    }

    /// Counts of a level of refinement; 1 is the mesh itself.
    pub fn of_level(mesh: &QuadMesh, level: usize) -> Self {
        (1..level).fold(Self::of(mesh), |counts, _| counts.refined())
    }

    /// N
    pub fn unknowns(self, element: Element) -> usize {
        match element {
            Element::Q1 => self.vertices,
            Element::Q2 => self.vertices + self.edges + self.cells,
        }
    }

    /// Number of entries of the matrix: a row of a vertex with c cells of m unknowns has c (m − k − 1) + 1, since
    /// adjacent cells share k + 1; that of an edge 2 m − k − 1; that of a cell m; and each
    /// on the boundary 1.
    pub fn non_zeros(self, element: Element) -> usize {
        let (m, shared) = (element.nodes().len(), element.degree() + 1);
        let corners = 4 * self.cells - self.cells_at_boundary;
        let inner_vertices = self.vertices - self.boundary;
        let of_vertices = corners * (m - shared) + inner_vertices + self.boundary;
        match element {
            Element::Q1 => of_vertices,
            Element::Q2 => {
                let inner_edges = self.edges - self.boundary;
                of_vertices + inner_edges * (2 * m - shared) + self.boundary + self.cells * m
            }
        }
    }
}
