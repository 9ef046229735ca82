//! A mesh smoothed step by step, in units of its edges: what a user calls ([`super::flow`] has the method).

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::bolz2003::Error;
use crate::mesh::measure::area;
use crate::mesh::vector::{Vector, add, norm, scale};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::settings::{GridSize, extend, headed, pair};
use crate::solver::{Criteria, Ending, Reason};
use crate::stream::{Machine, Size, StreamError};

use super::flow::{FlowLayout, GeometricFlow};
use super::packing::PackingOptions;

/// Settings of the solver: conjugate gradients with the matrix as groups of rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Options {
    /// Conjugate gradients without a preconditioner, or with the diagonal as preconditioner
    pub method: Method,
    /// Stopping criteria of a step.
    #[serde(flatten)]
    pub criteria: Criteria,
    /// Width and height in texels of the rectangles that rows are packed into
    #[serde(rename = "rect", with = "pair")]
    #[schemars(with = "GridSize")]
    pub rectangle: Size,
}

fn arrange(schema: &mut Schema) {
    headed(schema, "Solver");
    let rtol = "Relative tolerance: converged is |r| <= max(rtol |r0|, atol), with the residual r0 before the step";
    extend(schema, &["rtol"], "description", rtol);
}

impl Default for Options {
    /// The paper's: with the diagonal as preconditioner.
    fn default() -> Self {
        let rectangle = PackingOptions::default().rectangle.into();
        Self { method: Method::Pcg, criteria: Criteria::default(), rectangle }
    }
}

/// Method of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Conjugate gradients
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner
    Pcg,
}

/// A mesh that becomes smoother.
///
/// Textures hold offsets from one of its vertices, in a unit of length that is the power of two nearest to the typical
/// edge length, so that single precision does not depend on the place and the size of a mesh.
pub struct Smoothing<'a> {
    gpu: GeometricFlow,
    connectivity: &'a Connectivity,
    /// The vertex from which offsets are measured, before the first step.
    origin: Vector,
    /// The unit of length, in mesh units.
    unit: f64,
    lambda_dt: f64,
    options: Options,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    /// Its number; 0 for the mesh as given.
    pub step: u32,
    /// Number of iterations.
    pub iterations: usize,
    /// Norm of the true residual, relative to that before the step. A flat mesh has no residual to reduce.
    pub residual: Option<f64>,
    /// Area of the surface.
    pub area: f64,
    /// Largest displacement of a vertex, in mesh units.
    pub displacement: f64,
    /// Reason for the end of its solve, by the true residual.
    #[serde(skip)]
    pub reason: Ending,
}

impl Step {
    /// The mesh as given.
    pub fn start(mesh: &TriangleMesh) -> Self {
        // Nothing is solved, and no residual is left.
        let reason = Ending::judge(Reason::Converged, &[], |_| 0.0, 0.0);
        Self { step: 0, iterations: 0, residual: None, area: area(mesh), displacement: 0.0, reason }
    }
}

impl<'a> Smoothing<'a> {
    /// Uploads a mesh whose typical edge has the length `edge`; `lambda_dt` is in squared mesh
    /// units.
    pub fn new(
        machine: &Machine,
        mesh: &TriangleMesh,
        connectivity: &'a Connectivity,
        [edge, lambda_dt]: [f64; 2],
        mut options: Options,
    ) -> Result<Self, Error> {
        let rectangle = options.rectangle.into();
        let packing = PackingOptions { rectangle, ..PackingOptions::of(machine) };
        let layout = FlowLayout::new(connectivity, &packing)?;
        let unit = 2.0_f64.powi(edge.log2().round() as i32);
        let origin = mesh.origin();
        // b is an area times a length.
        options.criteria.atol *= unit.powi(-3);
        Ok(Self {
            gpu: GeometricFlow::new(machine, &mesh.offsets(origin, unit).positions, layout)?,
            connectivity,
            origin,
            unit,
            lambda_dt: lambda_dt / unit.powi(2),
            options,
        })
    }

    /// Solves a step with this number. If it converged, the free vertices of `mesh` move; all others keep their bits.
    pub fn step(&mut self, number: u32, mesh: &mut TriangleMesh) -> Result<Step, StreamError> {
        let before = mesh.offsets(self.origin, self.unit);
        let (outcome, reason, displacement) = self.gpu.step_refined(
            &before,
            self.connectivity,
            self.lambda_dt,
            self.options.method == Method::Pcg,
            &self.options.criteria,
        )?;
        let mut largest = 0.0_f64;
        if reason.is_converged() {
            for (vertex, d) in displacement.into_iter().enumerate() {
                // §3.1.2, boundaries: x_i ← x_i + d_i, except for fixed vertices
                if self.connectivity.kind()[vertex] == VertexKind::Interior {
                    largest = largest.max(self.unit * norm(d));
                    let position = &mut mesh.positions[vertex];
                    *position = add(*position, scale(self.unit, d));
                }
            }
        }
        let relative = outcome.residual / outcome.history[0];
        Ok(Step {
            step: number,
            iterations: outcome.iterations,
            residual: (outcome.iterations > 0).then_some(relative),
            area: area(mesh),
            displacement: largest,
            reason,
        })
    }
}
