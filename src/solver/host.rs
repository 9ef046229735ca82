//! Vectors in main memory: with `f64` the exact reference, with `f32` the reference of the texture space.

use thiserror::Error;

use crate::base::error::WithKind;
use crate::base::parallel::parts;

use super::real::Real;
use super::space::VectorSpace;

/// Below this number of elements threads cost more than they save.
pub(super) const PARALLEL_FROM: usize = 1 << 15;

/// Products that [`tree_dot`] sums without recursion.
const LEAF: usize = 16;

/// A vector does not have the length of its space or matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a vector has length {found} instead of {expected}. Check b and x")]
pub struct LengthMismatch {
    /// Required length.
    pub expected: usize,
    /// Given length.
    pub found: usize,
}

impl WithKind for LengthMismatch {}

impl LengthMismatch {
    /// An error unless `vector` has `expected` elements.
    pub(crate) fn check<T>(expected: usize, vector: &[T]) -> Result<(), LengthMismatch> {
        let found = vector.len();
        (found == expected).then_some(()).ok_or(LengthMismatch { expected, found })
    }
}

/// The space of all `Vec<T>` of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSpace<T> {
    dimension: usize,
    precision: std::marker::PhantomData<T>,
}

impl<T: Real> HostSpace<T> {
    /// The space of vectors with `dimension` elements.
    pub fn new(dimension: usize) -> Self {
        HostSpace { dimension, precision: std::marker::PhantomData }
    }

    fn check(&self, vectors: &[&[T]]) -> Result<(), LengthMismatch> {
        vectors.iter().try_for_each(|vector| LengthMismatch::check(self.dimension, vector))
    }
}

impl<T: Real> VectorSpace for HostSpace<T> {
    type Vector = Vec<T>;
    type Error = LengthMismatch;

    fn zeros(&self) -> Result<Vec<T>, LengthMismatch> {
        Ok(vec![T::ZERO; self.dimension])
    }

    fn copy(&self, from: &Vec<T>, to: &mut Vec<T>) -> Result<(), LengthMismatch> {
        self.check(&[from, to])?;
        to.copy_from_slice(from);
        Ok(())
    }

    fn axpy(&self, y: &mut Vec<T>, alpha: f64, x: &Vec<T>) -> Result<(), LengthMismatch> {
        self.check(&[x, y])?;
        let alpha = T::from_f64(alpha);
        update(y, x, |y, x| y + alpha * x);
        Ok(())
    }

    fn xpby(&self, y: &mut Vec<T>, beta: f64, x: &Vec<T>) -> Result<(), LengthMismatch> {
        self.check(&[x, y])?;
        let beta = T::from_f64(beta);
        update(y, x, |y, x| x + beta * y);
        Ok(())
    }

    fn axpby(
        &self,
        y: &mut Vec<T>,
        beta: f64,
        alpha: f64,
        x: &Vec<T>,
    ) -> Result<(), LengthMismatch> {
        self.check(&[x, y])?;
        let [alpha, beta] = [alpha, beta].map(T::from_f64);
        update(y, x, |y, x| beta * y + alpha * x);
        Ok(())
    }

    fn subtract(&self, x: &Vec<T>, y: &Vec<T>, z: &mut Vec<T>) -> Result<(), LengthMismatch> {
        self.check(&[x, y, z])?;
        parts(z, PARALLEL_FROM, &|first, z| {
            for (z, (&x, &y)) in z.iter_mut().zip(x[first..].iter().zip(&y[first..])) {
                *z = x - y;
            }
        });
        Ok(())
    }

    fn dot(&self, x: &Vec<T>, y: &Vec<T>) -> Result<f64, LengthMismatch> {
        self.check(&[x, y])?;
        Ok(tree_dot(x, y).to_f64())
    }
}

/// y_i ← f(y_i, x_i)
fn update<T: Real>(y: &mut [T], x: &[T], f: impl Fn(T, T) -> T + Sync) {
    parts(y, PARALLEL_FROM, &|first, y| {
        for (y, &x) in y.iter_mut().zip(&x[first..]) {
            *y = f(*y, x);
        }
    });
}

/// The inner product, summed as a reduction in textures sums it: neighbours in pairs, then the sums in pairs,
/// down to one number, all in the precision of `T`.
///
/// The rounding error grows with log₂ n instead of n. The tree depends only on the length, so the result does
/// not depend on the number of threads. `x` and `y` must have the same length.
pub(crate) fn tree_dot<T: Real>(x: &[T], y: &[T]) -> T {
    match (x, y) {
        ([], _) | (_, []) => T::ZERO,
        ([x0], [y0, ..]) => *x0 * *y0,
        ([x0, x1], [y0, y1, ..]) => *x0 * *y0 + *x1 * *y1,
        (x, y) if x.len() == LEAF && y.len() >= LEAF => {
            // The same tree as below, without the calls.
            let mut sums: [T; LEAF] = std::array::from_fn(|place| x[place] * y[place]);
            for width in [8, 4, 2, 1] {
                (0..width).for_each(|place| sums[place] = sums[2 * place] + sums[2 * place + 1]);
            }
            sums[0]
        }
        _ => {
            // The left subtree is full: the largest power of two below the length.
            let half = x.len().next_power_of_two() / 2;
            let ((x0, x1), (y0, y1)) = (x.split_at(half), y.split_at(half));
            let (left, right) = if half >= PARALLEL_FROM {
                rayon::join(|| tree_dot(x0, y0), || tree_dot(x1, y1))
            } else {
                (tree_dot(x0, y0), tree_dot(x1, y1))
            };
            left + right
        }
    }
}
