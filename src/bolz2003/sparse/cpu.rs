//! The baseline of the claim `cpu` (Bolz et al. 2003, section 3.3): a tuned matrix–vector product on the
//! CPU.
//!
//! Single precision, all cores, and the same freedom as on the GPU: the unknowns are renumbered
//! by the length of their rows, so that the loop over a row has a length known to the
//! compiler. Rows are stored consecutively without padding, columns as 32-bit indices. A vector
//! is extended to a power of two, so that masking an index proves that it is in range: no load is
//! checked.

use std::ops::Range;

use rayon::prelude::*;

use super::matrix::{MatrixError, off_diagonal_of, row_lengths};
use super::packing::fill_order;
use crate::solver::Csr;

/// Entries per task: enough to hide the cost of a task, few enough to balance the load.
const TASK_ENTRIES: usize = 1 << 15;

/// Consecutive rows of equal length.
#[derive(Clone, Debug)]
struct Task {
    /// Off-diagonal entries of each of its rows.
    length: usize,
    rows: Range<usize>,
    entries: Range<usize>,
}

/// A sparse matrix, laid out for the product with single-precision vectors of one or more channels.
#[derive(Clone, Debug)]
pub struct CpuMatrix {
    /// The original number of each row, in the order in which rows are stored.
    order: Vec<u32>,
    tasks: Vec<Task>,
    diagonal: Vec<f32>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl CpuMatrix {
    /// Arranges a matrix.
    pub fn new(matrix: &Csr<f64>) -> Result<Self, MatrixError> {
        let lengths = row_lengths(matrix)?;
        let order = fill_order(&lengths);
        let mut number = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            number[old as usize] = new;
        }
        let old_rows = || order.iter().map(|&row| row as usize);
        let entries = || old_rows().flat_map(|row| off_diagonal_of(matrix, row));
        Ok(CpuMatrix {
            tasks: share_out(old_rows().map(|row| lengths[row].unwrap_or(0) as usize)),
            diagonal: old_rows().map(|row| matrix.get(row, row) as f32).collect(),
            columns: entries().map(|(column, _)| number[column]).collect(),
            values: entries().map(|(_, value)| value as f32).collect(),
            order,
        })
    }

    /// Records of a vector: the number of rows, rounded up to a power of two.
    pub fn vector_length(&self) -> usize {
        self.order.len().next_power_of_two()
    }

    /// y ← A x, both in the matrix's own order. Elements of y after the last row are not changed.
    ///
    /// # Panics
    /// If x or y has another length than [`vector_length`](Self::vector_length).
    pub fn multiply<const CHANNELS: usize>(
        &self,
        x: &[[f32; CHANNELS]],
        y: &mut [[f32; CHANNELS]],
    ) {
        let lengths = (x.len(), y.len());
        assert_eq!(lengths, (self.vector_length(), self.vector_length()));
        let mut rest = y;
        let parts: Vec<_> = self
            .tasks
            .iter()
            .map(|task| {
                let (part, after) = std::mem::take(&mut rest).split_at_mut(task.rows.len());
                rest = after;
                (task, part)
            })
            .collect();
        parts.into_par_iter().for_each(|(task, y)| {
            let rows = Rows {
                length: task.length,
                diagonal: &self.diagonal[task.rows.clone()],
                columns: &self.columns[task.entries.clone()],
                values: &self.values[task.entries.clone()],
                x_i: &x[task.rows.clone()],
            };
            rows.multiply(x, y);
        });
    }
}

/// Divides rows, given by their lengths, into tasks.
fn share_out(lengths: impl Iterator<Item = usize>) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut entries = 0;
    for (row, length) in lengths.enumerate() {
        let end = entries + length;
        match tasks.last_mut() {
            Some(task)
                if task.length == length && task.rows.len() * (length + 1) < TASK_ENTRIES =>
            {
                task.rows.end = row + 1;
                task.entries.end = end;
            }
            _ => tasks.push(Task {
                length,
                rows: row..row + 1,
                entries: entries..end,
            }),
        }
        entries = end;
    }
    tasks
}

/// The rows of a task.
struct Rows<'a, const CHANNELS: usize> {
    length: usize,
    diagonal: &'a [f32],
    columns: &'a [u32],
    values: &'a [f32],
    x_i: &'a [[f32; CHANNELS]],
}

