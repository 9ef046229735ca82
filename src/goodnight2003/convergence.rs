//! Convergence: the residual, measured (goodnight2003 §4.1.3), and the true one that every solve is
//! checked with.

use super::{Grid, Norm, ProblemError, TwinLevel};

/// The equations of the finest grid in double precision, with the coefficients that the fragment
/// programs use.
pub struct Equations {
    exact: TwinLevel<f64>,
    /// Nodes that are no replicas.
    originals: Vec<usize>,
}

/// What one solution leaves of the equations.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The residual of each node.
    pub residual: Vec<f64>,
    /// Its norm; a replica does not count again.
    pub norm: f64,
    /// The norm that rounding alone can leave: at each node four times the unit roundoff of the sum
    /// of all terms' magnitudes, the largest magnitude of U in place of U.
    pub rounding: f64,
}

impl Equations {
    /// From texels of the maps, as read back.
    pub(super) fn new(
        grid: &Grid,
        operator: &[f32],
        boundary: &[f32],
    ) -> Result<Self, ProblemError> {
        let texels = |map: &[f32]| -> Vec<[f64; 4]> {
            let texels = map.chunks_exact(4);
            texels.map(|t| [t[0], t[1], t[2], t[3]].map(f64::from)).collect()
        };
        let exact = TwinLevel::new(grid, 0, &texels(operator), &texels(boundary))?;
        let columns = grid.size(0).0 as usize;
        let is_original = |node: &usize| !exact.is_replica(node % columns, node / columns);
        Ok(Self {
            originals: (0..exact.nodes()).filter(is_original).collect(),
            exact,
        })
    }

    /// The residual of a solution, F being the right side, both one a node; `roundoff` is the unit
    /// roundoff of the surface that the solution was computed on.
    pub fn check(&self, u: &[f32], f: &[f32], norm: Norm, roundoff: f64) -> Check {
        let double = |values: &[f32]| values.iter().map(|v| f64::from(*v)).collect::<Vec<f64>>();
        let (u, f) = (double(u), double(f));
        let residual = self.exact.residual(&f, &u);
        let largest = Norm::Maximum.of(u.iter().copied());
        let magnitude = |node: usize| {
            let diagonal: f64 = self.exact.operator()[node].iter().sum();
            let [inflow, leak] = self.through_side(node);
            f[node].abs() + inflow.abs() + (2.0 * diagonal + leak.abs()) * largest
        };
        let once = |of: &dyn Fn(usize) -> f64| norm.of(self.originals.iter().map(|node| of(*node)));
        Check {
            norm: once(&|node| residual[node]),
            rounding: 4.0 * roundoff * once(&magnitude),
            residual,
        }
    }

    /// The norm of the right side: of the residual of U = 0, but for nodes with prescribed values,
    /// which have them.
    pub fn norm_of_right_side(&self, f: &[f32], norm: Norm) -> f64 {
        let boundary = self.exact.boundary();
        let start = |node: usize| match self.exact.is_held(node) {
            true => (boundary[node][2] / boundary[node][0]) as f32,
            false => 0.0,
        };
        let u: Vec<f32> = (0..self.exact.nodes()).map(start).collect();
        self.check(&u, f, norm, 0.0).norm
    }

    /// The sum of all sources less what flows in through the sides, and the sum of magnitudes.
    pub fn balance(&self, f: &[f32]) -> (f64, f64) {
        self.originals.iter().fold((0.0, 0.0), |(sum, magnitude), &node| {
            let [inflow, _] = self.through_side(node);
            let f = f64::from(f[node]);
            (sum + f - inflow, magnitude + f.abs() + inflow.abs())
        })
    }

    /// sγ/β and sα/β.
    fn through_side(&self, node: usize) -> [f64; 2] {
        let [alpha, beta, gamma, s] = self.exact.boundary()[node];
        match beta == 0.0 {
            true => [0.0, 0.0],
            false => [s * gamma / beta, s * alpha / beta],
        }
    }
}
