//! A mesh on the GPU, in units of its edges.

use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::mesh::vector::{add, norm, widen};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::solver::{Criteria, Reason};
use crate::stream::{Machine, StreamError};

use super::super::failure::Failure;
use super::{Method, Solver};

/// A mesh that becomes smoother.
///
/// Its unit of length is the power of two nearest to the typical edge length, so that single precision does not
/// depend on the size of a mesh.
pub struct Flow<'a> {
    gpu: GeometricFlow,
    connectivity: &'a Connectivity,
    mesh: TriangleMesh,
    /// The unit of length, in mesh units.
    unit: f64,
    lambda_dt: f64,
    preconditioned: bool,
    criteria: Criteria,
}

/// Result of a step.
pub struct Step {
    /// Reason for the end of its solve.
    pub reason: Reason,
    /// Number of iterations.
    pub iterations: usize,
    /// Norm of the true residual, relative to that before the step.
    pub residual: f64,
    /// Largest displacement of a vertex, in mesh units.
    pub displacement: f64,
}

impl<'a> Flow<'a> {
    /// Uploads a mesh whose typical edge has the length `edge`; `lambda_dt` is in squared mesh
    /// units.
    pub fn new(
        machine: &Machine,
        mesh: &TriangleMesh,
        connectivity: &'a Connectivity,
        edge: f64,
        lambda_dt: f64,
        solver: &Solver,
    ) -> Result<Self, Failure> {
        let options = PackingOptions {
            rectangle: [solver.rect.columns, solver.rect.rows],
            ..PackingOptions::of(machine)
        };
        let layout = FlowLayout::new(connectivity, &options)?;
        let unit = 2.0_f64.powi(edge.log2().round() as i32);
        let mut mesh = mesh.clone();
        for coordinate in mesh.positions.as_flattened_mut() {
            *coordinate = (f64::from(*coordinate) / unit) as f32;
        }
        Ok(Flow {
            gpu: GeometricFlow::new(machine, &mesh.positions, layout)?,
            connectivity,
            mesh,
            unit,
            lambda_dt: lambda_dt / unit.powi(2),
            preconditioned: solver.method == Method::Pcg,
            // b is an area times a length.
            criteria: Criteria { atol: solver.criteria.atol * unit.powi(-3), ..solver.criteria },
        })
    }

    /// Solves one step. If it converged, the free vertices of `mesh` move; all others keep their bits.
    pub fn step(&mut self, mesh: &mut TriangleMesh) -> Result<Step, StreamError> {
        let before = &mut self.mesh;
        let (outcome, displacement) = self.gpu.step_refined(
            before,
            self.connectivity,
            self.lambda_dt,
            self.preconditioned,
            &self.criteria,
        )?;
        let mut step = Step {
            reason: outcome.reason,
            iterations: outcome.iterations,
            residual: outcome.residual / outcome.history[0],
            displacement: 0.0,
        };
        if step.reason.is_converged() {
            for (vertex, d) in displacement.into_iter().enumerate() {
                if self.connectivity.kind()[vertex] == VertexKind::Interior {
                    step.displacement = step.displacement.max(self.unit * norm(d));
                    let new = add(widen(before.positions[vertex]), d);
                    before.positions[vertex] = new.map(|coordinate| coordinate as f32);
                    mesh.positions[vertex] = new.map(|coordinate| (self.unit * coordinate) as f32);
                }
            }
        }
        Ok(step)
    }
}
