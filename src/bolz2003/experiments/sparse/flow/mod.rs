//! Geometric flow: Fig. 4, and the time of a step.

pub mod fig4_cube;
pub mod fig4_scan;
pub mod smoothing_step;

use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::claim::BoxedError;
use crate::mesh::{Connectivity, TriangleMesh};
use crate::solver::Criteria;
use crate::stream::Machine;

/// A mesh ready to be smoothed.
fn flow(
    machine: &Machine,
    mesh: &TriangleMesh,
    connectivity: &Connectivity,
) -> Result<GeometricFlow, BoxedError> {
    let layout = FlowLayout::new(connectivity, &PackingOptions::default())?;
    Ok(GeometricFlow::new(machine, &mesh.positions, layout)?)
}

/// Smooths a mesh by so many steps: the mesh at the start and after each of them, and their iterations.
fn smooth(
    machine: &Machine,
    connectivity: &Connectivity,
    mesh: TriangleMesh,
    lambda_dt: f64,
    steps: usize,
) -> Result<(Vec<TriangleMesh>, Vec<usize>), BoxedError> {
    let mut flow = flow(machine, &mesh, connectivity)?;
    let (mut meshes, mut iterations) = (vec![mesh], Vec::new());
    for step in 1..=steps {
        let outcome = flow.step(lambda_dt, true, &Criteria::default())?;
        if !outcome.reason.is_converged() {
            return Err(format!("step {step} ended as {}", outcome.reason).into());
        }
        meshes.push(TriangleMesh {
            positions: flow.positions()?,
            triangles: meshes[0].triangles.clone(),
        });
        iterations.push(outcome.iterations);
    }
    Ok((meshes, iterations))
}
