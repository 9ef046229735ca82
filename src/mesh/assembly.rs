//! Assembly of finite elements in double precision: linear ones on triangles.
//!
//! With the gradients of the linear basis functions, ∫∇φ_i·∇φ_j = −(cot α + cot β)/2, so the
//! equation of a step of geometric flow (bolz2003 §3.1.2), Σ_j a_ij x_j = 4 A_i x_i(old), is
//! (4M + 2λΔt K) x = 4M x(old) with the stiffness matrix K and M = diag(A_i), the area of the triangles
//! at i. What is known, the boundary, is brought to the right.

use super::connectivity::{Connectivity, VertexKind};
use super::triangle_mesh::TriangleMesh;
use super::vector::{Vector, add, dot, scale, subtract, widen};
use crate::solver::{Csr, CsrError};

/// A linear system for the positions of the unknown vertices.
pub struct System {
    /// A row and a column for each unknown.
    pub matrix: Csr<f64>,
    /// One right-hand side a coordinate.
    pub right: Vec<Vector>,
    /// The vertex of each row.
    pub unknowns: Vec<usize>,
}

impl System {
    /// A step of geometric flow by λΔt.
    pub fn of_flow(
        mesh: &TriangleMesh,
        connectivity: &Connectivity,
        lambda_dt: f64,
    ) -> Result<Self, CsrError> {
        let x: Vec<Vector> = mesh.positions.iter().copied().map(widen).collect();
        let is_unknown = |&i: &usize| connectivity.kind()[i] == VertexKind::Interior;
        let unknowns: Vec<usize> = (0..x.len()).filter(is_unknown).collect();
        let mut row_of = vec![None; x.len()];
        for (row, &vertex) in unknowns.iter().enumerate() {
            row_of[vertex] = Some(row);
        }
        let mut triplets = Vec::with_capacity(9 * mesh.triangles.len());
        let mut right = vec![[0.0; 3]; unknowns.len()];
        for triangle in &mesh.triangles {
            let corners = triangle.map(|vertex| vertex as usize);
            let element = Element::new(corners.map(|vertex| x[vertex]));
            for (a, &i) in corners.iter().enumerate() {
                let Some(row) = row_of[i] else { continue };
                triplets.push((row, row, 4.0 * element.area));
                add_to(&mut right[row], 4.0 * element.area, x[i]);
                for (b, &j) in corners.iter().enumerate() {
                    let entry = 2.0 * lambda_dt * element.stiffness(a, b);
                    match row_of[j] {
                        Some(column) => triplets.push((row, column, entry)),
                        None => add_to(&mut right[row], -entry, x[j]),
                    }
                }
            }
        }
        let n = unknowns.len();
        Ok(System {
            matrix: Csr::from_triplets(n, n, triplets)?,
            right,
            unknowns,
        })
    }
}

/// y ← y + factor x
fn add_to(y: &mut Vector, factor: f64, x: Vector) {
    *y = add(*y, scale(factor, x));
}

/// A linear triangle.
struct Element {
    area: f64,
    /// The edge opposite to each corner, all the same way round.
    edges: [Vector; 3],
}

impl Element {
    fn new([a, b, c]: [Vector; 3]) -> Self {
        let edges = [subtract(c, b), subtract(a, c), subtract(b, a)];
        // Lagrange's identity: the kernels take a cross product instead.
        let (u, v) = (edges[0], edges[1]);
        let squared = dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v);
        Element {
            area: 0.5 * squared.max(0.0).sqrt(),
            edges,
        }
    }

    /// ∫∇φ_a·∇φ_b: gradients are the opposite edges turned by a right angle, over twice the area.
    fn stiffness(&self, a: usize, b: usize) -> f64 {
        dot(self.edges[a], self.edges[b]) / (4.0 * self.area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_stiffness_of_a_right_triangle_is_the_textbooks() {
        let element = Element::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_relative_eq!(element.area, 0.5);
        let matrix = [0, 1, 2].map(|a| [0, 1, 2].map(|b| element.stiffness(a, b)));
        let expected = [[1.0, -0.5, -0.5], [-0.5, 0.5, 0.0], [-0.5, 0.0, 0.5]];
        for (row, expected) in matrix.iter().zip(expected) {
            for (entry, expected) in row.iter().zip(expected) {
                assert_relative_eq!(*entry, expected, epsilon = 1e-15);
            }
        }
    }
}
