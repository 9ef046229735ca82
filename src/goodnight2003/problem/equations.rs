//! A boundary value problem L φ = f on a grid, and its equations (goodnight2003 §2.1, §4.1, §4.2).
//!
//! Each node has a control volume that reaches halfway to its neighbours. The flow through the
//! faces of the volume equals the source in it:
//!
//!   Σ a_k (U_k − U) + s (γ − α U) / β = F,
//!
//! where a_k is the coefficient of the face to neighbour k (west, east, south, north), s the volume's piece of
//! the boundary times the conductivity, F = V f the source in the volume. On a square Cartesian grid all a_k are one
//! inside: equation 2. If β = 0 the equation is U = γ / α.

use crate::goodnight2003::{Boundaries, Error, Grid, Metric};
use crate::solver::scaling::power_of_two;

/// Largest sum of all sources, relative to the sum of their magnitudes, if no value is
/// prescribed: rounding error of single precision in a sum that is zero.
const BALANCE: f64 = 1e-5;

/// A grid, its coordinates, its boundary conditions, its sources.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The nodes.
    pub grid: Grid,
    /// The coordinates.
    pub metric: Metric,
    /// The conditions on the sides.
    pub boundaries: Boundaries,
    /// f at each node of the finest grid, rows from the south up.
    pub source: Vec<f64>,
}

impl Problem {
    /// Creates a problem from parts that fit together. Values at replicas are ignored.
    /// [`Equations::balance`] tests whether a problem without prescribed values is compatible.
    pub fn new(
        grid: Grid,
        metric: Metric,
        boundaries: Boundaries,
        source: Vec<f64>,
    ) -> Result<Self, Error> {
        boundaries.check(&grid)?;
        Error::check("the source", source.iter().copied(), grid.nodes(0))?;
        Ok(Self { grid, metric, boundaries: boundaries.replicated(&grid), source })
    }

    pub(crate) fn metric_at(&self, xi: f64, eta: f64) -> Result<[f64; 3], Error> {
        let scales = self.metric.at(xi, eta);
        scales.ok_or_else(|| Error::NoHostMetric(self.metric.name().to_owned()))
    }

    /// Number of levels. If only leaks determine the constant, however weakly, relaxation
    /// hardly changes the mean, and the coarsest grid is a single node, for which one sweep is exact.
    pub fn levels(&self) -> u32 {
        let leaks_alone = !self.is_singular() && !self.boundaries.prescribe_a_value();
        self.grid.levels_until(if leaks_alone { 1 } else { 3 })
    }

    /// The problem that the multiple of its solution solves.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            boundaries: self.boundaries.scaled(factor),
            source: self.source.iter().map(|f| f * factor).collect(),
            ..self.clone()
        }
    }

    /// Tests whether the solution is determined only up to a constant.
    pub fn is_singular(&self) -> bool {
        self.boundaries.leave_a_constant_free()
    }

    /// If no value is prescribed, spreads the imbalance of sources and boundary flow over the volumes, so that there
    /// is a solution. Returns the imbalance; zero if it is within rounding error.
    pub fn make_compatible(&mut self) -> Result<f64, Error> {
        let equations = Equations::new(self)?;
        match equations.balance() {
            Err(Error::Incompatible(sum)) => {
                let whole = equations.whole_volume();
                self.source.iter_mut().for_each(|f| *f -= sum / whole);
                Ok(sum)
            }
            other => other.map(|()| 0.0),
        }
    }
}

/// A problem with the scale factors of its coordinates at each node of the finest grid.
#[derive(Debug, Clone)]
pub struct Equations {
    /// The problem.
    pub problem: Problem,
    /// h₁, h₂ and k.
    scales: Vec<[f64; 3]>,
}

impl Equations {
    /// Computes the scale factors on the CPU.
    pub fn new(problem: &Problem) -> Result<Self, Error> {
        let points = problem.grid.places(0).map(|place| problem.grid.point(place));
        let scales = points.map(|[xi, eta]| problem.metric_at(xi, eta));
        Self::with_scales(problem, scales.collect::<Result<_, _>>()?)
    }

    /// Takes scale factors that the GPU has computed.
    pub(crate) fn with_scales(problem: &Problem, scales: Vec<[f64; 3]>) -> Result<Self, Error> {
        let is_good = |scale: &[f64; 3]| scale.iter().all(|v| v.is_finite() && *v > 0.0);
        if let Some(node) = scales.iter().position(|scale| !is_good(scale)) {
            return Err(Error::metric(problem.grid.place(node)));
        }
        let problem = problem.clone();
        Ok(Self { problem, scales })
    }

    /// The boundary maps of all levels, the finest first: α, β, γ and s at each node, all zero
    /// inside.
    ///
    /// Coarser levels solve for corrections, so γ is zero there, and s is included in α. A coarser node leaks as much
    /// as the finer nodes that its correction reaches, each by its share, and its value is prescribed if one of theirs
    /// is: conditions on only a part of a side must not get lost between coarser nodes.
    pub fn boundary_maps(&self, levels: u32) -> Vec<Vec<[f64; 4]>> {
        let mut maps = vec![self.stated_conditions()];
        for level in 1..levels {
            let [held, leaks] = self.shares(level, &maps[level as usize - 1]);
            let condition = |(held, leak): (&f64, &f64)| match (*held > 0.0, *leak != 0.0) {
                (true, _) => [1.0, 0.0, 0.0, 1.0],
                (false, true) => [*leak, 1.0, 0.0, 1.0],
                (false, false) => [0.0; 4],
            };
            maps.push(held.iter().zip(&leaks).map(condition).collect());
        }
        maps
    }

