//! The reference of the hierarchy of grids, on the CPU: the kernels' formulas, one node after the other,
//! in single or double precision (Bolz et al. 2003, section 4.2).

use std::convert::Infallible;

use crate::solver::host::tree_dot;
use crate::solver::{Hierarchy, Real, Start};

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{Coarsest, HierarchyOptions, Weights};
use crate::bolz2003::grid::stencil::{
    CENTRE, OFFSETS, Stencils, high_frequencies, interpolation_weight, neighbour,
};

/// The stencils of all levels, and their relaxation. Vectors are in the order of the nodes.
pub struct Reference<T> {
    levels: Vec<Stencils<T>>,
    weights: Weights,
    /// High frequencies of each level.
    high_frequencies: Vec<[f64; 2]>,
    /// Jacobi sweeps on the coarsest level.
    sweeps: usize,
}

impl<T: Real> Reference<T> {
    /// Builds the hierarchy below these stencils, coarsened and relaxed according to `options`; conjugate gradients
    /// are replaced by Jacobi sweeps that leave as much.
    pub fn new(finest: Stencils<T>, options: &HierarchyOptions) -> Self {
        let grids = finest.grid.levels(options.coarsest_nodes);
        let mut levels = vec![finest];
        for (level, grid) in grids[1..].iter().enumerate() {
            levels.push(levels[level].composed(*grid));
        }
        let leaves = match options.coarsest {
            Coarsest::Jacobi { leaves } | Coarsest::ConjugateGradients { rtol: leaves } => leaves,
        };
        Self {
            sweeps: Coarsest::sweeps(leaves, grids[grids.len() - 1].cells),
            levels,
            weights: options.weights,
            high_frequencies: high_frequencies(grids.len()),
        }
    }

    fn grid(&self, level: usize) -> Grid {
        self.levels[level].grid
    }

    /// Computes a vector by a formula at each computed node; it is zero elsewhere.
    fn vector(&self, level: usize, node: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
        self.grid(level).map(T::ZERO, node)
    }

    /// A u
    pub fn product(&self, level: usize, u: &[T]) -> Vec<T> {
        self.vector(level, |i, j| self.levels[level].at(u, i, j))
    }

    /// b − A u
    pub fn residual(&self, level: usize, b: &[T], u: &[T]) -> Vec<T> {
        let stencils = &self.levels[level];
        self.vector(level, |i, j| b[stencils.grid.place(i, j)] - stencils.at(u, i, j))
    }

    /// Improves u by a sweep of Jacobi with each of these weights.
    fn sweep(&self, level: usize, weights: &[f64], b: &[T], u: &mut Vec<T>) {
        let (stencils, grid) = (&self.levels[level], self.grid(level));
        for &omega in weights {
            let omega = T::from_f64(omega);
            *u = self.vector(level, |i, j| {
                let place = grid.place(i, j);
                let residual = b[place] - stencils.at(u, i, j);
                u[place] + omega * residual / stencils.entries[place][CENTRE]
            });
        }
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

impl<T: Real> Hierarchy for Reference<T> {
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
        if start == Start::Zero {
            u.fill(T::ZERO);
        }
        let weights = self.weights.of(self.high_frequencies[level], sweeps);
        self.sweep(level, &weights, b, u);
        Ok(())
    }

    fn solve_coarsest(&self, start: Start, b: &Vec<T>, u: &mut Vec<T>) -> Result<(), Infallible> {
        if start == Start::Zero {
            u.fill(T::ZERO);
        }
        self.sweep(self.levels() - 1, &vec![Weights::PAPER; self.sweeps], b, u);
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
        u.iter_mut().zip(correction).for_each(|(u, correction)| *u += correction);
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
