//! The baseline of the claim `cpu` for regular grids (Bolz et al. 2003, sections 4.3 and 5): the
//! tuned product with a stored stencil on the CPU.
//!
//! Single precision, all cores, and consecutive rows in a frame of zeros, so that
//! no access has to be checked and the compiler vectorises over the nodes of a row.

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::stencil::{OFFSETS, Stencils};
use crate::parallel::parts;

/// Nodes per task: enough to hide the cost of a task, few enough to balance the load.
const TASK_NODES: usize = 1 << 14;

/// A stencil per node, stored entry by entry.
#[derive(Clone, Debug)]
pub struct CpuStencil {
    grid: Grid,
    /// A^d, row by row of the grid, without the frame.
    entries: [Vec<f32>; 9],
}

impl CpuStencil {
    /// Arranges the stencils.
    pub fn new(stencils: &Stencils<f32>) -> Self {
        let entry = |d: usize| stencils.entries.iter().map(|e| e[d]).collect();
        Self {
            grid: stencils.grid,
            entries: std::array::from_fn(entry),
        }
    }

    /// Values from one row of a framed vector to the next.
    fn stride(&self) -> usize {
        self.grid.columns() + 2
    }

    /// A vector in its frame of zeros, from its nodes.
    ///
    /// # Panics
    /// If there is not one value per node.
    pub fn framed(&self, nodes: &[f32]) -> Vec<f32> {
        assert_eq!(nodes.len(), self.grid.nodes(), "one value per node");
        let mut framed = vec![0.0; self.stride() * (self.grid.rows() + 2)];
        let rows = framed.chunks_mut(self.stride()).skip(1);
        for (framed, row) in rows.zip(nodes.chunks(self.grid.columns())) {
            framed[1..=row.len()].copy_from_slice(row);
        }
        framed
    }

    /// v ← A u, both framed. The frame of v stays as it is.
    ///
    /// # Panics
    /// If a vector has another size than the grid and its frame.
    pub fn multiply(&self, u: &[f32], v: &mut [f32]) {
        let stride = self.stride();
        let size = stride * (self.grid.rows() + 2);
        assert_eq!((u.len(), v.len()), (size, size), "the grid and its frame");
        let rows_a_task = TASK_NODES.div_ceil(self.grid.columns());
        let inside = &mut v[stride..size - stride];
        parts(inside, rows_a_task * stride, &|first, rows| {
            for (row, v) in rows.chunks_mut(stride).enumerate() {
                self.multiply_row(first / stride + row, u, v);
            }
        });
    }

    /// Row j of the product, into a row with its frame. A separate function, so that the compiler can
    /// assume that v does not overlap an input.
    #[inline(never)]
    fn multiply_row(&self, j: usize, u: &[f32], v: &mut [f32]) {
        let (stride, columns) = (self.stride(), self.grid.columns());
        let a: [&[f32]; 9] = self
            .entries
            .each_ref()
            .map(|entry| &entry[j * columns..][..columns]);
        // Node i of row j has index i + 1 + (j + 1) stride.
        let from = |d: usize| {
            let [x, y] = OFFSETS[d];
            &u[j.wrapping_add_signed(y + 1) * stride + 1usize.wrapping_add_signed(x)..][..columns]
        };
        let u: [&[f32]; 9] = std::array::from_fn(from);
        let v = &mut v[1..=columns];
        for i in 0..columns {
            let mut sum = a[0][i] * u[0][i];
            for d in 1..9 {
                sum += a[d][i] * u[d][i];
            }
            v[i] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bolz2003::grid::geometry::{Boundary, Sides};

    #[test]
    fn the_product_is_that_of_the_stencils_at_every_node() {
        for (columns, rows) in [(5, 3), (33, 17), (257, 129)] {
            let grid = Grid::new(columns, rows, Sides::all(Boundary::Neumann)).unwrap();
            let wavy = |i: usize, j: usize| 2.0 + ((i * i + 3 * j) as f64).sin();
            let stencils = Stencils::<f32>::helmholtz(grid, wavy, wavy);
            let nodes: Vec<f32> = (0..grid.nodes()).map(|n| (n as f32).cos()).collect();
            let matrix = CpuStencil::new(&stencils);
            let u = matrix.framed(&nodes);
            let mut v = vec![0.0; u.len()];
            matrix.multiply(&u, &mut v);
            for place in 0..grid.nodes() {
                let [i, j] = grid.node(place);
                let framed = i + 1 + (j + 1) * (columns + 2);
                assert_eq!(u[framed], nodes[place]);
                let (got, expected) = (v[framed], stencils.at(&nodes, i, j));
                assert!((got - expected).abs() < 1e-4, "{got}, not {expected}");
            }
        }
    }
}
