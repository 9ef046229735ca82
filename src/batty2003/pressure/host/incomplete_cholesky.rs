//! The incomplete Cholesky factorisation without fill, IC(0), and the modified one, MIC(0).
//!
//! M = L Lᵀ with L as sparse as A's lower half. L's entries beside the diagonal are A's own times the
//! pivot π of their column, so that only the pivots are to be found: π = e^(−½) with
//!
//! e = a − Σ (A_m π_m)² − τ Σ A_m (A_m' + A_m'') π_m²
//!
//! over the neighbours m before a cell in x, y and z, where a is the cell's own entry, A_m what links it
//! to m, and A_m', A_m'' what links m to its neighbours after it in the two other directions. The first
//! sum is Cholesky's; the second is what fill is lost at m. IC(0) drops it (τ = 0), MIC(0) takes nearly
//! all of it off the diagonal (τ = 0.97), so that M keeps A's row sums.
//!
//! The paper names its preconditioner incomplete Cholesky and says no more; MIC(0) in this form, with
//! its constants, is after R. Bridson, *Fluid Simulation for Computer Graphics* (2008), §4.3.

use std::cell::RefCell;
use std::ops::Range;

use crate::batty2003::pressure::System;
use crate::solver::{HostSpace, LengthMismatch, Operator, Real};

use super::blocks::Blocks;
use super::rows::Rows;

/// The share of lost fill that MIC(0) takes off the diagonal.
pub const MODIFIED: f64 = 0.97;

/// A pivot that would be less than this share of the diagonal is the diagonal instead.
const SAFETY: f64 = 0.25;

/// M⁻¹ = Lᵀ⁻¹ L⁻¹, and the vector that it is applied in.
#[derive(Debug)]
pub struct IncompleteCholesky<T> {
    factor: Factor<T>,
    result: RefCell<Vec<T>>,
}

impl<T: Real> IncompleteCholesky<T> {
    /// Factors a system's matrix, with the share τ of lost fill taken off the diagonal: 0 for IC(0),
    /// [`MODIFIED`] for MIC(0). Sweeps go along `rows`, which hold all of the liquid.
    pub fn new<S: Real>(system: &System<S>, share: f64, rows: Rows) -> Self {
        Self {
            factor: Factor::new(system, share, rows),
            result: RefCell::new(vec![T::ZERO; system.cells()]),
        }
    }

    /// π of a cell.
    pub fn pivot(&self, cell: usize) -> T {
        self.factor.pivots[self.factor.place(cell)]
    }

    /// Solves L Lᵀ z = r, and shows z.
    pub(super) fn solve<R>(&self, r: &[T], then: impl FnOnce(&Found<'_, T>) -> R) -> R {
        let mut result = self.result.borrow_mut();
        self.factor.forward(r, &mut result);
        self.factor.backward(&mut result);
        let (factor, result) = (&self.factor, &result[..]);
        then(&Found { factor, result })
    }
}

impl<T: Real> Operator<HostSpace<T>> for IncompleteCholesky<T> {
    fn apply(&self, _: &HostSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        let cells = self.factor.pivots.len();
        LengthMismatch::check(cells, r)?;
        LengthMismatch::check(cells, z)?;
        let x = self.factor.rows.size()[0];
        self.solve(r, |found| {
            for (row, z) in z.chunks_mut(x).enumerate() {
                z.copy_from_slice(found.cells(&(x * row..x * (row + 1))));
            }
        });
        Ok(())
    }
}

/// What a solve has found.
pub(super) struct Found<'a, T> {
    factor: &'a Factor<T>,
    result: &'a [T],
}

impl<T: Real> Found<'_, T> {
    /// Cells of one row.
    pub(super) fn cells(&self, cells: &Range<usize>) -> &[T] {
        &self.result[self.factor.place(cells.start)..][..cells.len()]
    }
}

/// L. Everything is in the order of the blocks.
#[derive(Debug)]
struct Factor<T> {
    blocks: Blocks,
    rows: Rows,
    /// π of every cell, zero outside the liquid.
    pivots: Vec<T>,
    /// A_m π_m of every cell m for its neighbours at +x, +y, +z.
    columns: [Vec<T>; 3],
    /// What a row without a neighbour reads.
    zeros: Vec<T>,
}

