//! Preconditioned conjugate gradients on the CPU, the paper's opponent: with the diagonal, or with incomplete
//! Cholesky, IC(0), or the modified one, MIC(0).
//!
//! The paper's CPU took 32.0 s with the diagonal preconditioner and 16.5 s with incomplete Cholesky,
//! its faster GPU 10.3 s. Here both are plain loops on all cores.
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

use crate::parallel::each;
use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Operator, Real,
    conjugate_gradients,
};

use super::system::{PressureSolver, System, convert};

/// Cells of a factorisation's sweeps. Vectors always cover the whole box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The whole box, as on the GPU.
    Box,
    /// In each row along x, the cells from the first to the last in the liquid.
    Liquid,
}

impl Extent {
    /// The cells of each row j + ny k.
    pub fn rows<T: Real>(self, system: &System<T>) -> Vec<Range<usize>> {
        let range = |row: &[T]| {
            let is_swept = |&a: &T| self == Self::Box || a != T::ZERO;
            let first = row.iter().position(is_swept).unwrap_or(0);
            first..row.iter().rposition(is_swept).map_or(0, |last| last + 1)
        };
        let rows = system.diagonal.chunks(system.size[0].max(1));
        rows.map(range).collect()
    }
}

/// Preconditioner of conjugate gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Preconditioner {
    /// No preconditioner.
    None,
    /// The inverse diagonal, as on the paper's GPU.
    Diagonal,
    /// Incomplete Cholesky, only on the CPU.
    Ic,
    /// Modified incomplete Cholesky, only on the CPU.
    Mic,
}

/// Creates a solver on all cores, in the precision `T`.
pub fn host_solver<T: Real>(kind: Preconditioner, extent: Extent) -> impl PressureSolver {
    move |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
        LengthMismatch::check(system.cells(), pressure)?;
        system.confine(pressure);
        let space = HostSpace::new(system.cells());
        let matrix = system.map(|entry| T::from_f64(entry));
        let factored = |share| {
            let rows = extent.rows(system);
            Box::new(IncompleteCholesky::<T>::new(system, share, rows))
        };
        let diagonal = || DiagonalPreconditioner::of_diagonal(&matrix.diagonal);
        let preconditioner: Option<Box<dyn Operator<HostSpace<T>>>> = match kind {
            Preconditioner::None => None,
            Preconditioner::Diagonal => Some(Box::new(diagonal())),
            Preconditioner::Ic => Some(factored(0.0)),
            Preconditioner::Mic => Some(factored(MODIFIED)),
        };
        let mut x = convert(pressure);
        let preconditioner = preconditioner.as_deref();
        let outcome = conjugate_gradients(
            &space,
            &matrix,
            preconditioner,
            &matrix.right_side,
            &mut x,
            criteria,
            |_| {},
        )?;
        *pressure = convert(&x);
        Ok(outcome)
    }
}

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

// The order of a triangular solve on several cores: a cell depends on the cells before it in x, y and z. Rows along
// x are swept in order; rows are combined to blocks of a few in y and z, and blocks whose numbers (J, K) have the
// same sum, a *wave*, are independent of each other.

/// Rows of a block in y and in z: enough to outweigh the cost of a wave, and few enough for some thirty blocks in
/// the longest wave of 256 rows.
const SIDE: usize = 8;

/// Direction of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the first row to the last.
    Forward,
    /// From the last row to the first.
    Backward,
}

/// The rows of a block still to be computed, and the finished ones, with their numbers.
type Block<'a, T> = (Vec<(usize, &'a mut [T])>, Vec<(usize, &'a [T])>);

/// Computes all rows of the cells `x` of a box nx, ny, nz, each from its neighbours before it in y and z,
/// or, backwards, after it: `compute` receives the row's number j + ny k, these neighbours (empty if
/// there are none), and the row.
pub fn sweep<T: Real>(
    [nx, ny, nz]: [usize; 3],
    way: Way,
    x: &mut [T],
    compute: impl Fn(usize, [&[T]; 2], &mut [T]) + Sync,
) {
    let mut rows: Vec<&mut [T]> = x.chunks_mut(nx.max(1)).collect();
    let last = rows.len().saturating_sub(1);
    // Backwards the last row is the first one; everything else is the same.
    if way == Way::Backward {
        rows.reverse();
    }
    let number = |row: usize| match way {
        Way::Forward => row,
        Way::Backward => last - row,
    };
    let mut finished: Vec<&[T]> = vec![&[]; rows.len()];
    let [across, deep] = [ny, nz].map(|rows| rows.div_ceil(SIDE));
    for wave in 0..(across + deep).saturating_sub(1) {
        let numbers = (0..across).filter(|&j| j <= wave && wave - j < deep);
        let blocks = numbers.map(|j| {
            let [y, z] = [(j, ny), (wave - j, nz)]
                .map(|(block, count)| SIDE * block..count.min(SIDE * (block + 1)));
            let rows_of_block = z.flat_map(move |k| y.clone().map(move |j| j + ny * k));
            let taken = rows_of_block.map(|row| (row, std::mem::take(&mut rows[row])));
            (taken.collect(), Vec::new())
        });
        let mut blocks: Vec<Block<'_, T>> = blocks.collect();
        each(&mut blocks, &|_, (block, own)| {
            own.reserve(block.len());
            for (row, cells) in block.drain(..) {
                // From this block, or from blocks of earlier waves.
                let find = |before: usize| {
                    let own = own.iter().rev().find(|(row, _)| *row == before);
                    own.map_or(finished[before], |(_, cells)| *cells)
                };
                let below = (row % ny > 0).then(|| row - 1);
                let neighbours = [below, row.checked_sub(ny)];
                let neighbours = neighbours.map(|before| before.map_or(&[][..], find));
                compute(number(row), neighbours, cells);
                own.push((row, cells));
            }
        });
        for (row, cells) in blocks.into_iter().flat_map(|(_, own)| own) {
            finished[row] = cells;
        }
    }
}
