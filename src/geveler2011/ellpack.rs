//! ELLPACK and ELLPACK-R: the arrays A, j and rl, and their layout in textures (geveler2011 §3.1).
//!
//! Both arrays are stored by columns: entry k of all rows comes before entry k + 1 of any. The paper's
//! sum runs to rl_i; it has rl_i terms, from 0 to rl_i − 1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::parallel::parts;
use crate::solver::{Csr, HostSpace, LengthMismatch, Operator, Real};

/// A sparse matrix with rows padded to the longest one.
///
/// The example of §3.1; the paper prints a star for padding:
///
/// ```
/// use fragstream::geveler2011::Ellpack;
/// use fragstream::solver::Csr;
///
/// let s = [[1.0, 7.0, 0.0, 0.0], [0.0, 2.0, 8.0, 0.0], [5.0, 0.0, 3.0, 9.0], [0.0, 6.0, 0.0, 4.0]];
/// let all = (0..16).map(|k| (k / 4, k % 4, s[k / 4][k % 4]));
/// let s = Csr::from_triplets(4, 4, all.filter(|&(_, _, entry)| entry != 0.0))?;
/// let Ellpack { values, indices, lengths, .. } = Ellpack::new(&s);
/// assert_eq!(values, [1.0, 2.0, 5.0, 6.0, 7.0, 8.0, 3.0, 4.0, 0.0, 0.0, 9.0, 0.0]);
/// assert_eq!(indices, [0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0]);
/// assert_eq!(lengths, [2, 2, 3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ellpack<T> {
    rows: usize,
    columns: usize,
    /// A: entry k of row i at k · rows + i; padding is zero.
    pub values: Vec<T>,
    /// j: its column; that of padding is 0.
    pub indices: Vec<u32>,
    /// rl: number of entries of each row.
    pub lengths: Vec<u32>,
}

impl<T: Real> Ellpack<T> {
    /// Converts a matrix to rows of one length.
    pub fn new(matrix: &Csr<T>) -> Self {
        let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
        let lengths: Vec<usize> = lengths.collect();
        let width = lengths.iter().copied().max().unwrap_or(0);
        let rows = matrix.rows();
        let mut values = vec![T::ZERO; rows * width];
        let mut indices = vec![0; rows * width];
        for row in 0..rows {
            for (k, (column, value)) in matrix.row(row).enumerate() {
                // §3.1: A and j in column-major order
                values[k * rows + row] = value;
                indices[k * rows + row] = column as u32;
            }
        }
        Self {
            rows,
            columns: matrix.columns(),
            values,
            indices,
            lengths: lengths.into_iter().map(|length| length as u32).collect(),
        }
    }

    /// y ← A x on one core.
    pub fn multiply(&self, x: &[T], y: &mut [T]) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.columns, x)?;
        LengthMismatch::check(self.rows, y)?;
        self.multiply_rows(0, x, y);
        Ok(())
    }

    /// y ← A x, each thread a contiguous part of y (§3.2.2).
    pub fn multiply_parallel(&self, x: &[T], y: &mut [T]) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.columns, x)?;
        LengthMismatch::check(self.rows, y)?;
        let part = self.rows.div_ceil(rayon::current_num_threads()).max(1);
        // §3.2.2: each thread has a contiguous part of y
        parts(y, part, &|first, y| self.multiply_rows(first, x, y));
        Ok(())
    }

    /// The product's rows from this one on, each only up to its own length.
    fn multiply_rows(&self, first: usize, x: &[T], y: &mut [T]) {
        for (row, y) in (first..).zip(y) {
            let places = (row..).step_by(self.rows).take(self.lengths[row] as usize);
            // §3.2: y_i = Σ A_ik x_j over the rl_i entries of row i
            let term = |at: usize| self.values[at] * x[self.indices[at] as usize];
            *y = places.map(term).sum();
        }
    }
}

impl<T: Real> Operator<HostSpace<T>> for Ellpack<T> {
    fn apply(&self, _: &HostSpace<T>, x: &Vec<T>, y: &mut Vec<T>) -> Result<(), LengthMismatch> {
        self.multiply_parallel(x, y)
    }
}

/// End of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RowFormat {
    /// All rows are padded to the longest; legal in 2003
    Ellpack,
    /// Each row ends at its own length, as in the paper; not possible in 2003
    EllpackR,
}

/// Location of an entry and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// In one texel, for one fetch
    Packed,
    /// In two textures, like the paper's arrays A and j
    Apart,
}

/// Layout of a matrix in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EllpackLayout {
    /// End of rows.
    pub rows: RowFormat,
    /// Location of an entry and its column.
    pub entries: Entries,
}

impl EllpackLayout {
    /// §3.1: arrays A and j, and the length rl of every row, at which a thread ends.
    pub const fn paper_2011() -> Self {
        Self { rows: RowFormat::EllpackR, entries: Entries::Apart }
    }

    /// The layout with the fewest fetches on a fragment processor of 2003.
    pub const fn of_2003() -> Self {
        Self { rows: RowFormat::Ellpack, entries: Entries::Packed }
    }
}
