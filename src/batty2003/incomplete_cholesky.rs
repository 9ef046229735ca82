//! Preconditioned conjugate gradients on the CPU, the paper's opponent: with the diagonal, or with incomplete
//! Cholesky, IC(0), or the modified one, MIC(0).
//!
//! The paper's CPU took 32.0 s with the diagonal preconditioner and 16.5 s with incomplete Cholesky,
//! its faster GPU 10.3 s. Here both are plain loops: vectors and the matrix on all cores, the triangular solves on one.
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

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Operator, Real,
    conjugate_gradients,
};

use super::system::{PressureSolver, System, convert};

/// Preconditioner of conjugate gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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

/// Creates a solver in the precision `T`.
pub fn host_solver<T: Real>(kind: Preconditioner) -> impl PressureSolver {
    move |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
        LengthMismatch::check(system.cells(), pressure)?;
        system.confine(pressure);
        let space = HostSpace::new(system.cells());
        let matrix = system.map(|entry| T::from_f64(entry));
        let factored = |share| Box::new(IncompleteCholesky::<T>::new(system, share));
        let diagonal = || DiagonalPreconditioner::of_diagonal(&matrix.diagonal);
        // Preconditioned Conjugate Gradient Method: M = D, or M = L Lᵀ (the CPU's)
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
    /// Distances of a cell's neighbours at +x, +y, +z.
    strides: [usize; 3],
    /// π of every cell, zero outside the liquid.
    pivots: Vec<T>,
    /// A_m π_m of every cell m for its neighbours at +x, +y, +z.
    columns: [Vec<T>; 3],
}

impl<T: Real> IncompleteCholesky<T> {
    /// Factors a system's matrix, subtracting the share τ of dropped fill from the diagonal: 0 for IC(0),
    /// [`MODIFIED`] for MIC(0).
    pub fn new<S: Real>(system: &System<S>, share: f64) -> Self {
        let pivots = pivots(system, share);
        let rounded = |value: S| T::from_f64(value.to_f64());
        let column = |axis: usize| {
            let entries = system.upper[axis].iter().zip(&pivots);
            entries.map(|(&entry, &pivot)| rounded(entry * pivot)).collect()
        };
        Self {
            strides: system.strides(),
            columns: [0, 1, 2].map(column),
            pivots: pivots.iter().map(|&pivot| rounded(pivot)).collect(),
        }
    }

    /// L q = r, where q holds r at first.
    fn forward(&self, q: &mut [T]) {
        for (cell, &pivot) in self.pivots.iter().enumerate() {
            if pivot != T::ZERO {
                let mut rest = q[cell];
                for (column, &stride) in self.columns.iter().zip(&self.strides) {
                    if let Some(before) = cell.checked_sub(stride) {
                        rest -= column[before] * q[before];
                    }
                }
                q[cell] = rest * pivot;
            }
        }
    }

    /// Lᵀ z = q, where z holds q at first.
    fn backward(&self, z: &mut [T]) {
        for (cell, &pivot) in self.pivots.iter().enumerate().rev() {
            if pivot != T::ZERO {
                let mut rest = z[cell];
                for (column, &stride) in self.columns.iter().zip(&self.strides) {
                    if let Some(&after) = z.get(cell + stride) {
                        rest -= column[cell] * after;
                    }
                }
                z[cell] = rest * pivot;
            }
        }
    }
}

impl<T: Real> Operator<HostSpace<T>> for IncompleteCholesky<T> {
    fn apply(&self, _: &HostSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.pivots.len(), r)?;
        LengthMismatch::check(self.pivots.len(), z)?;
        for ((z, &r), &pivot) in z.iter_mut().zip(r).zip(&self.pivots) {
            *z = if pivot == T::ZERO { pivot } else { r };
        }
        self.forward(z);
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
