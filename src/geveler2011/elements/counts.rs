//! Sizes of spaces and matrices, computed without building them (geveler2011, Table 1).

use super::super::mesh::QuadMesh;
use super::element::Element;

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
