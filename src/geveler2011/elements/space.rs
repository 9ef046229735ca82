//! Positions of the unknowns of an element: vertices, edges and cells of a mesh.

use super::super::mesh::QuadMesh;
use super::element::Element;

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

    /// ∂(x, y)/∂(ξ, η) at a point where Q1's shape functions have these gradients.
    pub fn jacobian(&self, gradients: &[[f64; 2]]) -> [[f64; 2]; 2] {
        [0, 1].map(|row| {
            [0, 1].map(|column| {
                let terms = gradients.iter().zip(&self.corners);
                terms
                    .map(|(gradient, corner)| gradient[column] * corner[row])
                    .sum()
            })
        })
    }
}
