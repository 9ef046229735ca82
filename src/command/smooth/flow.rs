//! A mesh on the GPU, in the coordinates of its frame.

use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::solver::{Criteria, Reason, VectorSpace};
use crate::stream::{Machine, StreamError};

use super::super::failure::Failure;
use super::frame::Frame;
use super::{Method, Solver};

/// A mesh that becomes smoother.
pub struct Flow<'a> {
    gpu: GeometricFlow,
    connectivity: &'a Connectivity,
    frame: Frame,
    /// In squared units of the frame.
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
    /// Norm of the residual relative to ‖b‖: the recursive one if the step converged, otherwise the true one if
    /// it was computed.
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
        let frame = Frame::of(mesh, edge);
        let entered: Vec<[f32; 3]> = mesh.positions.iter().map(|&p| frame.enter(p)).collect();
        Ok(Flow {
            gpu: GeometricFlow::new(machine, &entered, layout)?,
            connectivity,
            frame,
            lambda_dt: lambda_dt / frame.unit.powi(2),
            preconditioned: solver.method == Method::Pcg,
            // b is an area times a length.
            criteria: Criteria {
                atol: solver.criteria.atol * frame.unit.powi(-3),
                ..solver.criteria
            },
        })
    }

    /// Solves one step. If it converged, the free vertices of `mesh` move; all others keep their bits.
    pub fn step(&mut self, mesh: &mut TriangleMesh) -> Result<Step, StreamError> {
        let gpu = &mut self.gpu;
        let outcome = gpu.step(self.lambda_dt, self.preconditioned, &self.criteria)?;
        let b = gpu.right_hand_side();
        let norm_of_b = gpu.space().dot(b, b)?.sqrt();
        let carried = outcome.residual;
        let residual = match outcome.reason {
            Reason::Converged => carried,
            _ => outcome.verified.unwrap_or(carried),
        };
        let mut step = Step {
            reason: outcome.reason,
            iterations: outcome.iterations,
            residual: residual / norm_of_b,
            displacement: 0.0,
        };
        if step.reason.is_converged() {
            let moved = gpu.positions()?;
            let vertices = mesh.positions.iter_mut().zip(moved);
            for ((position, moved), kind) in vertices.zip(self.connectivity.kind()) {
                if *kind == VertexKind::Interior {
                    let moved = self.frame.leave(moved);
                    step.displacement = step.displacement.max(distance(*position, moved));
                    *position = moved;
                }
            }
        }
        Ok(step)
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    let differences = a
        .into_iter()
        .zip(b)
        .map(|(a, b)| f64::from(a) - f64::from(b));
    differences.map(|d| d * d).sum::<f64>().sqrt()
}
