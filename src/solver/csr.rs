//! Sparse matrices in main memory, in compressed sparse rows.

use crate::base::error::WithKind;
use crate::base::parallel::{collect, parts};
use thiserror::Error;

use super::dense::Singular;
use super::host::{HostSpace, LengthMismatch, tree_dot};
use super::real::Real;
use super::space::Operator;

/// Errors in building or using a matrix.
#[derive(Clone, Debug, PartialEq, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum CsrError {
    /// A triplet points outside the matrix.
    #[error(
        "the entry at row {row}, column {column} (counted from 0) is outside of the {rows} x {columns} \
         matrix. Correct the index or the size"
    )]
    OutOfRange { row: usize, column: usize, rows: usize, columns: usize },
    /// More columns than a 32-bit index can count.
    #[error(
        "a matrix with {0} columns is too wide: column indices have 32 bits. Give fewer columns"
    )]
    TooWide(usize),
    /// A diagonal entry is zero, negative or not finite, but must be positive.
    #[error(
        "the diagonal entry of row {row} (counted from 0) is {value:?}, but the diagonal \
         preconditioner divides by it and conjugate gradients need it positive. Solve without \
         the preconditioner, or correct the matrix"
    )]
    Diagonal { row: usize, value: f64 },
    /// Two matrices that cannot be multiplied.
    #[error(
        "a matrix with {columns} columns cannot be multiplied by one with {rows} rows. Make the two \
         numbers equal"
    )]
    Product { columns: usize, rows: usize },
    /// A vector has the wrong length.
    #[error(transparent)]
    Length(#[from] LengthMismatch),
    /// The matrix to be inverted is singular.
    #[error(transparent)]
    Singular(#[from] Singular),
}

impl WithKind for CsrError {}

/// A sparse matrix. The entries of row i are `values[offsets[i]..offsets[i + 1]]`; their columns, ascending,
/// are at the same positions of `indices`.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr<T> {
    columns: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<T>,
}

