//! The coarsest level solved by the inverse of its matrix, in one pass instead of an iteration of
//! many (an alternative to the Jacobi iteration of Bolz et al. 2003, section 4.2).
//!
//! A pass over a grid of a few hundred nodes costs as much as a target switch, so the last
//! levels of a hierarchy, and the sweeps on the coarsest, are as expensive as many nodes. The
//! inverse of a matrix of about 300 nodes, computed once on the CPU, ends the hierarchy there.

use crate::solver::{Lu, Real};
use crate::stream::{Format, Source, Stream, StreamError, source};

use super::kernels::GridKernel;
use super::layering::{LayeredGrid, Layering};
use super::stencil::Stencils;

const PRODUCT: Source = source!("bolz2003/grid/coarsest_inverse");

/// The inverse of a level's matrix, row by row in the order of the nodes; rows and columns of prescribed nodes
/// are zero. For a matrix whose null vector is the constant (`singular`), this is the
/// inverse on right-hand sides with sum zero, which gives solutions with mean zero.
///
/// If a matrix is singular otherwise, the result is zero: the cycle continues without this level.
pub fn dense_inverse<T: Real>(stencils: &Stencils<T>, singular: bool) -> Vec<f64> {
    let grid = &stencils.grid;
    let n = grid.nodes();
    let Ok(matrix) = stencils.matrix() else {
        return vec![0.0; n * n];
    };
    let mut matrix = matrix.cast::<f64>().to_dense();
    let unknown: Vec<bool> = (0..n).map(|k| matrix[k * (n + 1)] != 0.0).collect();
    for k in (0..n).filter(|k| !unknown[*k]) {
        matrix[k * (n + 1)] = 1.0;
    }
    if singular {
        // Fixing one node leaves solutions for balanced right-hand sides unchanged.
        matrix[0] *= 2.0;
    }
    let mut inverse = Lu::new(n, matrix).map_or(vec![0.0; n * n], |lu| lu.inverse());
    for k in (0..n).filter(|k| !unknown[*k]) {
        inverse[k * (n + 1)] = 0.0;
    }
    if singular {
        let unknowns: Vec<usize> = (0..n).filter(|&k| unknown[k]).collect();
        for [row, column] in [[n, 1], [1, n]] {
            for k in &unknowns {
                let entries = || unknowns.iter().map(|l| k * row + l * column);
                let mean = entries().map(|at| inverse[at]).sum::<f64>() / unknowns.len() as f64;
                entries().for_each(|at| inverse[at] -= mean);
            }
        }
    }
    inverse
}

/// The inverse in a stream, and the program that multiplies by it.
pub struct CoarsestInverse {
    kernel: GridKernel,
    inverse: Stream,
}

impl CoarsestInverse {
    /// Inverts the matrix of these stencils, which belong to the level `grid`.
    pub fn new<T: Real>(
        grid: &LayeredGrid,
        stencils: &Stencils<T>,
        singular: bool,
    ) -> Result<Self, StreamError> {
        let (machine, layering) = (grid.machine(), grid.layering());
        let [columns, rows] = layering.quadrant().map(|n| n + 1);
        let inverse = dense_inverse(stencils, singular);
        let size = (2 * (columns * columns) as u32, 2 * (rows * rows) as u32);
        let data = image(layering, &inverse, [columns, rows]);
        let [across, up] = [columns, rows].map(|n| format!("{n}.0"));
        let defines = [("COLUMNS", across.as_str()), ("ROWS", &up)];
        Ok(Self {
            kernel: GridKernel::with_defines(machine, &PRODUCT, &defines)?,
            inverse: Stream::from_data(machine, "inverse", size, Format::Rgba32F, &data)?,
        })
    }

    /// v ← A⁻¹ b
    pub fn solve(&self, grid: &LayeredGrid, b: &Stream, v: &Stream) -> Result<(), StreamError> {
        grid.draw(&self.kernel, v, |pass| {
            pass.read("b", b).read("inverse", &self.inverse)
        })
    }
}

/// The 4 × 4 matrices between texels, as the program reads them.
fn image(layering: &Layering, inverse: &[f64], [columns, rows]: [usize; 2]) -> Vec<f32> {
    let grid = &layering.grid;
    let channels = layering.format().channels();
    let node = |[x, y]: [usize; 2], channel| {
        let node = layering.node(x + 1, y + 1, channel)?;
        (channel < channels).then_some(grid.place(node[0], node[1]))
    };
    let (width, height) = (2 * columns * columns, 2 * rows * rows);
    let mut image = vec![0.0; 4 * width * height];
    for (at, texel) in image.chunks_mut(4).enumerate() {
        let (x, y) = (at % width, at / width);
        let (to, from) = (
            [x / (2 * columns), y / (2 * rows)],
            [x / 2 % columns, y / 2 % rows],
        );
        let channel = x % 2 + 2 * (y % 2);
        // The first column and row of the second quadrants are in the first quadrants too, and the last
        // ones of periodic sides are the first.
        let position = [
            from[0] + channel % 2 * (columns - 1),
            from[1] + channel / 2 * (rows - 1),
        ];
        let again = (channel % 2 == 1 && from[0] == 0)
            || (channel / 2 == 1 && from[1] == 0)
            || !grid.is_computed(position[0], position[1]);
        let Some(from) = node(from, channel).filter(|_| !again) else {
            continue;
        };
        for (channel, value) in texel.iter_mut().enumerate() {
            if let Some(to) = node(to, channel) {
                *value = inverse[to * grid.nodes() + from] as f32;
            }
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};

    #[test]
    fn the_inverse_solves_every_system_on_the_unknowns() {
        let mixed = Sides {
            top: Boundary::Dirichlet,
            ..Sides::all(Boundary::Neumann)
        };
        for sides in [
            Sides::all(Boundary::Dirichlet),
            Sides::all(Boundary::Neumann),
            mixed,
        ] {
            let grid = Grid::new(9, 5, sides).unwrap();
            let a = |i: usize, j: usize| 1.0 + (i * j) as f64;
            let stencils = Stencils::<f64>::helmholtz(grid, a, |_, _| 0.0);
            let singular = sides.none_known();
            let inverse = dense_inverse(&stencils, singular);
            let n = grid.nodes();
            // A right-hand side with sum zero: A times a vector.
            let x: Vec<f64> = (0..n)
                .map(|k| {
                    if grid.is_computed(k % 9, k / 9) {
                        (k as f64).sin()
                    } else {
                        0.0
                    }
                })
                .collect();
            let b: Vec<f64> = (0..n).map(|k| stencils.at(&x, k % 9, k / 9)).collect();
            let mean = f64::from(singular) * x.iter().sum::<f64>() / n as f64;
            for k in 0..n {
                let row = &inverse[k * n..(k + 1) * n];
                let got: f64 = row.iter().zip(&b).map(|(g, b)| g * b).sum();
                let expected = if grid.is_computed(k % 9, k / 9) {
                    x[k] - mean
                } else {
                    0.0
                };
                assert!((got - expected).abs() < 1e-12, "{k}: {got} for {expected}");
            }
        }
    }
}