    /// For each node of a level, the share of the finer nodes that is prescribed, and the sum of their s α / β,
    /// each finer node distributed as interpolation reaches it.
    fn shares(&self, level: u32, finer: &[[f64; 4]]) -> [Vec<f64>; 2] {
        let (x, y) = (&self.problem.grid.x, &self.problem.grid.y);
        let (columns, _) = self.problem.grid.size(level);
        let index = |column: u32, row: u32| row as usize * columns as usize + column as usize;
        let original = |column, row| index(x.original(level, column), y.original(level, row));
        let mut shares = [0, 1].map(|_| vec![0.0; self.problem.grid.nodes(level)]);
        let [held, leaks] = &mut shares;
        for ((column, row), [alpha, beta, _, s]) in self.problem.grid.places(level - 1).zip(finer) {
            let replica =
                x.original(level - 1, column) != column || y.original(level - 1, row) != row;
            if replica || (*alpha == 0.0 && *beta == 0.0) {
                continue;
            }
            for (coarse_row, v) in y.reached_by(level, row) {
                for (coarse_column, w) in x.reached_by(level, column) {
                    let node = original(coarse_column, coarse_row);
                    if *beta == 0.0 {
                        held[node] += w * v
                    } else {
                        leaks[node] += w * v * s * alpha / beta
                    }
                }
            }
        }
        for values in &mut shares {
            for (column, row) in self.problem.grid.places(level) {
                values[index(column, row)] = values[original(column, row)];
            }
        }
        shares
    }

    /// The boundary map of the finest level: the conditions at its nodes.
    pub(crate) fn stated_conditions(&self) -> Vec<[f64; 4]> {
        let (x, y) = (&self.problem.grid.x, &self.problem.grid.y);
        let condition = |((column, row), [h1, h2, k]): ((u32, u32), &[f64; 3])| {
            // §4.2, Eq. 3: α, β, γ, and s = k times the length of the node's piece of the side
            let lengths = [k * h2 * y.width(0, row), k * h1 * x.width(0, column)];
            let stated = self.problem.boundaries.at(&self.problem.grid, (column, row), lengths);
            stated.map_or([0.0; 4], |(c, s)| [c.alpha, c.beta, c.gamma, s])
        };
        self.problem.grid.places(0).zip(&self.scales).map(condition).collect()
    }

    /// F = V f at each node of the finest grid.
    pub fn right_side(&self) -> Vec<f64> {
        // §2.1, Eq. 1 over a control volume: F = V f
        let volumes = self.volumes().into_iter();
        volumes.zip(&self.problem.source).map(|(v, f)| v * f).collect()
    }

    /// The power of two that brings the largest source, flow or prescribed value near 1
    /// ([`power_of_two`]).
    pub(crate) fn power_of_two(&self) -> f64 {
        let given = self.stated_conditions().into_iter().map(|[alpha, beta, gamma, s]| {
            match (beta == 0.0, alpha == 0.0) {
                (true, true) => 0.0,
                (true, false) => gamma / alpha,
                (false, _) => s * gamma / beta,
            }
        });
        power_of_two(&self.right_side().into_iter().chain(given).collect::<Vec<_>>())
    }

    /// F, one value per node. If no value is prescribed, the imbalance of
    /// sources and boundary flow is spread over the volumes and subtracted, so that the equations have
    /// a solution to the last digit.
    pub fn balanced(&self, mut f: Vec<f64>) -> Result<Vec<f64>, Error> {
        if self.problem.is_singular() {
            let (mut sum, mut magnitude) = (0.0, 0.0);
            let flow = self.stated_conditions();
            for node in self.problem.grid.originals(0) {
                let [_, beta, gamma, s] = flow[node];
                let out = if beta == 0.0 { 0.0 } else { s * gamma / beta };
                sum += f[node] - out;
                magnitude += f[node].abs() + out.abs();
            }
            if sum.abs() > BALANCE * magnitude {
                return Err(Error::Incompatible(sum));
            }
            let whole = self.whole_volume();
            for (f, volume) in f.iter_mut().zip(self.volumes()) {
                *f -= sum * volume / whole;
            }
        }
        Ok(f)
    }

    /// V = h₁ h₂ times the widths of the control volume, at each node of the finest grid.
    pub fn volumes(&self) -> Vec<f64> {
        let (x, y) = (&self.problem.grid.x, &self.problem.grid.y);
        let volume = |((column, row), [h1, h2, _]): ((u32, u32), &[f64; 3])| {
            h1 * h2 * x.width(0, column) * y.width(0, row)
        };
        self.problem.grid.places(0).zip(&self.scales).map(volume).collect()
    }

    /// Tests whether a solution exists: if no value is prescribed, sources and boundary flow have to
    /// cancel, up to the rounding error of their sum in single precision.
    ///
    /// If flow and sources cancel as integrals, their sum here is of second order in the spacing,
    /// and they are rejected like any others: from the sums on a grid and on its coarser ones they cannot
    /// be distinguished from a source without a sink. (On every second node, the sum is four times that
    /// on all; so it is for a single source, if its node is among these.) Spreading the sum over the
    /// volumes changes the problem: [`Problem::make_compatible`].
    pub fn balance(&self) -> Result<(), Error> {
        self.balanced(self.right_side()).map(|_| ())
    }

    /// The sum of all control volumes.
    fn whole_volume(&self) -> f64 {
        let volumes = self.volumes();
        self.problem.grid.originals(0).map(|node| volumes[node]).sum()
    }
}
