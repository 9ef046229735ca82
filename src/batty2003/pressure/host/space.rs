//! Vectors on the cells of a box, for a CPU.
//!
//! What takes the time is to bring vectors in from memory, so whatever sweeps over one takes the
//! inner product along that conjugate gradients are going to ask for next: of what was written with
//! itself, or, of a matrix or a preconditioner, with what was read.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;

use rayon::prelude::*;

use crate::batty2003::pressure::System;
use crate::solver::{LengthMismatch, Operator, Real, VectorSpace};
use crate::timing::cpu::dot;

use super::incomplete_cholesky::IncompleteCholesky;
use super::rows::Rows;

/// A vector, with a layer of zeros below the box and one above it, so that every cell has neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Padded<T> {
    values: Vec<T>,
    layer: usize,
}

impl<T: Real> Padded<T> {
    /// Zeros, for a box of this size.
    pub fn zeros([x, y, z]: [usize; 3]) -> Self {
        Self {
            values: vec![T::ZERO; x * y * (z + 2)],
            layer: x * y,
        }
    }

    /// The numbers of the cells, in this precision.
    pub fn rounded(size: [usize; 3], cells: &[f64]) -> Self {
        let mut padded = Self::zeros(size);
        let to = padded.cells_mut().par_iter_mut().with_min_len(1 << 12);
        to.zip(cells)
            .for_each(|(to, from)| *to = T::from_f64(*from));
        padded
    }

    /// The cells.
    pub fn cells(&self) -> &[T] {
        &self.values[self.layer..self.values.len() - self.layer]
    }

    /// The cells, to be changed.
    pub fn cells_mut(&mut self) -> &mut [T] {
        let end = self.values.len() - self.layer;
        &mut self.values[self.layer..end]
    }

    /// Some cells.
    fn at(&self, cells: &Range<usize>) -> &[T] {
        &self.values[cells.start + self.layer..cells.end + self.layer]
    }

    /// As many cells a stride later.
    fn after(&self, cells: &Range<usize>, stride: usize) -> &[T] {
        self.at(&(cells.start + stride..cells.end + stride))
    }

    /// As many cells a stride, which is no longer than a layer, earlier.
    fn before(&self, cells: &Range<usize>, stride: usize) -> &[T] {
        let first = cells.start + self.layer - stride;
        &self.values[first..first + cells.len()]
    }

    fn address(&self) -> usize {
        self.values.as_ptr() as usize
    }
}

/// The space of [`Padded`] vectors, swept where [`Rows`] say. It is made for one solve: a vector that is
/// changed by others than the space makes what it knows wrong.
#[derive(Debug)]
pub struct RowSpace<T> {
    rows: Rows,
    /// The last sweep's inner product, and whose it is.
    known: Cell<Option<([usize; 2], f64)>>,
    precision: PhantomData<T>,
}

impl<T: Real> RowSpace<T> {
    /// Vectors on these rows.
    pub fn new(rows: Rows) -> Self {
        Self {
            rows,
            known: Cell::new(None),
            precision: PhantomData,
        }
    }

    /// y ← what `sweep` makes of each row's cells, given their numbers. It returns what the row adds
    /// to the inner product of `y` with `x`, or, if that is not given, with itself.
    fn sweep(
        &self,
        y: &mut Padded<T>,
        x: Option<&Padded<T>>,
        sweep: impl Fn(&mut [T], Range<usize>) -> T + Sync,
    ) {
        let product = self.rows.sweep(y.cells_mut(), sweep);
        self.know(y, x.unwrap_or(y), product);
    }

    /// y_i ← f(y_i, x_i)
    fn update(
        &self,
        y: &mut Padded<T>,
        x: &Padded<T>,
        f: impl Fn(T, T) -> T + Sync,
    ) -> Result<(), LengthMismatch> {
        self.check(&[x, y])?;
        self.sweep(y, None, |y, cells| {
            for (y, &x) in y.iter_mut().zip(x.at(&cells)) {
                *y = f(*y, x);
            }
            dot(y, y)
        });
        Ok(())
    }

    fn know(&self, x: &Padded<T>, y: &Padded<T>, product: f64) {
        self.known.set(Some(([x.address(), y.address()], product)));
    }

    fn check(&self, vectors: &[&Padded<T>]) -> Result<(), LengthMismatch> {
        let expected = self.rows.cells();
        vectors.iter().try_for_each(|vector| {
            let found = vector.cells().len();
            let fits = found == expected && vector.layer == self.rows.layer();
            (fits.then_some(())).ok_or(LengthMismatch { expected, found })
        })
    }
}

impl<T: Real> VectorSpace for RowSpace<T> {
    type Vector = Padded<T>;
    type Error = LengthMismatch;

    fn zeros(&self) -> Result<Padded<T>, LengthMismatch> {
        Ok(Padded::zeros(self.rows.size()))
    }

    fn copy(&self, from: &Padded<T>, to: &mut Padded<T>) -> Result<(), LengthMismatch> {
        self.update(to, from, |_, x| x)
    }

