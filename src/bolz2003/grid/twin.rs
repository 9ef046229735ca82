//! The reference of the hierarchy of grids, on the CPU: the kernels' formulas, one node after the other,
//! in single or double precision (Bolz et al. 2003, section 4.2).

use std::convert::Infallible;

use crate::solver::host::tree_dot;
use crate::solver::{Hierarchy, Real, Start};

use super::coarsest_inverse::dense_inverse;
use super::geometry::Grid;
use super::hierarchy::{Coarsest, HierarchyOptions, Weights};
use super::stencil::{
    CENTRE, OFFSETS, Stencils, high_frequencies, interpolation_weight, neighbour,
};

/// The stencils of all levels, and their relaxation. Vectors are in the order of the nodes.
pub struct GridTwin<T> {
    levels: Vec<Stencils<T>>,
    weights: Weights,
    /// High frequencies of each level.
    high_frequencies: Vec<[f64; 2]>,
    coarsest: TwinCoarsest<T>,
}

/// Solver of the coarsest level.
enum TwinCoarsest<T> {
    Sweeps(usize),
    Inverse(Vec<T>),
}

impl<T: Real> GridTwin<T> {
    /// Builds the hierarchy below these stencils, coarsened, relaxed and solved on the coarsest level
    /// according to `options`; conjugate gradients are replaced by the exact inverse.
    pub fn new(finest: Stencils<T>, options: &HierarchyOptions) -> Self {
        let singular = finest.is_singular();
        let grids = finest.grid.levels(options.coarsest_nodes);
        let mut levels = vec![finest];
        for (level, grid) in grids[1..].iter().enumerate() {
            levels.push(levels[level].composed(*grid));
        }
        let coarsest = match options.coarsest {
            Coarsest::Jacobi { sweeps } => TwinCoarsest::Sweeps(sweeps),
            _ => {
                let inverse = dense_inverse(&levels[levels.len() - 1], singular);
                TwinCoarsest::Inverse(inverse.into_iter().map(T::from_f64).collect())
            }
        };
        Self {
            levels,
            weights: options.weights,
            high_frequencies: high_frequencies(grids.len()),
            coarsest,
        }
    }

    /// The stencils of a level.
    pub fn stencils(&self, level: usize) -> &Stencils<T> {
        &self.levels[level]
    }

    fn grid(&self, level: usize) -> Grid {
        self.levels[level].grid
    }

    /// Computes a vector by a formula at each computed node; it is zero elsewhere.
    fn vector(&self, level: usize, node: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
        self.grid(level).map(T::ZERO, node)
    }

    /// b − A u
    pub fn residual(&self, level: usize, b: &[T], u: &[T]) -> Vec<T> {
        let stencils = &self.levels[level];
        self.vector(level, |i, j| {
            b[stencils.grid.place(i, j)] - stencils.at(u, i, j)
        })
    }

    /// S coarse
    fn interpolation(&self, level: usize, coarse: &[T]) -> Vec<T> {
        let grid = self.grid(level + 1);
        let quarter = T::from_f64(0.25);
        self.vector(level, |i, j| {
            let nearest = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, y]| {
                let d = [i * x % 2, j * y % 2].map(|odd| odd as isize);
                neighbour(&grid, [i / 2, j / 2], d)
                    .map_or(T::ZERO, |[k, l]| coarse[grid.place(k, l)])
            });
            let [a, b, c, d] = nearest;
            quarter * (a + b + c + d)
        })
    }
}

impl<T: Real> Hierarchy for GridTwin<T> {
    type Vector = Vec<T>;
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn zeros(&self, level: usize) -> Result<Vec<T>, Infallible> {
        Ok(vec![T::ZERO; self.grid(level).nodes()])
    }

    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        b: &Vec<T>,
        u: &mut Vec<T>,
    ) -> Result<(), Infallible> {
        let (stencils, grid) = (&self.levels[level], self.grid(level));
        if start == Start::Zero {
            u.fill(T::ZERO);
        }
        for omega in self.weights.of(self.high_frequencies[level], sweeps) {
            let omega = T::from_f64(omega);
            *u = self.vector(level, |i, j| {
                let place = grid.place(i, j);
                let residual = b[place] - stencils.at(u, i, j);
                u[place] + omega * residual / stencils.entries[place][CENTRE]
            });
        }
        Ok(())
    }

    fn solve_coarsest(&self, start: Start, b: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        match &self.coarsest {
            TwinCoarsest::Sweeps(sweeps) => {
                self.relax(self.levels() - 1, *sweeps, start, b, u)?;
            }
            TwinCoarsest::Inverse(inverse) => {
                let rows = inverse.chunks(b.len());
                u.iter_mut()
                    .zip(rows)
                    .for_each(|(u, row)| *u = row.iter().zip(b).map(|(&g, &b)| g * b).sum());
            }
        }
        Ok(())
    }

    fn project_residual(
        &self,
        level: usize,
        b: &Vec<T>,
        u: &Vec<T>,
        coarse: &mut Vec<T>,
    ) -> Result<(), Infallible> {
        let residual = self.residual(level, b, u);
        self.project(level, &residual, coarse)
    }

    fn project(&self, level: usize, fine: &Vec<T>, coarse: &mut Vec<T>) -> Result<(), Infallible> {
        let (grid, quarter) = (self.grid(level), T::from_f64(0.25));
        *coarse = self.vector(level + 1, |i, j| {
            let mut sum = T::ZERO;
            for d in OFFSETS {
                if let Some([k, l]) = neighbour(&grid, [2 * i, 2 * j], d) {
                    sum += T::from_f64(interpolation_weight(d)) * fine[grid.place(k, l)];
                }
            }
            quarter * sum
        });
        Ok(())
    }

    fn correct(&self, level: usize, coarse: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        let correction = self.interpolation(level, coarse);
        u.iter_mut()
            .zip(correction)
            .for_each(|(u, correction)| *u += correction);
        Ok(())
    }

    fn interpolate(&self, level: usize, coarse: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        *u = self.interpolation(level, coarse);
        Ok(())
    }

    fn residual_norm(&self, b: &Vec<T>, u: &Vec<T>) -> Result<f64, Infallible> {
        self.norm(&self.residual(0, b, u))
    }

    fn norm(&self, b: &Vec<T>) -> Result<f64, Infallible> {
        Ok(tree_dot(b, b).to_f64().sqrt())
    }
}
