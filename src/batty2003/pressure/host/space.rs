//! Vectors on the cells of a box, for a CPU.
//!
//! What takes the time is to bring vectors in from memory, so whatever sweeps over one takes the
//! inner product along that conjugate gradients are going to ask for next: of what was written with
//! itself, or, of a matrix or a preconditioner, with what was read.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;

use crate::batty2003::pressure::System;
use crate::parallel::each;
use crate::solver::{LengthMismatch, Operator, Real, VectorSpace};
use crate::timing::cpu::dot;

/// Which cells are swept over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The whole box, as the card does.
    Box,
    /// Of each row along x what lies in the liquid, and between.
    Liquid,
}

impl Extent {
    /// The places in each row j + ny k.
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

/// The vectors of a box. The space is made for one solve: a vector that is changed behind its back makes
/// what it knows wrong.
#[derive(Debug)]
pub struct BoxSpace<T> {
    layer: usize,
    cells: usize,
    /// Of each layer the rows that are not empty, as places in a vector.
    rows: Vec<Vec<Range<usize>>>,
    /// The last sweep's inner product, and whose it is.
    known: Cell<Option<([usize; 2], f64)>>,
    precision: PhantomData<T>,
}

impl<T: Real> BoxSpace<T> {
    /// Of a box nx, ny, nz, where these places of each row are swept.
    pub fn new([x, y, z]: [usize; 3], rows: &[Range<usize>]) -> Self {
        let rows = rows.iter().enumerate();
        let rows = rows.map(|(row, range)| x * row + range.start..x * row + range.end);
        let rows: Vec<Range<usize>> = rows.collect();
        let filled = |rows: &[Range<usize>]| {
            let filled = rows.iter().filter(|row| !row.is_empty());
            filled.cloned().collect()
        };
        Self {
            layer: x * y,
            cells: x * y * z,
            rows: rows.chunks(y.max(1)).map(filled).collect(),
            known: Cell::new(None),
            precision: PhantomData,
        }
    }

    /// Lets go of what is known of a vector that others than the space change.
    pub(super) fn forget(&self) {
        self.known.set(None);
    }

    /// y ← what `sweep` makes of each row's cells, given their places. It returns what the row adds
    /// to the inner product of `y` with `x`, or, if that is not given, with itself.
    fn sweep(
        &self,
        y: &mut [T],
        x: Option<&[T]>,
        sweep: impl Fn(&mut [T], Range<usize>) -> T + Sync,
    ) {
        let (layer, rows) = (self.layer, &self.rows);
        let layers = y.chunks_mut(layer.max(1));
        let mut layers: Vec<(&mut [T], f64)> = layers.map(|layer| (layer, 0.0)).collect();
        each(&mut layers, &|k, (y, sum)| {
            let first = layer * k;
            let row = |cells: &Range<usize>| {
                let y = &mut y[cells.start - first..cells.end - first];
                sweep(y, cells.clone()).to_f64()
            };
            *sum = rows[k].iter().map(row).sum();
        });
        // Summed in one order, whatever the number of threads.
        let product = layers.iter().map(|(_, sum)| sum).sum();
        let y = y.as_ptr() as usize;
        let x = x.map_or(y, |x| x.as_ptr() as usize);
        self.known.set(Some(([x, y], product)));
    }

    /// y_i ← f(y_i, x_i)
    fn update(
        &self,
        y: &mut [T],
        x: &[T],
        f: impl Fn(T, T) -> T + Sync,
    ) -> Result<(), LengthMismatch> {
        self.check(&[x, y])?;
        self.sweep(y, None, |y, cells| {
            for (y, &x) in y.iter_mut().zip(&x[cells]) {
                *y = f(*y, x);
            }
            dot(y, y)
        });
        Ok(())
    }

    pub(super) fn check(&self, vectors: &[&[T]]) -> Result<(), LengthMismatch> {
        let mut vectors = vectors.iter();
        vectors.try_for_each(|vector| LengthMismatch::check(self.cells, vector))
    }
}

impl<T: Real> VectorSpace for BoxSpace<T> {
    type Vector = Vec<T>;
    type Error = LengthMismatch;

    fn zeros(&self) -> Result<Vec<T>, LengthMismatch> {
        Ok(vec![T::ZERO; self.cells])
    }

    fn copy(&self, from: &Vec<T>, to: &mut Vec<T>) -> Result<(), LengthMismatch> {
        self.update(to, from, |_, x| x)
    }

    fn axpy(&self, y: &mut Vec<T>, alpha: f64, x: &Vec<T>) -> Result<(), LengthMismatch> {
        let alpha = T::from_f64(alpha);
        self.update(y, x, |y, x| y + alpha * x)
    }

    fn xpby(&self, y: &mut Vec<T>, beta: f64, x: &Vec<T>) -> Result<(), LengthMismatch> {
        let beta = T::from_f64(beta);
        self.update(y, x, |y, x| x + beta * y)
    }

    fn subtract(&self, x: &Vec<T>, y: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        self.check(&[x, y, z])?;
        self.sweep(z, None, |z, cells| {
            for ((z, &x), &y) in z.iter_mut().zip(&x[cells.clone()]).zip(&y[cells]) {
                *z = x - y;
            }
            dot(z, z)
        });
        Ok(())
    }

    fn dot(&self, x: &Vec<T>, y: &Vec<T>) -> Result<f64, LengthMismatch> {
        self.check(&[x, y])?;
        let [x_at, y_at] = [x, y].map(|vector| vector.as_ptr() as usize);
        match self.known.get() {
            Some((of, product)) if of == [x_at, y_at] || of == [y_at, x_at] => Ok(product),
            _ => {
                let row = |cells: &Range<usize>| dot(&x[cells.clone()], &y[cells.clone()]).to_f64();
                let rows = &self.rows;
                let mut sums = vec![0.0_f64; rows.len()];
                each(&mut sums, &|k, sum| *sum = rows[k].iter().map(row).sum());
                Ok(sums.iter().sum())
            }
        }
    }
}

impl<T: Real> Operator<BoxSpace<T>> for System<T> {
    fn apply(&self, space: &BoxSpace<T>, x: &Vec<T>, y: &mut Vec<T>) -> Result<(), LengthMismatch> {
        space.check(&[x, y, &self.diagonal])?;
        space.sweep(y, Some(x), |y, cells| {
            self.product_of(cells.clone(), x, y);
            dot(y, &x[cells])
        });
        Ok(())
    }
}

/// The inverse of the diagonal.
#[derive(Debug)]
pub struct InverseDiagonal<T>(pub Vec<T>);

impl<T: Real> Operator<BoxSpace<T>> for InverseDiagonal<T> {
    fn apply(&self, space: &BoxSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        space.check(&[r, z, &self.0])?;
        space.sweep(z, Some(r), |z, cells| {
            let r = &r[cells.clone()];
            for ((z, &inverse), &r) in z.iter_mut().zip(&self.0[cells]).zip(r) {
                *z = inverse * r;
            }
            dot(z, r)
        });
        Ok(())
    }
}
