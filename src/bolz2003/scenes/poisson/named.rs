//! Right-hand sides that have a name.

use std::f64::consts::PI;
use std::fmt;

use crate::base::random::SplitMix64;

use crate::bolz2003::grid::geometry::{Boundary, Grid};

/// The names, with one seed for all.
pub const NAMES: [&str; 6] = ["sine", "ones", "point", "dipole", "checker", "random:1"];

/// Squares of the checkerboard from bottom to top.
const SQUARES: usize = 8;

/// A right-hand side that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A product of sines and cosines, which is also the solution up to a factor.
    Sine,
    /// One everywhere.
    Ones,
    /// A source of strength one in the middle.
    Point,
    /// A source and a sink of strength one.
    Dipole,
    /// Squares of 1 and -1.
    Checker,
    /// Uniform in (−1, 1], the same on every machine.
    Random {
        /// Random seed.
        seed: u64,
    },
}

impl fmt::Display for Named {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Named::Sine => "sine",
            Named::Ones => "ones",
            Named::Point => "point",
            Named::Dipole => "dipole",
            Named::Checker => "checker",
            Named::Random { seed } => return write!(formatter, "random:{seed}"),
        })
    }
}

impl Named {
    /// The right-hand side of this name, `None` for another name, and the fault of a seed.
    pub fn of(name: &str) -> Result<Option<Self>, String> {
        Ok(Some(match name {
            "sine" => Named::Sine,
            "ones" => Named::Ones,
            "point" => Named::Point,
            "dipole" => Named::Dipole,
            "checker" => Named::Checker,
            "random" => Named::Random { seed: 1 },
            _ if name.starts_with("random:") => {
                let seed = name.strip_prefix("random:").and_then(|s| s.parse().ok());
                let seed = seed.ok_or("give an integer as the seed, as in random:1")?;
                Named::Random { seed }
            }
            _ => return Ok(None),
        }))
    }

    /// g at every node.
    pub fn values(self, grid: &Grid, spacing: f64, sigma: f64) -> Vec<f64> {
        // A source of strength one is spread over the control volume of its node.
        let strength = spacing.powi(-2);
        let [centre, middle] = grid.cells.map(|n| n / 2);
        match self {
            Named::Sine => {
                let wave = Wave::new(grid, spacing);
                let factor = wave.eigenvalue() + sigma;
                sampled(grid, |i, j| factor * wave.at(i, j))
            }
            Named::Ones => vec![1.0; grid.nodes()],
            Named::Point => {
                sampled(grid, |i, j| if (i, j) == (centre, middle) { strength } else { 0.0 })
            }
            Named::Dipole => {
                let quarter = grid.cells[0].div_ceil(4);
                sampled(grid, |i, j| match (i, j == middle) {
                    (i, true) if i == quarter => strength,
                    (i, true) if i == grid.cells[0] - quarter => -strength,
                    _ => 0.0,
                })
            }
            Named::Checker => {
                let side = (grid.cells[1] / SQUARES).max(1);
                let sign = |index: usize| [1.0, -1.0][index / side % 2];
                sampled(grid, |i, j| sign(i) * sign(j))
            }
            Named::Random { seed } => {
                let mut random = SplitMix64::new(seed);
                sampled(grid, |_, _| random.signed())
            }
        }
    }

    /// The solution of the continuous equation at every node, if it is known.
    pub fn exact(self, grid: &Grid, spacing: f64) -> Option<Vec<f64>> {
        let wave = Wave::new(grid, spacing);
        (self == Named::Sine).then(|| sampled(grid, |i, j| wave.at(i, j)))
    }
}

/// A function of column and row at all nodes, in their order.
pub fn sampled<T>(grid: &Grid, mut f: impl FnMut(usize, usize) -> T) -> Vec<T> {
    let columns = grid.columns();
    let nodes = 0..grid.nodes();
    nodes.map(|k| f(k % columns, k / columns)).collect()
}

