//! Fast sums on a CPU: in several lanes, so that they are not bound by the latency of an addition, and long
//! ones on all cores.

use std::hint::black_box;

use rayon::prelude::*;

use crate::solver::Real;

use super::rig::{Work, program};

/// Entries of a task: enough to hide its overhead, few enough for an even distribution.
pub const TASK: usize = 1 << 14;

/// Independent partial sums.
const LANES: usize = 16;

/// Sum of all entries, on all cores.
pub fn sum(x: &[f32]) -> f32 {
    x.par_chunks(TASK).map(|x| in_lanes(x, x, |x, _| x)).sum()
}

/// The sum of a vector of ones.
pub fn sum_of_ones(entries: usize) -> Work<'static> {
    let ones = vec![1.0; entries];
    program(move |_| {
        black_box(sum(black_box(&ones)));
    })
}

/// Inner product of two vectors of one length, on one core.
pub fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    in_lanes(x, y, |x, y| x * y)
}

/// Σ term(x_i, y_i), several entries at a time.
fn in_lanes<T: Real>(x: &[T], y: &[T], term: impl Fn(T, T) -> T) -> T {
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut lanes = [T::ZERO; LANES];
    for (x, y) in x.iter().zip(y) {
        for ((lane, &x), &y) in lanes.iter_mut().zip(x).zip(y) {
            *lane += term(x, y);
        }
    }
    let rest: T = x_rest.iter().zip(y_rest).map(|(&x, &y)| term(x, y)).sum();
    lanes.into_iter().sum::<T>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_whole_numbers_are_exact_whatever_the_length() {
        for n in [0, 1, 15, 16, 17, TASK - 1, TASK + 1, 3 * TASK + 5] {
            let x: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
            let expected: f32 = x.iter().sum();
            assert_eq!(sum(&x), expected);
            assert_eq!(dot(&x, &vec![1.0; n]), expected);
        }
    }
}
