//! The linear system of a pressure projection: seven entries a row, on the whole box.
//!
//! The paper's ∇²p = ∇·u lacks Δt/ρ and is negative definite; here −∇² is on the left and −∇·u on the
//! right, so that A is symmetric and positive definite wherever liquid touches air. Cells outside the
//! liquid have rows, columns and right sides of zeros.

use rayon::prelude::*;

use crate::solver::host::tree_dot;
use crate::solver::{HostSpace, LengthMismatch, Operator, Real};

/// A p = b for a box of cells, cell (i, j, k) at i + nx (j + ny k).
#[derive(Debug, Clone, PartialEq)]
pub struct System<T> {
    /// nx, ny, nz
    pub size: [usize; 3],
    /// Each cell's own entry; zero outside the liquid.
    pub diagonal: Vec<T>,
    /// Each cell's entry for its neighbour at +x, +y, +z, and so by symmetry that neighbour's for
    /// this cell. Zero across walls, and zero in the last cell of each direction.
    pub upper: [Vec<T>; 3],
    /// b
    pub right_side: Vec<T>,
}

impl<T: Real> System<T> {
    /// A system of zeros.
    pub fn zeros(size: [usize; 3]) -> Self {
        let zeros = || vec![T::ZERO; size.iter().product()];
        Self {
            size,
            diagonal: zeros(),
            upper: [zeros(), zeros(), zeros()],
            right_side: zeros(),
        }
    }

    /// How many cells the box has.
    pub fn cells(&self) -> usize {
        self.diagonal.len()
    }

    /// How many of them are unknown: those in the liquid.
    pub fn unknowns(&self) -> usize {
        self.diagonal.iter().filter(|&&a| a != T::ZERO).count()
    }

    /// From a cell to its neighbour at +x, +y, +z: 1, nx, nx ny.
    pub fn strides(&self) -> [usize; 3] {
        [1, self.size[0], self.size[0] * self.size[1]]
    }

    /// The cell next to one at +x, +y or +z, if the box has it.
    pub fn after(&self, cell: usize, axis: usize) -> Option<usize> {
        let stride = self.strides()[axis];
        let is_last = cell / stride % self.size[axis] + 1 == self.size[axis];
        (!is_last).then_some(cell + stride)
    }

    /// Sets what does not lie in the liquid to zero.
    pub fn confine(&self, pressure: &mut [f64]) {
        for (pressure, own) in pressure.iter_mut().zip(&self.diagonal) {
            if *own == T::ZERO {
                *pressure = 0.0;
            }
        }
    }

    /// y ← A x. Terms are added in the order of the paper's listing: centre, ±y, ±z, ±x.
    pub fn product(&self, x: &[T], y: &mut [T]) {
        let [stride_x, stride_y, stride_z] = self.strides();
        let order = [(1, stride_y), (2, stride_z), (0, stride_x)];
        y.par_iter_mut()
            .with_min_len(1 << 12)
            .enumerate()
            .for_each(|(cell, y)| {
                let mut sum = self.diagonal[cell] * x[cell];
                for (axis, stride) in order {
                    // The last cell of a direction holds a zero, and what lies behind the box is none.
                    if let Some(&after) = x.get(cell + stride) {
                        sum += self.upper[axis][cell] * after;
                    }
                    if let Some(before) = cell.checked_sub(stride) {
                        sum += self.upper[axis][before] * x[before];
                    }
                }
                *y = sum;
            });
    }

    /// b − A x
    pub fn residual(&self, x: &[T]) -> Vec<T> {
        let mut residual = vec![T::ZERO; x.len()];
        self.product(x, &mut residual);
        let pairs = residual.iter_mut().zip(&self.right_side);
        pairs.for_each(|(r, &b)| *r = b - *r);
        residual
    }

    /// ‖b − A x‖₂, summed in double precision.
    pub fn residual_norm(&self, x: &[T]) -> f64 {
        let residual: Vec<f64> = self.residual(x).into_iter().map(T::to_f64).collect();
        tree_dot(&residual, &residual).sqrt()
    }

    /// ε ‖|A| |x|‖, the norm of the residual that rounding x to double precision leaves.
    pub fn rounding(&self, x: &[T]) -> f64 {
        let absolute = |values: &[T]| -> Vec<T> { values.iter().map(|v| v.abs()).collect() };
        let system = Self {
            size: self.size,
            diagonal: absolute(&self.diagonal),
            upper: [0, 1, 2].map(|axis| absolute(&self.upper[axis])),
            right_side: vec![T::ZERO; x.len()],
        };
        f64::EPSILON / 2.0 * system.residual_norm(&absolute(x))
    }

    /// The same system in another precision.
    pub fn convert<U: Real>(&self) -> System<U> {
        let convert = |values: &Vec<T>| values.iter().map(|v| U::from_f64(v.to_f64())).collect();
        System {
            size: self.size,
            diagonal: convert(&self.diagonal),
            upper: [0, 1, 2].map(|axis| convert(&self.upper[axis])),
            right_side: convert(&self.right_side),
        }
    }
}

impl<T: Real> Operator<HostSpace<T>> for System<T> {
    fn apply(
        &self,
        _space: &HostSpace<T>,
        x: &Vec<T>,
        y: &mut Vec<T>,
    ) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.cells(), x)?;
        LengthMismatch::check(self.cells(), y)?;
        self.product(x, y);
        Ok(())
    }
}
