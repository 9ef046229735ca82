//! The incomplete Cholesky factorisation without fill, IC(0), and the modified one, MIC(0).
//!
//! M = L Lᵀ, where L is as sparse as A's lower half. L's off-diagonal entries are A's own times the
//! pivot π of their column, so that only the pivots have to be computed: π = e^(−½) with
//!
//! e = a − Σ (A_m π_m)² − τ Σ A_m (A_m' + A_m'') π_m²
//!
//! over the neighbours m before a cell in x, y and z, where a is the cell's own entry, A_m the entry that links it
//! to m, and A_m', A_m'' the entries that link m to its neighbours after it in the two other directions. The first
//! sum is Cholesky's; the second is the fill dropped at m. IC(0) ignores it (τ = 0), MIC(0) subtracts nearly
//! all of it from the diagonal (τ = 0.97), so that M keeps A's row sums.
//!
//! The paper calls its preconditioner incomplete Cholesky without further details; MIC(0) in this form, with
//! its constants, is after R. Bridson, *Fluid Simulation for Computer Graphics* (2008), §4.3.

use std::ops::Range;

use crate::batty2003::pressure::System;
use crate::solver::{HostSpace, LengthMismatch, Operator, Real};

use super::wavefront::{Way, sweep};

/// The share of dropped fill that MIC(0) subtracts from the diagonal.
pub const MODIFIED: f64 = 0.97;

/// A pivot smaller than this share of the diagonal is replaced by the diagonal.
const SAFETY: f64 = 0.25;

/// M⁻¹ = Lᵀ⁻¹ L⁻¹
#[derive(Debug)]
pub struct IncompleteCholesky<T> {
    size: [usize; 3],
    /// The cells that are swept in row j + ny k.
    rows: Vec<Range<usize>>,
    /// π of every cell, zero outside the liquid.
    pivots: Vec<T>,
    /// A_m π_m of every cell m for its neighbours at +x, +y, +z.
    columns: [Vec<T>; 3],
    /// Values read by a row without a neighbour.
    zeros: Vec<T>,
}

impl<T: Real> IncompleteCholesky<T> {
    /// Factors a system's matrix, subtracting the share τ of dropped fill from the diagonal: 0 for IC(0),
    /// [`MODIFIED`] for MIC(0). Sweeps go along `rows`, which contain all of the liquid.
    pub fn new<S: Real>(system: &System<S>, share: f64, rows: Vec<Range<usize>>) -> Self {
        let pivots = pivots(system, share);
        let rounded = |value: S| T::from_f64(value.to_f64());
        let column = |axis: usize| {
            let entries = system.upper[axis].iter().zip(&pivots);
            entries
                .map(|(&entry, &pivot)| rounded(entry * pivot))
                .collect()
        };
        Self {
            size: system.size,
            rows,
            columns: [0, 1, 2].map(column),
            pivots: pivots.iter().map(|&pivot| rounded(pivot)).collect(),
            zeros: vec![T::ZERO; system.size[0]],
        }
    }

    /// Selects cells of a row.
    fn of<'a>(&self, row: usize, values: &'a [T], range: &Range<usize>) -> &'a [T] {
        let first = self.size[0] * row;
        &values[first + range.start..first + range.end]
    }

    /// L q = r. The sequential part, along x, is separated from the rest; in it, the dependence on the
    /// previous cell is only a product and a difference.
    fn forward(&self, r: &[T], q: &mut [T]) {
        sweep(self.size, Way::Forward, q, |row, before, q| {
            let range = self.rows[row].clone();
            let nothing = &self.zeros[range.clone()];
            let term = |axis: usize, stride| match before[axis - 1] {
                [] => (nothing, nothing),
                q => (
                    self.of(row - stride, &self.columns[axis], &range),
                    &q[range.clone()],
                ),
            };
            let ((a_y, q_y), (a_z, q_z)) = (term(1, 1), term(2, self.size[1]));
            let q = &mut q[range.clone()];
            let r = self.of(row, r, &range);
            let others = a_y.iter().zip(q_y).zip(a_z.iter().zip(q_z));
            for ((q, &r), ((&a_y, &q_y), (&a_z, &q_z))) in q.iter_mut().zip(r).zip(others) {
                *q = r - a_y * q_y - a_z * q_z;
            }
            let columns = self.of(row, &self.columns[0], &range);
            let pivots = self.of(row, &self.pivots, &range);
            let (mut column, mut before) = (T::ZERO, T::ZERO);
            for ((q, &pivot), &next) in q.iter_mut().zip(pivots).zip(columns) {
                before = *q * pivot - (column * pivot) * before;
                (*q, column) = (before, next);
            }
        });
    }

    /// Lᵀ z = q, where z initially holds q.
    fn backward(&self, z: &mut [T]) {
        sweep(self.size, Way::Backward, z, |row, after, z| {
            let range = self.rows[row].clone();
            let [z_y, z_z] = after.map(|z| match z {
                [] => &self.zeros[range.clone()],
                z => &z[range.clone()],
            });
            let [a_x, a_y, a_z] = (self.columns.each_ref()).map(|a| self.of(row, a, &range));
            let z = &mut z[range.clone()];
            let others = a_y.iter().zip(z_y).zip(a_z.iter().zip(z_z));
            for (z, ((&a_y, &z_y), (&a_z, &z_z))) in z.iter_mut().zip(others) {
                *z = *z - a_y * z_y - a_z * z_z;
            }
            let pivots = self.of(row, &self.pivots, &range);
            let mut after = T::ZERO;
            for ((z, &pivot), &column) in z.iter_mut().zip(pivots).zip(a_x).rev() {
                after = *z * pivot - (column * pivot) * after;
                *z = after;
            }
        });
    }
}

impl<T: Real> Operator<HostSpace<T>> for IncompleteCholesky<T> {
    fn apply(&self, _: &HostSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.pivots.len(), r)?;
        LengthMismatch::check(self.pivots.len(), z)?;
        self.forward(r, z);
        self.backward(z);
        Ok(())
    }
}

/// π of every cell, in the order of the cells.
fn pivots<T: Real>(system: &System<T>, share: f64) -> Vec<T> {
    let share = T::from_f64(share);
    let safety = T::from_f64(SAFETY);
    let strides = system.strides();
    let mut pivots = vec![T::ZERO; system.cells()];
    for cell in 0..system.cells() {
        let own = system.diagonal[cell];
        if own == T::ZERO {
            continue;
        }
        let mut e = own;
        for (axis, stride) in strides.into_iter().enumerate() {
            let Some(m) = cell.checked_sub(stride) else {
                continue;
            };
            let [link, first, second] =
                [axis, (axis + 1) % 3, (axis + 2) % 3].map(|axis| system.upper[axis][m]);
            e -= link * (link + share * (first + second)) * (pivots[m] * pivots[m]);
        }
        if e < safety * own {
            e = own;
        }
        pivots[cell] = T::ONE / e.sqrt();
    }
    pivots
}
