//! A step of geometric flow in double precision, written independently of the kernels: the matrix
//! is assembled element by element, as §3.1.2 of Bolz et al. 2003 says finite element codes do and
//! a GPU of 2003 could not ([`assembly`](crate::mesh::assembly)), and solved for each coordinate by
//! itself.

use crate::claim::BoxedError;
use crate::mesh::assembly::System;
use crate::mesh::{Connectivity, TriangleMesh};
use crate::solver::{Criteria, DiagonalPreconditioner, HostSpace, conjugate_gradients};

/// The positions after one step, in double precision; vertices without a row stay where they are.
pub fn step(
    mesh: &TriangleMesh,
    connectivity: &Connectivity,
    lambda_dt: f64,
) -> Result<Vec<[f64; 3]>, BoxedError> {
    let mut x: Vec<_> = mesh.positions.iter().map(|p| p.map(f64::from)).collect();
    let System {
        matrix,
        right,
        unknowns,
    } = System::of_flow(mesh, connectivity, lambda_dt)?;
    let criteria = Criteria::to(1e-12);
    let inverse = DiagonalPreconditioner::new(&matrix)?;
    let space = HostSpace::<f64>::new(unknowns.len());
    for axis in 0..3 {
        let mut new: Vec<f64> = unknowns.iter().map(|&i| x[i][axis]).collect();
        let b: Vec<f64> = right.iter().map(|b| b[axis]).collect();
        let inverse = Some(&inverse as _);
        let outcome =
            conjugate_gradients(&space, &matrix, inverse, &b, &mut new, &criteria, |_| {})?;
        if !outcome.reason.is_converged() {
            let reason = outcome.reason;
            return Err(format!("the reference in double precision ended as {reason}").into());
        }
        for (&i, new) in unknowns.iter().zip(new) {
            x[i][axis] = new;
        }
    }
    Ok(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::VertexKind;
    use crate::mesh::generate;
    use approx::assert_relative_eq;

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