impl<T: Real> Factor<T> {
    fn new<S: Real>(system: &System<S>, share: f64, rows: Rows) -> Self {
        let size = system.size;
        let pivots = pivots(system, share);
        let blocks = Blocks::new(size);
        let ordered = |value: &dyn Fn(usize) -> S| -> Vec<T> {
            let row = |place| size[0] * blocks.row(place)..size[0] * (blocks.row(place) + 1);
            let cells = (0..size[1] * size[2]).flat_map(row);
            cells
                .map(|cell| T::from_f64(value(cell).to_f64()))
                .collect()
        };
        Self {
            pivots: ordered(&|cell| pivots[cell]),
            columns: [0, 1, 2].map(|axis| ordered(&|cell| system.upper[axis][cell] * pivots[cell])),
            zeros: vec![T::ZERO; size[0]],
            blocks,
            rows,
        }
    }

    /// L q = r. What is sequential, along x, is kept apart from what is not, and in it what needs the
    /// cell before is but a product and a difference.
    fn forward(&self, r: &[T], q: &mut [T]) {
        let x = self.rows.size()[0];
        self.blocks.forward(q, |row, q| {
            let number = self.blocks.row(row.place);
            let range = self.rows.range(number);
            let r = &r[x * number..x * (number + 1)][range.clone()];
            let [(a_y, q_y), (a_z, q_z)] = [1, 2].map(|axis| match row.neighbours[axis - 1] {
                Some((place, q)) => (
                    self.of(place, &self.columns[axis], &range),
                    &q[range.clone()],
                ),
                None => (&self.zeros[range.clone()], &self.zeros[range.clone()]),
            });
            let q = &mut q[range.clone()];
            let beside = a_y.iter().zip(q_y).zip(a_z.iter().zip(q_z));
            for ((q, &r), ((&a_y, &q_y), (&a_z, &q_z))) in q.iter_mut().zip(r).zip(beside) {
                *q = r - a_y * q_y - a_z * q_z;
            }
            let columns = self.of(row.place, &self.columns[0], &range);
            let pivots = self.of(row.place, &self.pivots, &range);
            let (mut column, mut before) = (T::ZERO, T::ZERO);
            for ((q, &pivot), &next) in q.iter_mut().zip(pivots).zip(columns) {
                before = *q * pivot - (column * pivot) * before;
                (*q, column) = (before, next);
            }
        });
    }

    /// Lᵀ z = q, where z holds q at first.
    fn backward(&self, z: &mut [T]) {
        self.blocks.backward(z, |row, z| {
            let range = self.rows.range(self.blocks.row(row.place));
            let [z_y, z_z] = (row.neighbours)
                .map(|neighbour| &neighbour.map_or(&self.zeros[..], |n| n.1)[range.clone()]);
            let columns = [0, 1, 2].map(|axis| self.of(row.place, &self.columns[axis], &range));
            let z = &mut z[range.clone()];
            let beside = columns[1].iter().zip(z_y).zip(columns[2].iter().zip(z_z));
            for (z, ((&a_y, &z_y), (&a_z, &z_z))) in z.iter_mut().zip(beside) {
                *z = *z - a_y * z_y - a_z * z_z;
            }
            let pivots = self.of(row.place, &self.pivots, &range);
            let mut after = T::ZERO;
            for ((z, &pivot), &column) in z.iter_mut().zip(pivots).zip(columns[0]).rev() {
                after = *z * pivot - (column * pivot) * after;
                *z = after;
            }
        });
    }

    /// Some cells of a place's row.
    fn of<'a>(&self, place: usize, values: &'a [T], range: &Range<usize>) -> &'a [T] {
        let first = self.rows.size()[0] * place;
        &values[first + range.start..first + range.end]
    }

    /// Where a cell is in the order of the blocks.
    fn place(&self, cell: usize) -> usize {
        let x = self.rows.size()[0];
        x * self.blocks.place(cell / x) + cell % x
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
