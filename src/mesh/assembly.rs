//! Assembly of finite elements in double precision: linear ones on triangles.
//!
//! With the gradients of the linear basis functions, ∫∇φ_i·∇φ_j = −(cot α + cot β)/2. The equation of a step of
//! geometric flow (bolz2003 §3.1.2), Σ_j a_ij x_j = 4 A_i x_i(old), is therefore (4M + 2λΔt K) x = 4M x(old),
//! with the stiffness matrix K and M = diag(A_i), the area of the triangles at i. Prescribed values, on the
//! boundary, are moved to the right-hand side.

use std::error::Error;

use super::connectivity::{Connectivity, VertexKind};
use super::triangle_mesh::TriangleMesh;
use super::vector::{Vector, add, dot, scale, subtract};
use crate::solver::{
    Criteria, Csr, CsrError, DiagonalPreconditioner, HostSpace, conjugate_gradients,
};

/// A linear system for the positions of the unknown vertices.
pub struct System {
    /// A row and a column for each unknown.
    pub matrix: Csr<f64>,
    /// One right-hand side per coordinate.
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
        let x = &mesh.positions;
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
        Ok(System { matrix: Csr::from_triplets(n, n, triplets)?, right, unknowns })
    }

    /// The positions of all vertices after the step, by conjugate gradients to 1e-12, separately for each
    /// coordinate. Vertices without a row stay at `x`.
    ///
    /// # Errors
    /// A zero on the diagonal, or a solve that does not converge.
    pub fn solve(&self, mut x: Vec<Vector>) -> Result<Vec<Vector>, Box<dyn Error + Send + Sync>> {
        let inverse = DiagonalPreconditioner::new(&self.matrix)?;
        let space = HostSpace::<f64>::new(self.unknowns.len());
        let criteria = Criteria::to(1e-12);
        for axis in 0..3 {
            let mut new: Vec<f64> = self.unknowns.iter().map(|&i| x[i][axis]).collect();
            let b: Vec<f64> = self.right.iter().map(|b| b[axis]).collect();
            let (matrix, inverse) = (&self.matrix, Some(&inverse as _));
            let outcome =
                conjugate_gradients(&space, matrix, inverse, &b, &mut new, &criteria, |_| {})?;
            if !outcome.reason.is_converged() {
                return Err(
                    format!("the solve in double precision ended as {}", outcome.reason).into()
                );
            }
            for (&i, new) in self.unknowns.iter().zip(new) {
                x[i][axis] = new;
            }
        }
        Ok(x)
    }
}

/// The residual of a step of geometric flow by λΔt after the displacement d of each vertex, −(4M d + 2λΔt K (x + d)),
/// with `term` applied to each term of its sums. It is zero at vertices without a row.
///
/// A row of K sums to zero, so only differences of positions enter: nothing cancels far from the origin.
pub fn flow_residual(
    mesh: &TriangleMesh,
    connectivity: &Connectivity,
    lambda_dt: f64,
    d: &[Vector],
    term: fn(f64) -> f64,
) -> Vec<Vector> {
    let mut r = vec![[0.0; 3]; d.len()];
    for triangle in &mesh.triangles {
        let corners = triangle.map(|vertex| vertex as usize);
        let x = corners.map(|vertex| mesh.positions[vertex]);
        let element = Element::new(x);
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let [i, j, k] = [a, b, c].map(|corner| corners[corner]);
            let along = add(subtract(x[b], x[a]), subtract(d[j], d[i]));
            let flux = scale(2.0 * lambda_dt * element.stiffness(a, b), along);
            let inert = scale(4.0 * element.area, d[k]);
            for axis in 0..3 {
                r[i][axis] += term(-flux[axis]);
                r[j][axis] += term(flux[axis]);
                r[k][axis] += term(-inert[axis]);
            }
        }
    }
    for (r, kind) in r.iter_mut().zip(connectivity.kind()) {
        if *kind != VertexKind::Interior {
            *r = [0.0; 3];
        }
    }
    r
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
        Element { area: 0.5 * squared.max(0.0).sqrt(), edges }
    }

    /// ∫∇φ_a·∇φ_b: gradients are the opposite edges turned by a right angle, over twice the area.
    fn stiffness(&self, a: usize, b: usize) -> f64 {
        dot(self.edges[a], self.edges[b]) / (4.0 * self.area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use approx::assert_relative_eq;

    fn step(mesh: &TriangleMesh, lambda_dt: f64) -> Vec<Vector> {
        let x = mesh.positions.clone();
        let connectivity = Connectivity::new(mesh).unwrap();
        let system = System::of_flow(mesh, &connectivity, lambda_dt).unwrap();
        system.solve(x).unwrap()
    }

    #[test]
    fn a_flat_sheet_of_equal_squares_stays_where_it_is() {
        let sheet = generate::sheet(6, 5);
        let moved = step(&sheet, 3.0);
        for (now, then) in moved.iter().flatten().zip(sheet.positions.as_flattened()) {
            assert_relative_eq!(*now, *then, epsilon = 1e-10);
        }
    }

    #[test]
    fn boundary_vertices_stay_and_a_bump_goes_down() {
        let mut sheet = generate::sheet(4, 4);
        sheet.positions[12][2] = 1.0;
        let moved = step(&sheet, 1.0);
        assert!(moved[12][2] > 0.0 && moved[12][2] < 0.9, "{:?}", moved[12]);
        let connectivity = Connectivity::new(&sheet).unwrap();
        let known = |&i: &usize| connectivity.kind()[i] != VertexKind::Interior;
        for i in (0..25).filter(known) {
            assert_eq!(moved[i], sheet.positions[i]);
        }
    }

    #[test]
    fn the_residual_of_a_displacement_is_that_of_the_system() {
        let mut mesh = generate::sheet(5, 4);
        generate::add_normal_noise(&mut mesh, 0.2, 7);
        let connectivity = Connectivity::new(&mesh).unwrap();
        let system = System::of_flow(&mesh, &connectivity, 0.7).unwrap();
        let wave = |i: usize| [0.3, 0.5, 0.7].map(|speed| (speed * i as f64).sin());
        let mut d = vec![[0.0; 3]; mesh.positions.len()];
        system.unknowns.iter().for_each(|&i| d[i] = wave(i));
        let found = flow_residual(&mesh, &connectivity, 0.7, &d, |term| term);
        let mut expected = vec![[0.0; 3]; d.len()];
        for (row, &i) in system.unknowns.iter().enumerate() {
            expected[i] = system.right[row];
            for (column, a) in system.matrix.row(row) {
                let j = system.unknowns[column];
                add_to(&mut expected[i], -a, add(mesh.positions[j], d[j]));
            }
        }
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert_relative_eq!(*found, *expected, epsilon = 1e-12);
        }
    }

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