impl<const CHANNELS: usize> Rows<'_, CHANNELS> {
    /// Chooses the loop for the length of the rows.
    fn multiply(&self, x: &[[f32; CHANNELS]], y: &mut [[f32; CHANNELS]]) {
        match self.length {
            0 => self.multiply_diagonal(y),
            1 => self.multiply_fixed::<1>(x, y),
            2 => self.multiply_fixed::<2>(x, y),
            3 => self.multiply_fixed::<3>(x, y),
            4 => self.multiply_fixed::<4>(x, y),
            5 => self.multiply_fixed::<5>(x, y),
            6 => self.multiply_fixed::<6>(x, y),
            7 => self.multiply_fixed::<7>(x, y),
            8 => self.multiply_fixed::<8>(x, y),
            9 => self.multiply_fixed::<9>(x, y),
            10 => self.multiply_fixed::<10>(x, y),
            11 => self.multiply_fixed::<11>(x, y),
            12 => self.multiply_fixed::<12>(x, y),
            _ => self.multiply_any(x, y),
        }
    }

    fn multiply_diagonal(&self, y: &mut [[f32; CHANNELS]]) {
        for ((y, &a), x_i) in y.iter_mut().zip(self.diagonal).zip(self.x_i) {
            *y = x_i.map(|x| a * x);
        }
    }

    /// Multiplies rows of a length known to the compiler.
    fn multiply_fixed<const LENGTH: usize>(
        &self,
        x: &[[f32; CHANNELS]],
        y: &mut [[f32; CHANNELS]],
    ) {
        let columns = self.columns.as_chunks::<LENGTH>().0;
        let values = self.values.as_chunks::<LENGTH>().0;
        let entries = columns.iter().zip(values);
        let rows = self.diagonal.iter().zip(self.x_i).zip(entries);
        for (y, ((&a, x_i), (columns, values))) in y.iter_mut().zip(rows) {
            *y = row_product(a, x_i, columns, values, x);
        }
    }

    /// Multiplies long rows, whose loop costs little compared with their entries.
    fn multiply_any(&self, x: &[[f32; CHANNELS]], y: &mut [[f32; CHANNELS]]) {
        let columns = self.columns.chunks_exact(self.length);
        let values = self.values.chunks_exact(self.length);
        let rows = self.diagonal.iter().zip(self.x_i).zip(columns.zip(values));
        for (y, ((&a, x_i), (columns, values))) in y.iter_mut().zip(rows) {
            *y = row_product(a, x_i, columns, values, x);
        }
    }
}

/// a_ii x_i + Σ a_ij x_j. The mask changes no index: x has a power of two of records, and indices
/// are below that.
#[inline(always)]
fn row_product<const CHANNELS: usize>(
    a: f32,
    x_i: &[f32; CHANNELS],
    columns: &[u32],
    values: &[f32],
    x: &[[f32; CHANNELS]],
) -> [f32; CHANNELS] {
    let mut sum = x_i.map(|x| a * x);
    if x.is_empty() {
        return sum;
    }
    for (&column, &value) in columns.iter().zip(values) {
        let x_j = &x[column as usize & (x.len() - 1)];
        for channel in 0..CHANNELS {
            sum[channel] += value * x_j[channel];
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A matrix with rows of `lengths` entries at pseudo-random positions; coinciding entries are summed.
    fn matrix(lengths: &[usize]) -> Csr<f64> {
        let n = lengths.len();
        let entry = |i, c| (i, (i * 31 + c * 17 + c * c) % n, ((i + 3 * c) as f64).sin());
        let entries = (0..n).flat_map(|i| (0..lengths[i]).map(move |c| entry(i, c)));
        Csr::from_triplets(n, n, entries).unwrap()
    }

    fn check<const CHANNELS: usize>(lengths: &[usize]) {
        let rows = matrix(lengths);
        let matrix = CpuMatrix::new(&rows).unwrap();
        let record = |i: usize| -> [f32; CHANNELS] {
            std::array::from_fn(|channel| ((i * 4 + channel) as f32).cos())
        };
        let mut x: Vec<_> = matrix.order.iter().map(|&i| record(i as usize)).collect();
        x.resize(matrix.vector_length(), [0.0; CHANNELS]);
        let mut y = x.clone();
        matrix.multiply(&x, &mut y);
        for (&i, found) in matrix.order.iter().zip(&y) {
            let i = i as usize;
            for (channel, &found) in found.iter().enumerate() {
                let terms = rows.row(i).map(|(j, a)| a * f64::from(record(j)[channel]));
                let (exact, bound) = (terms.sum::<f64>(), 1e-6 * (1 + lengths[i]) as f64);
                let difference = (f64::from(found) - exact).abs();
                assert!(difference < bound, "row {i}: {found}, not {exact}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_product_is_that_of_its_rows(lengths in prop::collection::vec(0..20usize, 1..200)) {
            check::<1>(&lengths);
            check::<4>(&lengths);
        }
    }

    #[test]
    fn rows_of_every_fixed_length_and_longer_ones_are_multiplied() {
        check::<3>(&(0..40).flat_map(|length| [length; 3]).collect::<Vec<_>>());
    }

    #[test]
    fn a_matrix_of_many_tasks_is_multiplied() {
        let lengths: Vec<_> = (0..30_000).map(|i| 4 + i % 5).collect();
        assert!(CpuMatrix::new(&matrix(&lengths)).unwrap().tasks.len() > 5);
        check::<1>(&lengths);
    }

    #[test]
    fn an_empty_matrix_does_nothing() {
        check::<1>(&[]);
    }
}