/// An eigenfunction of the Laplacian that satisfies the conditions on all sides. Along each axis it is half a
/// wave, a quarter between two sides of different kinds, a whole one along a period.
struct Wave {
    /// Wave number times h and phase along each axis.
    axes: [(f64, f64); 2],
    spacing: f64,
}

impl Wave {
    fn new(grid: &Grid, spacing: f64) -> Self {
        use Boundary::{Dirichlet, Neumann, Periodic};
        let along = |cells: usize, first: Boundary, last: Boundary| {
            let half = PI / cells as f64;
            match (first, last) {
                (Dirichlet, Dirichlet) => (half, 0.0),
                (Dirichlet, Neumann) => (0.5 * half, 0.0),
                (Neumann, Dirichlet) => (0.5 * half, 0.5 * PI),
                (Neumann, Neumann) => (half, 0.5 * PI),
                (Periodic, _) | (_, Periodic) => (2.0 * half, 0.0),
            }
        };
        let [left, right, bottom, top] = grid.sides.each();
        let axes = [along(grid.cells[0], left, right), along(grid.cells[1], bottom, top)];
        Wave { axes, spacing }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        let along = |(number, phase): (f64, f64), index| (number * index as f64 + phase).sin();
        along(self.axes[0], i) * along(self.axes[1], j)
    }

    fn eigenvalue(&self) -> f64 {
        let square = |(number, _)| (number / self.spacing) * (number / self.spacing);
        square(self.axes[0]) + square(self.axes[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bolz2003::grid::geometry::Sides;

    fn grid([columns, rows]: [usize; 2], sides: Sides) -> (Grid, f64) {
        let grid = Grid::new(columns, rows, sides).unwrap();
        (grid, 1.0 / grid.cells[1] as f64)
    }

    #[test]
    fn every_name_has_its_right_side() {
        for name in NAMES {
            let right_side = Named::of(name).unwrap().unwrap();
            assert_eq!(right_side.to_string(), name);
        }
        assert_eq!(Named::of("sin"), Ok(None));
        assert_eq!(Named::of("random"), Named::of("random:1"));
        assert!(Named::of("random:x").is_err());
    }

    #[test]
    fn what_has_a_source_and_a_sink_balances_on_every_size() {
        for right_side in [Named::Dipole, Named::Checker] {
            for size in [[17, 17], [513, 129], [97, 65]] {
                let (grid, spacing) = grid(size, Sides::all(Boundary::Neumann));
                let columns = grid.columns();
                let share = |k: usize| grid.extent(0, k % columns) * grid.extent(1, k / columns);
                let g = right_side.values(&grid, spacing, 0.0);
                let sum: f64 = (0..).zip(&g).map(|(k, &g)| share(k) * g).sum();
                assert_eq!(sum, 0.0, "{right_side}, {size:?}");
                assert!(g.iter().any(|&g| g > 0.0));
            }
        }
    }

    #[test]
    fn the_known_solution_is_zero_where_values_are_known_and_level_elsewhere() {
        use Boundary::{Dirichlet, Neumann};
        let sides = Sides::new([Dirichlet, Neumann, Neumann, Dirichlet]);
        let (grid, spacing) = grid([33, 17], sides);
        let u = Named::Sine.exact(&grid, spacing).unwrap();
        let at = |i, j| u[grid.place(i, j)];
        assert!((0..17).all(|j| at(0, j).abs() < 1e-12));
        assert!((0..33).all(|i| at(i, 16).abs() < 1e-12));
        // Level near the end of a cosine, where the slopes are as 1 to 3.
        let ratio = (at(31, 3) - at(30, 3)) / (at(32, 3) - at(31, 3));
        assert!((ratio - 3.0).abs() < 0.01, "{ratio}");
        let g = Named::Sine.values(&grid, spacing, 3.0);
        let eigenvalue = g[grid.place(9, 5)] / at(9, 5) - 3.0;
        let expected = (0.25 * PI).powi(2) + (0.5 * PI).powi(2);
        assert!((eigenvalue / expected - 1.0).abs() < 1e-6);
    }
}
