//! The equations of the finest grid on the CPU, in double precision: the true residual that every
//! solve is checked with.

use super::Norm;

/// The coefficients that the fragment programs use, as read back.
pub struct Equations {
    columns: usize,
    rows: usize,
    periodic: [bool; 2],
    /// W, E, S, N.
    operator: Vec<[f64; 4]>,
    /// α, β, γ, s.
    boundary: Vec<[f64; 4]>,
}

/// What one solution leaves of the equations.
pub struct Check {
    /// The residual of each node.
    pub residual: Vec<f64>,
    /// The norm of the residual; a replica does not count again.
    pub norm: f64,
    /// The norm of what rounding alone can leave: for each node, the unit roundoff times the sum of
    /// the magnitudes of all terms, four operations deep.
    pub rounding: f64,
}

impl Equations {
    /// From texels of the maps.
    pub(super) fn new(
        (columns, rows): (u32, u32),
        periodic: [bool; 2],
        operator: &[f32],
        boundary: &[f32],
    ) -> Self {
        let texels = |map: &[f32]| {
            let texels = map.chunks_exact(4);
            texels.map(|t| [t[0], t[1], t[2], t[3]].map(f64::from)).collect()
        };
        Self {
            columns: columns as usize,
            rows: rows as usize,
            periodic,
            operator: texels(operator),
            boundary: texels(boundary),
        }
    }

    /// The residual of a solution, F being the right side, both one a node; `roundoff` is the unit
    /// roundoff of the surface that the solution was computed on.
    pub fn check(&self, u: &[f32], f: &[f32], norm: Norm, roundoff: f64) -> Check {
        let nodes = self.columns * self.rows;
        let (residual, magnitude): (Vec<f64>, Vec<f64>) =
            (0..nodes).map(|node| self.residual_at(node, u, f)).unzip();
        let once = |values: &[f64]| {
            let values = values.iter().enumerate();
            norm.of(values.filter(|(node, _)| !self.is_replica(*node)).map(|(_, v)| *v))
        };
        Check {
            norm: once(&residual),
            rounding: 4.0 * roundoff * once(&magnitude),
            residual,
        }
    }

    /// The norm of the right side: of the residual of U = 0, but for nodes with prescribed values,
    /// which have them.
    pub fn norm_of_right_side(&self, f: &[f32], norm: Norm) -> f64 {
        let held = |c: &[f64; 4]| if is_held(c) { c[2] / c[0] } else { 0.0 };
        let u: Vec<f32> = self.boundary.iter().map(|c| held(c) as f32).collect();
        self.check(&u, f, norm, 0.0).norm
    }

    /// Sum of all sources less what flows in through the sides, and the sum of magnitudes.
    pub fn balance(&self, f: &[f32]) -> (f64, f64) {
        let nodes = (0..f.len()).filter(|node| !self.is_replica(*node));
        nodes.fold((0.0, 0.0), |(sum, magnitude), node| {
            let (inflow, _) = through_side(&self.boundary[node]);
            let f = f64::from(f[node]);
            (sum + f - inflow, magnitude + f.abs() + inflow.abs())
        })
    }

    fn residual_at(&self, node: usize, u: &[f32], f: &[f32]) -> (f64, f64) {
        let condition = &self.boundary[node];
        if is_held(condition) {
            return (0.0, 0.0);
        }
        let (inflow, leak) = through_side(condition);
        let (center, f) = (f64::from(u[node]), f64::from(f[node]));
        let mut residual = f - inflow + leak * center;
        let mut magnitude = f.abs() + inflow.abs() + (leak * center).abs();
        for (a, neighbour) in self.operator[node].iter().zip(self.neighbours(node)) {
            let neighbour = f64::from(u[neighbour]);
            residual -= a * (neighbour - center);
            magnitude += a * (neighbour.abs() + center.abs());
        }
        (residual, magnitude)
    }

    /// West, east, south and north of a node; itself where there is none.
    fn neighbours(&self, node: usize) -> [usize; 4] {
        let (column, row) = (node % self.columns, node / self.columns);
        let before = |i, n, periodic| match (i, periodic) {
            (0, true) => n - 2,
            (0, false) => 0,
            _ => i - 1,
        };
        let behind = |i, n, periodic| match (i + 1 == n, periodic) {
            (true, true) => 1,
            (true, false) => i,
            _ => i + 1,
        };
        let [x, y] = self.periodic;
        let at = |column, row| row * self.columns + column;
        [
            at(before(column, self.columns, x), row),
            at(behind(column, self.columns, x), row),
            at(column, before(row, self.rows, y)),
            at(column, behind(row, self.rows, y)),
        ]
    }

    fn is_replica(&self, node: usize) -> bool {
        let (column, row) = (node % self.columns, node / self.columns);
        (self.periodic[0] && column + 1 == self.columns) || (self.periodic[1] && row + 1 == self.rows)
    }
}

fn is_held([alpha, beta, ..]: &[f64; 4]) -> bool {
    *beta == 0.0 && *alpha != 0.0
}

/// sγ/β and sα/β.
fn through_side([alpha, beta, gamma, s]: &[f64; 4]) -> (f64, f64) {
    match *beta == 0.0 {
        true => (0.0, 0.0),
        false => (s * gamma / beta, s * alpha / beta),
    }
}