    fn axpy(&self, y: &mut Padded<T>, alpha: f64, x: &Padded<T>) -> Result<(), LengthMismatch> {
        let alpha = T::from_f64(alpha);
        self.update(y, x, |y, x| y + alpha * x)
    }

    fn xpby(&self, y: &mut Padded<T>, beta: f64, x: &Padded<T>) -> Result<(), LengthMismatch> {
        let beta = T::from_f64(beta);
        self.update(y, x, |y, x| x + beta * y)
    }

    fn subtract(
        &self,
        x: &Padded<T>,
        y: &Padded<T>,
        z: &mut Padded<T>,
    ) -> Result<(), LengthMismatch> {
        self.check(&[x, y, z])?;
        self.sweep(z, None, |z, cells| {
            for ((z, &x), &y) in z.iter_mut().zip(x.at(&cells)).zip(y.at(&cells)) {
                *z = x - y;
            }
            dot(z, z)
        });
        Ok(())
    }

    fn dot(&self, x: &Padded<T>, y: &Padded<T>) -> Result<f64, LengthMismatch> {
        self.check(&[x, y])?;
        let [x_at, y_at] = [x.address(), y.address()];
        match self.known.get() {
            Some((of, product)) if of == [x_at, y_at] || of == [y_at, x_at] => Ok(product),
            _ => Ok(self.rows.sum(|cells| dot(x.at(&cells), y.at(&cells)))),
        }
    }
}

/// A, in one precision.
#[derive(Debug)]
pub struct Matrix<T> {
    size: [usize; 3],
    diagonal: Padded<T>,
    upper: [Padded<T>; 3],
}

impl<T: Real> Matrix<T> {
    /// Of a system.
    pub fn new(system: &System<f64>) -> Self {
        let rounded = |entries: &[f64]| Padded::rounded(system.size, entries);
        Self {
            size: system.size,
            diagonal: rounded(&system.diagonal),
            upper: [0, 1, 2].map(|axis| rounded(&system.upper[axis])),
        }
    }
}

impl<T: Real> Operator<RowSpace<T>> for Matrix<T> {
    fn apply(
        &self,
        space: &RowSpace<T>,
        x: &Padded<T>,
        y: &mut Padded<T>,
    ) -> Result<(), LengthMismatch> {
        space.check(&[x, y, &self.diagonal])?;
        let strides = [1, self.size[0], self.size[0] * self.size[1]];
        space.sweep(y, Some(x), |y, cells| {
            let terms = self.diagonal.at(&cells).iter().zip(x.at(&cells));
            for (y, (&a, &x)) in y.iter_mut().zip(terms) {
                *y = a * x;
            }
            for (upper, stride) in self.upper.iter().zip(strides) {
                add_products(y, upper.at(&cells), x.after(&cells, stride));
                add_products(y, upper.before(&cells, stride), x.before(&cells, stride));
            }
            dot(y, x.at(&cells))
        });
        Ok(())
    }
}

/// y ← y + a x, entry by entry.
fn add_products<T: Real>(y: &mut [T], a: &[T], x: &[T]) {
    for ((y, &a), &x) in y.iter_mut().zip(a).zip(x) {
        *y += a * x;
    }
}

/// D⁻¹, and 0 where D is.
#[derive(Debug)]
pub struct InverseDiagonal<T>(Padded<T>);

impl<T: Real> InverseDiagonal<T> {
    /// Of a matrix.
    pub fn new(matrix: &Matrix<T>) -> Self {
        let mut inverse = matrix.diagonal.clone();
        let entries = inverse.cells_mut().par_iter_mut().with_min_len(1 << 12);
        let unknown = entries.filter(|a| **a != T::ZERO);
        unknown.for_each(|a| *a = T::ONE / *a);
        Self(inverse)
    }
}

impl<T: Real> Operator<RowSpace<T>> for InverseDiagonal<T> {
    fn apply(
        &self,
        space: &RowSpace<T>,
        r: &Padded<T>,
        z: &mut Padded<T>,
    ) -> Result<(), LengthMismatch> {
        space.check(&[r, z, &self.0])?;
        space.sweep(z, Some(r), |z, cells| {
            let r = r.at(&cells);
            for ((z, &inverse), &r) in z.iter_mut().zip(self.0.at(&cells)).zip(r) {
                *z = inverse * r;
            }
            dot(z, r)
        });
        Ok(())
    }
}

impl<T: Real> Operator<RowSpace<T>> for IncompleteCholesky<T> {
    fn apply(
        &self,
        space: &RowSpace<T>,
        r: &Padded<T>,
        z: &mut Padded<T>,
    ) -> Result<(), LengthMismatch> {
        space.check(&[r, z])?;
        self.solve(r.cells(), |found| {
            space.sweep(z, Some(r), |z, cells| {
                z.copy_from_slice(found.cells(&cells));
                dot(z, r.at(&cells))
            });
        });
        Ok(())
    }
}
