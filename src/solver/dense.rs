//! Dense matrices in double precision: LU with partial pivoting.
//!
//! For systems with a few hundred unknowns. Zeros are skipped: a factorisation with b diagonals above and below the
//! main one takes about n b² products instead of n³/3.

use thiserror::Error;

/// A matrix that is singular or contains NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the matrix is singular: column {0} (counted from 0) has no nonzero pivot. \
     Correct the matrix, or solve by iteration"
)]
pub struct Singular(pub usize);

/// P A = L U, with a permutation P of the rows.
#[derive(Debug, Clone)]
pub struct Lu {
    /// Row by row: L (unit diagonal) below the diagonal, U on and above it.
    factors: Vec<f64>,
    /// The row of A at each position.
    order: Vec<usize>,
}

impl Lu {
    /// Factorises the n × n matrix with these entries, row by row.
    ///
    /// # Panics
    /// If there are not n² entries.
    pub fn new(n: usize, mut entries: Vec<f64>) -> Result<Self, Singular> {
        assert_eq!(entries.len(), n * n, "a square matrix has n² entries");
        let mut order: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let size = |row: &usize| entries[row * n + k].abs();
            let largest = (k..n).max_by(|a, b| size(a).total_cmp(&size(b)));
            let row = largest.filter(|row| size(row) > 0.0 && size(row).is_finite());
            let row = row.ok_or(Singular(k))?;
            order.swap(k, row);
            if row != k {
                let (above, below) = entries.split_at_mut(row * n);
                above[k * n..][..n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = entries.split_at_mut((k + 1) * n);
            let pivot = &above[k * n + k..];
            let end = pivot.iter().rposition(|&entry| entry != 0.0).map_or(1, |last| last + 1);
            for row in below.chunks_mut(n) {
                if row[k] != 0.0 {
                    row[k] /= pivot[0];
                    let factor = row[k];
                    subtract(&mut row[k + 1..], factor, &pivot[1..end]);
                }
            }
        }
        let factors = entries;
        Ok(Self { factors, order })
    }

    /// X with A X = B for a B with `columns` columns, row by row.
    ///
    /// # Panics
    /// If the height of B is not that of A.
    pub fn solve(&self, columns: usize, b: &[f64]) -> Vec<f64> {
        let n = self.order.len();
        assert_eq!(b.len(), n * columns, "B has as many rows as A");
        let rows = self.order.iter().map(|row| &b[row * columns..][..columns]);
        let mut x = rows.flatten().copied().collect::<Vec<f64>>();
        for k in 0..n {
            let (known, rest) = x.split_at_mut(k * columns);
            for (j, known) in known.chunks(columns).enumerate() {
                subtract(&mut rest[..columns], self.factors[k * n + j], known);
            }
        }
        for k in (0..n).rev() {
            let (rest, known) = x.split_at_mut((k + 1) * columns);
            let row = &mut rest[k * columns..];
            for (j, known) in (k + 1..n).zip(known.chunks(columns)) {
                subtract(row, self.factors[k * n + j], known);
            }
            let pivot = self.factors[k * n + k];
            row.iter_mut().for_each(|x| *x /= pivot);
        }
        x
    }
}

/// y ← y − factor x
fn subtract(y: &mut [f64], factor: f64, x: &[f64]) {
    if factor != 0.0 {
        y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
    }
}
