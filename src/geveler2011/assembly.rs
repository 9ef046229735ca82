//! Poisson's equation −Δu = f as a system of equations (geveler2011 §4.2).
//!
//! Integrals use Gauss's rule of 3 × 3 points. Rows of Dirichlet unknowns are reduced to 1, but their
//! columns are kept: the matrix is not symmetric, but on vectors that hold the boundary's values it
//! acts like a symmetric one. Entries are counted by structure: some are zero up to rounding errors, and are kept.

use crate::base::parallel::each;
use crate::solver::{Csr, CsrError};

use super::space::{Bilinear, Element, Space};

/// Poisson's problem: −Δu = f inside, u = g or ∂u/∂n = h on each part of the boundary.
pub struct Problem<'a> {
    /// f
    pub source: &'a (dyn Fn([f64; 2]) -> f64 + Sync),
    /// Condition on each part of the boundary, in the order of the mesh's parts.
    pub boundary: Vec<Condition<'a>>,
}

/// Condition on a part of the boundary.
#[derive(Clone, Copy)]
pub enum Condition<'a> {
    /// u
    Dirichlet(&'a (dyn Fn([f64; 2]) -> f64 + Sync)),
    /// The outward normal derivative ∂u/∂n.
    Neumann(&'a (dyn Fn([f64; 2]) -> f64 + Sync)),
}

/// A u = b.
pub struct System {
    /// A
    pub matrix: Csr<f64>,
    /// b
    pub right_side: Vec<f64>,
    /// The prescribed value of every unknown on a Dirichlet boundary; where two parts meet, the one with the
    /// larger number decides.
    pub known: Vec<Option<f64>>,
}

impl System {
    /// The prescribed values, and zero elsewhere: the start of a solve.
    pub fn start(&self) -> Vec<f64> {
        let known = self.known.iter();
        known.map(|known| known.unwrap_or(0.0)).collect()
    }
}

/// Positions and weights of Gauss's rule of three points on [−1, 1].
const GAUSS: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];

impl Space<'_> {
    /// Assembles the system of this problem on this space.
    pub fn assemble(&self, problem: &Problem<'_>) -> Result<System, CsrError> {
        let n = self.dimension();
        let known = self.known(problem);
        let rule: Vec<(f64, [f64; 2])> =
            GAUSS.iter().flat_map(|&(x, a)| GAUSS.map(|(y, b)| (a * b, [x, y]))).collect();
        let shapes: Vec<_> = rule
            .iter()
            .map(|&(weight, at)| (weight, Element::Q1.shape(at), self.element.shape(at)))
            .collect();
        let locals = self.mesh.cells.iter().map(|_| Default::default());
        let mut locals: Vec<(Vec<usize>, Vec<f64>, Vec<f64>)> = locals.collect();
        each(&mut locals, &|cell, local| {
            let map = Bilinear::of(self.mesh, cell);
            let unknowns = self.unknowns_of(cell);
            let m = unknowns.len();
            let (mut stiffness, mut load) = (vec![0.0; m * m], vec![0.0; m]);
            for (weight, geometry, shape) in &shapes {
                let [[a, b], [c, d]] = map.jacobian(&geometry.gradients);
                let area = a * d - b * c;
                // ∇φ = J⁻ᵀ (∂φ/∂ξ, ∂φ/∂η)
                let gradients: Vec<[f64; 2]> = shape
                    .gradients
                    .iter()
                    .map(|[x, y]| [(d * x - c * y) / area, (a * y - b * x) / area])
                    .collect();
                let source = (problem.source)(map.point(&geometry.values));
                // §4.2, −Δu = f: A_ij = ∫ ∇φ_i · ∇φ_j, b_i = ∫ f φ_i
                for i in 0..m {
                    load[i] += weight * area * source * shape.values[i];
                    for j in 0..m {
                        let product =
                            gradients[i][0] * gradients[j][0] + gradients[i][1] * gradients[j][1];
                        stiffness[i * m + j] += weight * area * product;
                    }
                }
            }
            *local = (unknowns, stiffness, load);
        });

        let mut right_side = vec![0.0; n];
        let mut triplets = Vec::with_capacity(locals.iter().map(|(_, k, _)| k.len()).sum());
        for (unknowns, stiffness, load) in locals {
            let free = |(_, i): &(usize, &usize)| known[**i].is_none();
            for (a, &i) in unknowns.iter().enumerate().filter(free) {
                right_side[i] += load[a];
                let row = &stiffness[a * unknowns.len()..];
                triplets.extend(unknowns.iter().zip(row).map(|(&j, &entry)| (i, j, entry)));
            }
        }
        self.add_slopes(problem, &mut right_side);
        for (i, value) in known.iter().enumerate() {
            if let Some(value) = *value {
                // §4.2, u = g on the boundary: u_i = g_i
                right_side[i] = value;
                triplets.push((i, i, 1.0));
            }
        }
        Ok(System { matrix: Csr::from_triplets(n, n, triplets)?, right_side, known })
    }

    /// The prescribed value of every unknown on a Dirichlet boundary.
    fn known(&self, problem: &Problem<'_>) -> Vec<Option<f64>> {
        let points = self.points();
        let mut known = vec![None; points.len()];
        for (part, condition) in problem.boundary.iter().enumerate() {
            let Condition::Dirichlet(value) = condition else {
                continue;
            };
            for edge in 0..self.mesh.edges.len() {
                if self.mesh.edge_part[edge] == Some(part as u32) {
                    for unknown in self.unknowns_on(edge) {
                        known[unknown] = Some(value(points[unknown]));
                    }
                }
            }
        }
        known
    }

    /// b ← b + ∫ h φ along the Neumann boundaries.
    fn add_slopes(&self, problem: &Problem<'_>, right_side: &mut [f64]) {
        for (edge, part) in self.mesh.edge_part.iter().enumerate() {
            let condition = part.and_then(|part| problem.boundary.get(part as usize));
            let Some(Condition::Neumann(slope)) = condition else {
                continue;
            };
            let [a, b] = self.mesh.edges[edge].map(|v| self.mesh.vertices[v as usize]);
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            let unknowns = self.unknowns_on(edge);
            for (x, weight) in GAUSS {
                // An edge of the square: η = −1, from corner 0 to corner 1, by way of node 4.
                let values = self.element.shape([x, -1.0]).values;
                let at = [0, 1].map(|k| 0.5 * ((1.0 - x) * a[k] + (1.0 + x) * b[k]));
                for (&unknown, node) in unknowns.iter().zip([0, 1, 4]) {
                    right_side[unknown] += 0.5 * length * weight * slope(at) * values[node];
                }
            }
        }
    }
}
