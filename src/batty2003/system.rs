//! The linear system of a pressure projection: seven entries per row, on the whole box.
//!
//! The paper's ∇²p = ∇·u lacks Δt/ρ and is negative definite; here −∇² is on the left and −∇·u on the
//! right, so that A is symmetric and positive definite if liquid touches air. Cells outside the
//! liquid have zero rows, columns and right-hand sides.

use std::ops::Range;

use crate::base::parallel::{collect, parts};
use crate::solver::host::tree_dot;
use crate::solver::{Criteria, HostSpace, LengthMismatch, Operator, Outcome, Real};
use crate::stream::Stream;

use super::Error;

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
        Self { size, diagonal: zeros(), upper: [zeros(), zeros(), zeros()], right_side: zeros() }
    }

    /// Number of cells in the box.
    pub fn cells(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of unknowns, that is, of cells in the liquid.
    pub fn unknowns(&self) -> usize {
        self.diagonal.iter().filter(|&&a| a != T::ZERO).count()
    }

    /// Distances of a cell's neighbours at +x, +y, +z: 1, nx, nx ny.
    pub fn strides(&self) -> [usize; 3] {
        [1, self.size[0], self.size[0] * self.size[1]]
    }

    /// The cell next to one at +x, +y or +z, if it is in the box.
    pub fn after(&self, cell: usize, axis: usize) -> Option<usize> {
        let stride = self.strides()[axis];
        let is_last = cell / stride % self.size[axis] + 1 == self.size[axis];
        (!is_last).then_some(cell + stride)
    }

    /// D⁻¹ with D the diagonal, and zero outside the liquid: the preconditioner.
    pub fn inverse_diagonal(&self) -> Vec<T> {
        // Preconditioned Conjugate Gradient Method: D⁻¹, the diagonal preconditioner
        let inverse = |&own: &T| if own == T::ZERO { own } else { T::ONE / own };
        self.diagonal.iter().map(inverse).collect()
    }

    /// Sets values outside the liquid to zero.
    pub fn confine(&self, pressure: &mut [f64]) {
        for (pressure, own) in pressure.iter_mut().zip(&self.diagonal) {
            if *own == T::ZERO {
                *pressure = 0.0;
            }
        }
    }

    /// y ← A x
    pub fn product(&self, x: &[T], y: &mut [T]) {
        parts(y, 1 << 12, &|first, y| {
            self.product_of(first..first + y.len(), x, y);
        });
    }

    /// Product for consecutive cells, which are all that `y` holds. Terms are added in the order of
    /// the paper's listing: centre, ±y, ±z, ±x.
    fn product_of(&self, cells: Range<usize>, x: &[T], y: &mut [T]) {
        let own = self.diagonal[cells.clone()].iter().zip(&x[cells.clone()]);
        for (y, (&a, &x)) in y.iter_mut().zip(own) {
            *y = a * x;
        }
        let [stride_x, stride_y, stride_z] = self.strides();
        // GPU Algorithm Implementation, septdiagmul: y ← y + a₊ x₊ + a₋ x₋, at ±y, ±z, ±x
        for (axis, stride) in [(1, stride_y), (2, stride_z), (0, stride_x)] {
            let upper = &self.upper[axis];
            // The last cell of a direction holds a zero, and there is nothing beyond the box.
            let after = x.len().min(cells.start + stride);
            add_products(y, &upper[cells.clone()], &x[after..]);
            // Nor is there anything before the first cells.
            let first = cells.end.min(cells.start.max(stride));
            if let Some(before) = first.checked_sub(stride) {
                let y = &mut y[first - cells.start..];
                add_products(y, &upper[before..], &x[before..]);
            }
        }
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
        let residual: Vec<f64> = convert(&self.residual(x));
        tree_dot(&residual, &residual).sqrt()
    }

    /// ε ‖|A| |x|‖, the norm of the residual that rounding x to double precision leaves.
    pub fn rounding(&self, x: &[T]) -> f64 {
        let mut absolute = self.map(T::abs);
        absolute.right_side.fill(T::ZERO);
        let x: Vec<T> = x.iter().map(|x| x.abs()).collect();
        f64::EPSILON / 2.0 * absolute.residual_norm(&x)
    }

    /// Applies a conversion to all numbers of the system.
    pub fn map<U: Real>(&self, change: impl Fn(T) -> U + Sync) -> System<U> {
        let all = |values: &Vec<T>| collect(values.len(), |place| change(values[place]));
        System {
            size: self.size,
            diagonal: all(&self.diagonal),
            upper: self.upper.each_ref().map(all),
            right_side: all(&self.right_side),
        }
    }
}

/// Converts numbers to another precision.
pub fn convert<T: Real, U: Real>(values: &[T]) -> Vec<U> {
    collect(values.len(), |place| U::from_f64(values[place].to_f64()))
}

/// y ← y + a x, entry by entry, up to the shortest length.
fn add_products<T: Real>(y: &mut [T], a: &[T], x: &[T]) {
    for ((y, &a), &x) in y.iter_mut().zip(a).zip(x) {
        *y += a * x;
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

/// Solves A p = b repeatedly for systems of one size.
pub trait PressureSolver {
    /// Computes the pressure of every cell, starting from `pressure`: the previous step's (Appendix C,
    /// step 4). It is zero in cells outside the liquid. A system that cannot be solved is not an error
    /// but a reason in the outcome; `pressure` is then the best one found.
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, Error>;

    /// Its textures, with the names of their contents.
    fn streams(&self) -> Vec<(String, &Stream)> {
        Vec::new()
    }
}

impl<F> PressureSolver for F
where
    F: FnMut(&System<f64>, &mut Vec<f64>, &Criteria) -> Result<Outcome, Error>,
{
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, Error> {
        self(system, pressure, criteria)
    }
}
