//! A step of geometric flow in double precision, written independently of the kernels: the matrix
//! is assembled element by element, as §3.1.2 of Bolz et al. 2003 says finite element codes do and
//! a GPU of 2003 could not, and solved for each coordinate by itself.
//!
//! With the gradients of the linear basis functions, ∫∇φ_i·∇φ_j = −(cot α + cot β)/2, so the
//! equation of the step, Σ_j a_ij x_j = 4 A_i x_i(old), is (4M + 2λΔt K) x = 4M x(old) with the stiffness
//! matrix K and M = diag(A_i), the area of the triangles at i. What is known, the boundary, is
//! brought to the right.

use crate::claim::BoxedError;
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, Outcome, conjugate_gradients,
};

/// A point of space.
type Point = [f64; 3];

/// The positions after one step, in double precision; vertices without a row stay where they are.
///
/// # Errors
/// When a solve does not converge to 1e-12.
pub fn step(
    mesh: &TriangleMesh,
    connectivity: &Connectivity,
    lambda_dt: f64,
) -> Result<Vec<Point>, BoxedError> {
    let mut x: Vec<Point> = mesh.positions.iter().map(|p| p.map(f64::from)).collect();
    let system = System::assemble(mesh, connectivity, &x, lambda_dt)?;
    for axis in 0..3 {
        let old: Vec<f64> = system.unknowns.iter().map(|&i| x[i][axis]).collect();
        let b: Vec<f64> = system.right.iter().map(|b| b[axis]).collect();
        for (&i, new) in system.unknowns.iter().zip(system.solve(&b, old)?) {
            x[i][axis] = new;
        }
    }
    Ok(x)
}

/// The linear system of a step.
struct System {
    matrix: Csr<f64>,
    /// One right-hand side a coordinate.
    right: Vec<Point>,
    /// The vertex of each row.
    unknowns: Vec<usize>,
}

impl System {
    fn assemble(
        mesh: &TriangleMesh,
        connectivity: &Connectivity,
        x: &[Point],
        lambda_dt: f64,
    ) -> Result<Self, BoxedError> {
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
                add(&mut right[row], 4.0 * element.area, x[i]);
                for (b, &j) in corners.iter().enumerate() {
                    let entry = 2.0 * lambda_dt * element.stiffness(a, b);
                    match row_of[j] {
                        Some(column) => triplets.push((row, column, entry)),
                        None => add(&mut right[row], -entry, x[j]),
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

    fn solve(&self, b: &[f64], mut x: Vec<f64>) -> Result<Vec<f64>, BoxedError> {
        let criteria = Criteria {
            rtol: 1e-12,
            ..Criteria::default()
        };
        let preconditioner = DiagonalPreconditioner::new(&self.matrix)?;
        let outcome: Outcome = conjugate_gradients(
            &HostSpace::<f64>::new(b.len()),
            &self.matrix,
            Some(&preconditioner),
            &b.to_vec(),
            &mut x,
            &criteria,
            |_| {},
        )?;
        if outcome.reason.is_converged() {
            Ok(x)
        } else {
            Err(format!(
                "the reference in double precision did not converge: {}",
                outcome.reason
            )
            .into())
        }
    }
}

/// y ← y + factor x
fn add(y: &mut Point, factor: f64, x: Point) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// A linear triangle.
struct Element {
    area: f64,
    /// The edge opposite to each corner, all the same way round.
    edges: [Point; 3],
}

impl Element {
    fn new([a, b, c]: [Point; 3]) -> Self {
        let edges = [minus(c, b), minus(a, c), minus(b, a)];
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

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
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

    #[test]
    fn a_flat_sheet_of_equal_squares_stays_where_it_is() {
        let sheet = generate::sheet(6, 5);
        let connectivity = Connectivity::new(&sheet).unwrap();
        let moved = step(&sheet, &connectivity, 3.0).unwrap();
        for (now, then) in moved.iter().zip(&sheet.positions) {
            for axis in 0..3 {
                assert_relative_eq!(now[axis], f64::from(then[axis]), epsilon = 1e-10);
            }
        }
    }

    #[test]
    fn boundary_vertices_stay_and_a_bump_goes_down() {
        let mut sheet = generate::sheet(4, 4);
        sheet.positions[12][2] = 1.0;
        let connectivity = Connectivity::new(&sheet).unwrap();
        let moved = step(&sheet, &connectivity, 1.0).unwrap();
        assert!(moved[12][2] > 0.0 && moved[12][2] < 0.9, "{:?}", moved[12]);
        let known = |&i: &usize| connectivity.kind()[i] != VertexKind::Interior;
        for i in (0..25).filter(known) {
            assert_eq!(moved[i], sheet.positions[i].map(f64::from));
        }
    }
}
