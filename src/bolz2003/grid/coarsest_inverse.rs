//! The coarsest level solved by the inverse of its matrix, in one pass instead of an iteration of
//! many (beside the Jacobi iteration of Bolz et al. 2003, section 4.2).
//!
//! A pass over a grid of a few hundred nodes costs what a change of the target costs, so the last
//! levels of a hierarchy, and the sweeps on the very last, are as expensive as many nodes. The
//! inverse of the matrix of some 300 nodes, computed once on the CPU, ends the hierarchy there.

use crate::solver::Real;
use crate::stream::{Format, Source, Stream, StreamError, source};

use super::kernels::GridKernel;
use super::layering::{LayeredGrid, Layering};
use super::stencil::{CENTRE, Stencils};

const PRODUCT: Source = source!("bolz2003/coarsest_inverse");

/// The inverse of a level's matrix, row by row in the order of the nodes; rows and columns of nodes
/// that are not computed are zero. For a matrix whose null vector is the constant (`singular`), the
/// inverse on right sides of sum zero, which gives solutions of mean zero.
pub fn dense_inverse<T: Real>(stencils: &Stencils<T>, singular: bool) -> Vec<f64> {
    let n = stencils.grid.nodes();
    let factors = Factors::new(stencils, singular);
    let mut inverse = vec![0.0; n * n];
    for (node, row) in inverse.chunks_mut(n).enumerate() {
        if factors.is_unknown(node) {
            row[node] = 1.0;
            if singular {
                subtract_mean(row);
            }
            factors.solve(row);
            if singular {
                subtract_mean(row);
            }
        }
    }
    inverse
}

fn subtract_mean(row: &mut [f64]) {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter_mut().for_each(|v| *v -= mean);
}

/// A = L D Lᵀ within the band of the matrix; L has ones on its diagonal.
struct Factors {
    /// Entries of a row left of the diagonal.
    band: usize,
    /// Row by row, `band` entries of L, then that of D; D is zero where there is no unknown.
    rows: Vec<f64>,
}

impl Factors {
    fn new<T: Real>(stencils: &Stencils<T>, singular: bool) -> Self {
        let grid = &stencils.grid;
        let band = grid.columns() + 1;
        let width = band + 1;
        let mut rows = vec![0.0; grid.nodes() * width];
        for (k, entries) in stencils.entries.iter().enumerate() {
            let (i, j) = (k % grid.columns(), k / grid.columns());
            // The entries d = 0 … 3 point to nodes before this one.
            let before = [(1, 1), (0, 1), (-1, 1), (1, 0)];
            for (d, (x, y)) in before.into_iter().enumerate() {
                let (Some(i), Some(j)) = (i.checked_add_signed(-x), j.checked_sub(y)) else {
                    continue;
                };
                if i <= grid.cells[0] && grid.is_computed(i, j) {
                    rows[k * width + band + grid.place(i, j) - k] = entries[d].to_f64();
                }
            }
            rows[k * width + band] = entries[CENTRE].to_f64();
        }
        if singular {
            // Holding one node leaves solutions of balanced right sides as they are.
            rows[band] *= 2.0;
        }
        let mut factors = Self { band, rows };
        factors.factorise();
        factors
    }

    /// L (or, on the diagonal, D) of row k and column j, j ≤ k within the band.
    fn at(&self, k: usize, j: usize) -> usize {
        k * (self.band + 1) + self.band + j - k
    }

    fn factorise(&mut self) {
        let n = self.rows.len() / (self.band + 1);
        for k in 0..n {
            let first = k.saturating_sub(self.band);
            // Row k first holds L D, column after column; then L.
            for j in first..k {
                let from = first.max(j.saturating_sub(self.band));
                let known: f64 = (from..j)
                    .map(|m| self.rows[self.at(k, m)] * self.rows[self.at(j, m)])
                    .sum();
                let at = self.at(k, j);
                self.rows[at] -= known;
            }
            for j in first..k {
                let (at, pivot) = (self.at(k, j), self.rows[self.at(j, j)]);
                let scaled = self.rows[at];
                self.rows[at] = if pivot == 0.0 { 0.0 } else { scaled / pivot };
                let diagonal = self.at(k, k);
                self.rows[diagonal] -= scaled * self.rows[at];
            }
        }
    }

    fn is_unknown(&self, k: usize) -> bool {
        self.rows[self.at(k, k)] != 0.0
    }

    /// x ← A⁻¹ x
    fn solve(&self, x: &mut [f64]) {
        let n = x.len();
        for k in 0..n {
            let first = k.saturating_sub(self.band);
            x[k] -= (first..k)
                .map(|j| self.rows[self.at(k, j)] * x[j])
                .sum::<f64>();
        }
        for k in (0..n).rev() {
            let last = (k + self.band + 1).min(n);
            x[k] = match self.is_unknown(k) {
                true => x[k] / self.rows[self.at(k, k)],
                false => 0.0,
            };
            x[k] -= (k + 1..last)
                .map(|j| self.rows[self.at(j, k)] * x[j])
                .sum::<f64>();
        }
    }
}

/// The inverse in a stream, and the program that multiplies with it.
pub struct CoarsestInverse {
    kernel: GridKernel,
    inverse: Stream,
}

impl CoarsestInverse {
    /// Inverts the matrix of these stencils, which are those of the level `grid`.
    ///
    /// # Errors
    /// When the inverse is over the driver's limit for textures.
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
        Ok(Self {
            kernel: GridKernel::with_defines(
                machine,
                &PRODUCT,
                &[
                    ("COLUMNS", &format!("{columns}.0")),
                    ("ROWS", &format!("{rows}.0")),
                ],
            )?,
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

/// The 4 x 4 matrices between texels, as the program wants them.
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
        // The first column and row of the second quadrants stand in the first ones too.
        let again = (channel % 2 == 1 && from[0] == 0) || (channel / 2 == 1 && from[1] == 0);
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
            let singular = sides.all_neumann();
            let inverse = dense_inverse(&stencils, singular);
            let n = grid.nodes();
            // A right side of sum zero: A of something.
            let x: Vec<f64> = (0..n)
                .map(|k| match grid.is_computed(k % 9, k / 9) {
                    true => (k as f64).sin(),
                    false => 0.0,
                })
                .collect();
            let b: Vec<f64> = (0..n).map(|k| stencils.at(&x, k % 9, k / 9)).collect();
            let mean = if singular {
                x.iter().sum::<f64>() / n as f64
            } else {
                0.0
            };
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