impl<T: Real> Csr<T> {
    /// Builds a matrix from (row, column, value) in any order, indices from 0. Duplicate entries are summed in
    /// the given order. Entries of value zero are kept.
    ///
    /// # Errors
    /// [`CsrError::OutOfRange`] for an index beyond the matrix; [`CsrError::TooWide`].
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        triplets: impl IntoIterator<Item = (usize, usize, T)>,
    ) -> Result<Self, CsrError> {
        Self::from_list(rows, columns, triplets.into_iter().collect())
    }

    fn from_list(
        rows: usize,
        columns: usize,
        triplets: Vec<(usize, usize, T)>,
    ) -> Result<Self, CsrError> {
        if u32::try_from(columns).is_err() {
            return Err(CsrError::TooWide(columns));
        }
        let outside = |&&(row, column, _): &&(usize, usize, T)| row >= rows || column >= columns;
        if let Some(&(row, column, _)) = triplets.iter().find(outside) {
            return Err(CsrError::OutOfRange { row, column, rows, columns });
        }
        // Counting sort by rows, then each row on its own. The order of duplicates is kept, so that they are
        // summed as given.
        let mut ends = vec![0; rows + 1];
        for &(row, ..) in &triplets {
            ends[row + 1] += 1;
        }
        for row in 0..rows {
            ends[row + 1] += ends[row];
        }
        let mut next = ends.clone();
        let mut entries = vec![(0, T::ZERO); triplets.len()];
        for (row, column, value) in triplets {
            entries[next[row]] = (column as u32, value);
            next[row] += 1;
        }
        let most = entries.len();
        let mut rest = entries.as_mut_slice();
        let mut in_rows = Vec::with_capacity(rows);
        for row in 0..rows {
            let (of_row, others) = rest.split_at_mut(ends[row + 1] - ends[row]);
            in_rows.push(of_row);
            rest = others;
        }
        parts(&mut in_rows, 1 << 10, &|_, rows: &mut [&mut [(u32, T)]]| {
            for row in rows {
                row.sort_by_key(|(column, _)| *column);
            }
        });

        let mut matrix = Csr {
            columns,
            offsets: vec![0],
            indices: Vec::with_capacity(most),
            values: Vec::with_capacity(most),
        };
        for row in in_rows {
            let mut previous = None;
            for &mut (column, value) in row {
                match matrix.values.last_mut() {
                    Some(last) if previous == Some(column) => *last += value,
                    _ => {
                        matrix.indices.push(column);
                        matrix.values.push(value);
                    }
                }
                previous = Some(column);
            }
            matrix.offsets.push(matrix.values.len());
        }
        Ok(matrix)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// The value of every stored entry.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The stored entries of `row` as (column, value), columns ascending.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, T)> + '_ {
        let range = self.offsets[row]..self.offsets[row + 1];
        let columns = self.indices[range.clone()].iter();
        let values = &self.values[range];
        columns.zip(values).map(|(&column, &value)| (column as usize, value))
    }

    /// Number of entries of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row_length(&self, row: usize) -> usize {
        self.offsets[row + 1] - self.offsets[row]
    }

    /// All stored entries as (row, column, value), row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        (0..self.rows())
            .flat_map(|row| self.row(row).map(move |(column, value)| (row, column, value)))
    }

    /// The entry at (row, column), or zero if none is stored.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn get(&self, row: usize, column: usize) -> T {
        let range = self.offsets[row]..self.offsets[row + 1];
        u32::try_from(column)
            .ok()
            .and_then(|column| self.indices[range.clone()].binary_search(&column).ok())
            .map_or(T::ZERO, |place| self.values[range.start + place])
    }

    /// The diagonal, with zeros for entries that are not stored.
    pub fn diagonal(&self) -> Vec<T> {
        collect(self.rows().min(self.columns), |row| self.get(row, row))
    }

    /// The matrix with rows or columns without entries added, until there are as many of both.
    pub fn squared(&self) -> Result<Self, CsrError> {
        let side = self.rows().max(self.columns);
        Self::from_triplets(side, side, self.triplets())
    }

    /// The rows and the columns without a nonzero entry.
    pub fn lines_of_zeros(&self) -> [Vec<usize>; 2] {
        let mut are_zero = [vec![true; self.rows()], vec![true; self.columns()]];
        for (row, column, _) in self.triplets().filter(|&(.., value)| value != T::ZERO) {
            (are_zero[0][row], are_zero[1][column]) = (false, false);
        }
        are_zero.map(|lines| (0..lines.len()).filter(|&line| lines[line]).collect())
    }

    /// The transpose, stored explicitly.
    pub fn transpose(&self) -> Csr<T> {
        let mut offsets = vec![0; self.columns + 1];
        for &column in &self.indices {
            offsets[column as usize + 1] += 1;
        }
        for column in 0..self.columns {
            offsets[column + 1] += offsets[column];
        }
        let mut next = offsets.clone();
        let mut indices = vec![0; self.entries()];
        let mut values = vec![T::ZERO; self.entries()];
        // Rows are visited in order, so the columns of the transpose are ascending.
        for (row, column, value) in self.triplets() {
            let place = next[column];
            next[column] += 1;
            indices[place] = row as u32;
            values[place] = value;
        }
        Csr { columns: self.rows(), offsets, indices, values }
    }

    /// Renumbers rows and columns: row i becomes row `rows[i]`, column j column `columns[j]`.
    ///
    /// # Panics
    /// Unless the numbers are permutations, as many as there are rows and columns.
    pub fn permuted(&self, rows: &[u32], columns: &[u32]) -> Csr<T> {
        assert_eq!([rows.len(), columns.len()], [self.rows(), self.columns]);
        let mut old_rows = vec![0; rows.len()];
        for (old, &new) in rows.iter().enumerate() {
            old_rows[new as usize] = old;
        }
        let row = |row: usize| {
            let entries = self.row(old_rows[row]);
            let mut entries: Vec<(u32, T)> =
                entries.map(|(column, value)| (columns[column], value)).collect();
            entries.sort_unstable_by_key(|(column, _)| *column);
            entries
        };
        Self::of_rows(self.columns, collect(self.rows(), row))
    }

    /// Extracts rows (`None` gives an empty row) with the nonzero entries that `is_wanted` selects by row and
    /// column. Column j becomes `numbers[j]`, out of `columns`. The renumbering must preserve the order within
    /// a row.
    pub fn submatrix(
        &self,
        rows: &[Option<u32>],
        (numbers, columns): (&[u32], usize),
        is_wanted: impl Fn(usize, usize) -> bool,
    ) -> Csr<T> {
        let most = rows.iter().flatten();
        let most = most.map(|&row| self.row_length(row as usize)).sum();
        let mut part = Csr {
            columns,
            offsets: Vec::with_capacity(rows.len() + 1),
            indices: Vec::with_capacity(most),
            values: Vec::with_capacity(most),
        };
        part.offsets.push(0);
        for &row in rows {
            if let Some(row) = row.map(|row| row as usize) {
                let wanted = |&(j, v): &(usize, T)| v != T::ZERO && is_wanted(row, j);
                for (column, value) in self.row(row).filter(wanted) {
                    part.indices.push(numbers[column]);
                    part.values.push(value);
                }
            }
            part.offsets.push(part.values.len());
        }
        part
    }

    /// Builds a matrix from rows with ascending columns.
    fn of_rows(columns: usize, rows: Vec<Vec<(u32, T)>>) -> Self {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let offsets = std::iter::once(0).chain(ends).collect();
        let (indices, values) = rows.into_iter().flatten().unzip();
        Csr { columns, offsets, indices, values }
    }

    /// A B, computed row by row on all threads. The products of an entry are summed in the order of A's
    /// columns.
    pub fn product(&self, right: &Csr<T>) -> Result<Csr<T>, CsrError> {
        if self.columns != right.rows() {
            return Err(CsrError::Product { columns: self.columns, rows: right.rows() });
        }
        let row = |row| {
            let scaled = |(k, a): (usize, T)| right.row(k).map(move |(j, b)| (j as u32, a * b));
            let mut entries: Vec<(u32, T)> = self.row(row).flat_map(scaled).collect();
            entries.sort_by_key(|(column, _)| *column);
            entries.dedup_by(|next, sum| {
                let is_same = next.0 == sum.0;
                if is_same {
                    sum.1 += next.1;
                }
                is_same
            });
            entries
        };
        Ok(Self::of_rows(right.columns, collect(self.rows(), row)))
    }

    /// R A P; with R = Pᵀ (Galerkin) it is the matrix of a coarser grid.
    pub fn triple_product(&self, r: &Csr<T>, p: &Csr<T>) -> Result<Csr<T>, CsrError> {
        r.product(&self.product(p)?)
    }

    /// All entries including zeros, row by row.
    pub fn to_dense(&self) -> Vec<T> {
        let mut dense = vec![T::ZERO; self.rows() * self.columns];
        for (row, column, value) in self.triplets() {
            dense[row * self.columns + column] = value;
        }
        dense
    }

    /// Converts the matrix to another precision.
    pub fn cast<U: Real>(&self) -> Csr<U> {
        self.map(|value| U::from_f64(value.to_f64()))
    }

    /// The matrix with every stored entry replaced by a function of it.
    pub fn map<U: Real>(&self, f: impl Fn(T) -> U) -> Csr<U> {
        Csr {
            columns: self.columns,
            offsets: self.offsets.clone(),
            indices: self.indices.clone(),
            values: self.values.iter().map(|&value| f(value)).collect(),
        }
    }

    /// Multiplies every entry by the factors of its row and column.
    ///
    /// # Panics
    /// If there are fewer factors than rows or columns.
    pub fn scaled(mut self, rows: &[T], columns: &[T]) -> Self {
        for (bounds, &factor) in self.offsets.windows(2).zip(&rows[..self.rows()]) {
            let row = bounds[0]..bounds[1];
            let entries = self.values[row.clone()].iter_mut();
            for (value, &column) in entries.zip(&self.indices[row]) {
                *value = factor * *value * columns[column as usize];
            }
        }
        self
    }

    /// The first position (row, column) of a square matrix at which |a_ij − a_ji| > tolerance · max |a| or
    /// either is NaN.
    pub fn first_asymmetry(&self, tolerance: f64) -> Option<(usize, usize)> {
        let largest = self.values.iter().fold(T::ZERO, |largest, value| largest.max(value.abs()));
        let bound = tolerance * largest.to_f64();
        let differ = |value: T, mirrored: T| {
            let difference = (value.to_f64() - mirrored.to_f64()).abs();
            difference > bound || difference.is_nan()
        };
        if self.is_mirrored(differ) {
            return None;
        }
        self.triplets()
            .find(|&(row, column, value)| {
                let mirrored = if column < self.rows() { self.get(column, row) } else { T::ZERO };
                differ(value, mirrored)
            })
            .map(|(row, column, _)| (row, column))
    }

    /// Tests whether `differ` is false for every entry and its mirror image. Entries of a column are met from
    /// the top down, in the order of the row that mirrors it, so no entry is searched for.
    fn is_mirrored(&self, differ: impl Fn(T, T) -> bool) -> bool {
        let mut next = self.offsets.clone();
        self.rows() == self.columns
            && self.triplets().all(|(row, column, value)| {
                let place = next[column];
                next[column] += 1;
                place < self.offsets[column + 1]
                    && self.indices[place] as usize == row
                    && !differ(value, self.values[place])
            })
    }

    /// y ← A x on one thread.
    pub fn multiply(&self, x: &[T], y: &mut [T]) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.columns, x)?;
        LengthMismatch::check(self.rows(), y)?;
        for (row, y) in y.iter_mut().enumerate() {
            *y = self.row_times(row, x);
        }
        Ok(())
    }

    /// y ← A x on all threads; every element is the same as from [`multiply`](Self::multiply).
    pub fn multiply_parallel(&self, x: &[T], y: &mut [T]) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.columns, x)?;
        LengthMismatch::check(self.rows(), y)?;
        parts(y, 1 << 12, &|first, y| {
            for (row, y) in (first..).zip(y) {
                *y = self.row_times(row, x);
            }
        });
        Ok(())
    }

    /// b − A x on all threads.
    pub fn residual(&self, b: &[T], x: &[T]) -> Result<Vec<T>, LengthMismatch> {
        LengthMismatch::check(self.rows(), b)?;
        let mut residual = vec![T::ZERO; b.len()];
        self.multiply_parallel(x, &mut residual)?;
        residual.iter_mut().zip(b).for_each(|(r, &b)| *r = b - *r);
        Ok(residual)
    }

    /// The inner product of a row with x, from left to right.
    fn row_times(&self, row: usize, x: &[T]) -> T {
        self.row(row).fold(T::ZERO, |sum, (column, value)| sum + value * x[column])
    }
}

impl<T: Real> Operator<HostSpace<T>> for Csr<T> {
    fn apply(
        &self,
        _space: &HostSpace<T>,
        x: &Vec<T>,
        y: &mut Vec<T>,
    ) -> Result<(), LengthMismatch> {
        self.multiply_parallel(x, y)
    }
}

/// Norm of b − A x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueResidual {
    /// ‖b − A x‖
    pub norm: f64,
    /// ‖b − A x‖ / ‖b‖; for b = 0 it is 0 if the norm is 0, else infinite.
    pub relative: f64,
}

/// Computes the residual from the original matrix in double precision, whatever precision x was computed in.
/// Every solve is judged by it.
pub fn true_residual<T: Real>(
    a: &Csr<f64>,
    b: &[f64],
    x: &[T],
) -> Result<TrueResidual, LengthMismatch> {
    let x: Vec<f64> = x.iter().map(|value| value.to_f64()).collect();
    let residual = a.residual(b, &x)?;
    let norm = tree_dot(&residual, &residual).sqrt();
    let norm_of_b = tree_dot(b, b).sqrt();
    let relative = if norm == 0.0 { 0.0 } else { norm / norm_of_b };
    Ok(TrueResidual { norm, relative })
}
