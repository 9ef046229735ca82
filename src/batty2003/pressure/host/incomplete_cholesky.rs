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
use crate::solver::{LengthMismatch, Operator, Real};
use crate::timing::cpu::dot;

use super::blocks::{Blocks, Way};
use super::space::BoxSpace;

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

/// L. Everything is in the order of the blocks.
#[derive(Debug)]
struct Factor<T> {
    /// Cells of a row, and of a layer.
    size: [usize; 2],
    blocks: Blocks,
    /// The places that are swept in row j + ny k.
    rows: Vec<Range<usize>>,
    /// π of every cell, zero outside the liquid.
    pivots: Vec<T>,
    /// A_m π_m of every cell m for its neighbours at +x, +y, +z.
    columns: [Vec<T>; 3],
    /// What a row without a neighbour reads.
    zeros: Vec<T>,
}

impl<T: Real> IncompleteCholesky<T> {
    /// Factors a system's matrix, with the share τ of lost fill taken off the diagonal: 0 for IC(0),
    /// [`MODIFIED`] for MIC(0). Sweeps go along `rows`, which hold all of the liquid.
    pub fn new<S: Real>(system: &System<S>, share: f64, rows: Vec<Range<usize>>) -> Self {
        let [x, y, z] = system.size;
        let pivots = pivots(system, share);
        let blocks = Blocks::new(system.size);
        let ordered = |value: &dyn Fn(usize) -> S| -> Vec<T> {
            let row = |place| x * blocks.row(place)..x * (blocks.row(place) + 1);
            let cells = (0..y * z).flat_map(row);
            cells
                .map(|cell| T::from_f64(value(cell).to_f64()))
                .collect()
        };
        let factor = Factor {
            size: [x, x * y],
            pivots: ordered(&|cell| pivots[cell]),
            columns: [0, 1, 2].map(|axis| ordered(&|cell| system.upper[axis][cell] * pivots[cell])),
            zeros: vec![T::ZERO; x],
            blocks,
            rows,
        };
        let result = RefCell::new(vec![T::ZERO; system.cells()]);
        Self { factor, result }
    }

    /// π of a cell.
    pub fn pivot(&self, cell: usize) -> T {
        self.factor.pivots[self.factor.place(cell)]
    }
}

impl<T: Real> Factor<T> {
    /// Where a cell is in the order of the blocks.
    fn place(&self, cell: usize) -> usize {
        let [x, _] = self.size;
        x * self.blocks.place(cell / x) + cell % x
    }

    /// Some cells of a place's row.
    fn of<'a>(&self, place: usize, values: &'a [T], range: &Range<usize>) -> &'a [T] {
        let first = self.size[0] * place;
        &values[first + range.start..first + range.end]
    }

    /// L q = r. What is sequential, along x, is kept apart from what is not, and in it what needs the
    /// cell before is but a product and a difference.
    fn forward(&self, r: &[T], q: &mut [T]) {
        let [x, layer] = self.size;
        self.blocks.sweep(Way::Forward, q, |row, q| {
            let number = self.blocks.row(row.place);
            let range = self.rows[number].clone();
            let r = &r[layer + x * number..][range.clone()];
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
        self.blocks.sweep(Way::Backward, z, |row, z| {
            let range = self.rows[self.blocks.row(row.place)].clone();
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
}

impl<T: Real> Operator<BoxSpace<T>> for IncompleteCholesky<T> {
    fn apply(&self, space: &BoxSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        space.check(&[r, z])?;
        let Self { factor, result } = self;
        let mut result = result.borrow_mut();
        factor.forward(r, &mut result);
        factor.backward(&mut result);
        let ([_, layer], result) = (factor.size, &result[..]);
        space.sweep(z, Some(r), |z, cells| {
            z.copy_from_slice(&result[factor.place(cells.start - layer)..][..cells.len()]);
            dot(z, &r[cells])
        });
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
