//! The kernels on the CPU, the same arithmetic in the same order, generic over the precision.
//!
//! The products by columns and by vertices sum each row from its first column to its last: their
//! twin is [`crate::solver::Csr::multiply`].

use crate::solver::{Operation, Real};
use crate::stream::Reduce;

use super::matrices::diagonals::Diagonals;
use super::solvers::gauss_seidel::Splitting;

/// `vector_op.frag`: (α x) op (β y), entry by entry.
pub fn combine<T: Real>(op: Operation, (alpha, x): (T, &[T]), (beta, y): (T, &[T])) -> Vec<T> {
    let entry = |(&x, &y)| match op {
        Operation::Add => alpha * x + beta * y,
        Operation::Subtract => alpha * x - beta * y,
        Operation::Multiply => (alpha * x) * (beta * y),
    };
    x.iter().zip(y).map(entry).collect()
}

/// `scale.frag`: α x.
pub fn scale<T: Real>(alpha: T, x: &[T]) -> Vec<T> {
    x.iter().map(|&x| alpha * x).collect()
}

/// `pad.frag`: the entries, and an operator's neutral element up to the capacity of their texture.
pub fn pad<T: Real>(x: &[T], identity: T, capacity: usize) -> Vec<T> {
    let mut padded = x.to_vec();
    padded.resize(capacity, identity);
    padded
}

/// `reduce.frag`, pass by pass: the records of a texture of this size, one entry each, combined in
/// blocks of two by two. What is missing at odd edges is left out, as the neutral element is.
///
/// # Panics
/// If there are not width times height records, or none.
pub fn reduce<T: Real>(op: Reduce, x: &[T], (width, height): (usize, usize)) -> T {
    assert_eq!(x.len(), width * height, "one record a texel");
    let combine = |a: T, b: T| match op {
        Reduce::Sum => a + b,
        Reduce::AbsoluteSum => a.abs() + b.abs(),
        Reduce::Maximum => a.max(b),
        Reduce::Minimum => a.min(b),
        Reduce::Product => a * b,
    };
    let (mut x, mut width, mut height) = (x.to_vec(), width, height);
    while x.len() > 1 {
        let halved = (width.div_ceil(2), height.div_ceil(2));
        let block = |index: usize| {
            let (left, bottom) = (2 * (index % halved.0), 2 * (index / halved.0));
            [(0, 0), (1, 0), (0, 1), (1, 1)]
                .into_iter()
                .map(|(right, up)| (left + right, bottom + up))
                .filter(|&(column, row)| column < width && row < height)
                .map(|(column, row)| x[row * width + column])
                .reduce(combine)
                .expect("the first of a block is inside")
        };
        x = (0..halved.0 * halved.1).map(block).collect();
        (width, height) = halved;
    }
    match op {
        Reduce::AbsoluteSum => x[0].abs(),
        _ => x[0],
    }
}

/// `diagonals.frag`: A x or its transpose from diagonals, so many in a pass. `x` and the result have
/// the length of the diagonals.
///
/// # Panics
/// If x is shorter.
pub fn diagonals<T: Real>(
    matrix: &Diagonals<T>,
    a_pass: usize,
    transposed: bool,
    x: &[T],
) -> Vec<T> {
    let n = matrix.order;
    let stored: Vec<(usize, &Vec<T>)> = matrix.entries.iter().map(|(&i, d)| (i, d)).collect();
    let row = |j: usize| {
        let term = |&(i, d): &(usize, &Vec<T>)| {
            if transposed {
                let from = (j + n - i) % n;
                d[from] * x[from]
            } else {
                d[j] * x[(i + j) % n]
            }
        };
        stored.chunks(a_pass).fold(T::ZERO, |before, pass| {
            let first = term(&pass[0]) + before;
            pass[1..].iter().map(term).fold(first, |sum, t| sum + t)
        })
    };
    (0..n).map(row).collect()
}

/// A Gauss–Seidel sweep by columns: x ← c − D⁻¹U x, then x_i ← x_i − (D⁻¹L)_ij x_j column by column.
/// `scaled` is c = D⁻¹b.
///
/// # Panics
/// If the vectors are shorter than the matrix.
pub fn gauss_seidel_sweep<T: Real>(matrix: &Splitting<T>, scaled: &[T], x: &mut [T]) {
    let old = x.to_vec();
    for (i, x) in x.iter_mut().enumerate() {
        let product = matrix
            .upper
            .row(i)
            .fold(T::ZERO, |sum, (j, u)| sum - u * old[j]);
        *x = product + scaled[i];
    }
    for j in 0..x.len() {
        for (i, l) in matrix.lower_columns.row(j) {
            let known = x[j];
            x[i] -= l * known;
        }
    }
}

/// `pivot.frag` and `lu_step.frag`, step by step, with partial pivoting: a dense matrix of order n, row by
/// row, becomes its factors; the row of the matrix that stands in each row of them.
///
/// # Panics
/// If the matrix has not the square of n entries.
pub fn lu<T: Real>(a: &mut [T], n: usize) -> Vec<usize> {
    let mut permutation: Vec<usize> = (0..n).collect();
    for k in 0..n {
        // The first of the largest.
        let pivot = (k..n).fold(k, |best, row| {
            let is_larger = a[row * n + k].abs() > a[best * n + k].abs();
            if is_larger { row } else { best }
        });
        permutation.swap(k, pivot);
        (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            a[i * n + k] = factor;
            for j in k + 1..n {
                let above = a[k * n + j];
                a[i * n + j] -= factor * above;
            }
        }
    }
    permutation
}

/// `substitute.frag`, column by column: x ← L⁻¹ x, where L is what stands below the diagonal of a
/// matrix, row by row, and the identity.
///
/// # Panics
/// If the matrix has not as many entries as the square of x's.
pub fn forward_substitution<T: Real>(a: &[T], x: &mut [T]) {
    let n = x.len();
    for j in 0..n {
        for i in j + 1..n {
            let known = x[j];
            x[i] -= a[i * n + j] * known;
        }
    }
}

/// `substitute.frag`, column by column from the last, and `divide_by_pivots.frag`: x ← U⁻¹ x, where U
/// is what stands on and above the diagonal.
///
/// # Panics
/// As [`forward_substitution`].
pub fn back_substitution<T: Real>(a: &[T], x: &mut [T]) {
    let n = x.len();
    for j in (0..n).rev() {
        for i in 0..j {
            let known = x[j] / a[j * n + j];
            x[i] -= a[i * n + j] * known;
        }
    }
    for i in 0..n {
        x[i] /= a[i * n + i];
    }
}
