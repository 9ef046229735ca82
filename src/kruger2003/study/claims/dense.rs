//! §7: future work of the paper on the layout of §3.2: products of two matrices, LU decomposition.
//!
//! Both are judged entry by entry by the bounds of rounding error analysis, in any order of summation (N. J. Higham,
//! *Accuracy and stability of numerical algorithms*, 2002, §3.5, §9.3): with γₙ = n u / (1 − n u) and u = 2⁻²⁴
//!
//! ```text
//! |C − A B| ≤ γₙ |A| |B|        |P A − L U| ≤ γₙ |L| |U|        |b − A x| ≤ γ₃ₙ |L| |U| |x|
//! ```

use crate::claim::{BoxedError, worst};
use crate::experiment::{Record, Study, Takes};
use crate::kruger2003::columns::MOST_COLUMNS;
use crate::kruger2003::{ColumnMatrix, LuSolver, ProductOptions};
use crate::solver::{Csr, CsrError, TextureSpace};
use crate::stream::{Format, Layout, Machine};

use super::layouts::{Rows, vector, wide};

/// Orders of the matrices: small ones, whose textures are mostly padding, and the given one.
fn orders(largest: usize) -> [usize; 4] {
    [1, 2, 5, largest]
}

/// Products of two matrices.
pub static MATRIX_PRODUCTS: Study = Study::measuring(
    "kruger2003/matrix-products",
    "Products of two dense random matrices, of orders up to the given one",
    Takes::all::<Rows>(),
    &[
        ("error", "", "largest error, relative to its bound"),
        ("passes", "", "passes of all products"),
        ("expected", "", "passes by the number of columns"),
    ],
    |experiment, place| {
        let (mut errors, mut passes, mut expected) = (Vec::new(), 0, 0);
        for n in orders(experiment.typed::<Rows>()?.rows) {
            let [a, b] = [1, 2].map(|seed| wide(&vector(n * n, seed)));
            let layout = Layout::square(n, Format::R32F)?;
            for per_pass in [7, MOST_COLUMNS] {
                let options =
                    ProductOptions { per_pass: Some(per_pass), ..ProductOptions::default() };
                let upload = |entries| -> Result<ColumnMatrix, BoxedError> {
                    let matrix = matrix(n, entries)?;
                    Ok(ColumnMatrix::new(place.machine, layout, &matrix, options)?)
                };
                let (first, second) = (upload(&a)?, upload(&b)?);
                // The previous content of the result does not matter.
                let mut result = upload(&a)?;
                place.machine.take_ledger();
                first.multiply_matrix(&second, &mut result)?;
                passes += place.machine.take_ledger().total().passes;
                expected += first.passes();
                errors.push(share(n, &wide(&result.read()?), [&a, &b], gamma(n)));
            }
        }
        Ok(Record::numbers([
            ("error", worst(errors)),
            ("passes", passes as f64),
            ("expected", expected as f64),
        ]))
    },
);

/// LU decompositions.
pub static LU: Study = Study::measuring(
    "kruger2003/lu",
    "LU decompositions of dense random matrices, of orders up to the given one",
    Takes::all::<Rows>(),
    &[
        ("left", "", "largest |PA − LU|, relative to its bound"),
        ("multiplier", "", "largest multiplier"),
        ("residual", "", "largest residual of a solve, relative to its bound"),
    ],
    |experiment, place| {
        let mut shares = [0.0; 3];
        for n in orders(experiment.typed::<Rows>()?.rows) {
            let of_order = decomposed(place.machine, n)?;
            shares = [0, 1, 2].map(|k| worst([shares[k], of_order[k]]));
        }
        let [left, multiplier, residual] = shares;
        Ok(Record::numbers([("left", left), ("multiplier", multiplier), ("residual", residual)]))
    },
);

/// |P A − L U| relative to its bound, the largest multiplier, and the residual of a solve relative to its bound.
fn decomposed(machine: &Machine, n: usize) -> Result<[f64; 3], BoxedError> {
    let a = wide(&vector(n * n, 3));
    let space = TextureSpace::new(machine, Layout::square(n, Format::R32F)?)?;
    let solver = LuSolver::new(&space, &matrix(n, &a)?)?;
    let permuted = |values: &[f64]| -> Vec<f64> {
        let width = values.len() / n;
        let rows = solver.factors().permutation.iter();
        rows.flat_map(|&row| &values[row * width..][..width]).copied().collect()
    };
    let (lower, upper) = solver.factors().read()?;
    let [lower, upper] = [lower, upper].map(|factor| {
        let mut entries = vec![0.0; n * n];
        factor.triplets().for_each(|(i, j, value)| entries[i * n + j] = value);
        entries
    });
    let a = permuted(&a);
    let left = share(n, &a, [&lower, &upper], gamma(n));
    let multiplier = lower.iter().fold(0.0_f64, |largest, l| largest.max(l.abs()));

    let b = vector(n, 4);
    let mut x = space.zeros()?;
    solver.substitute(&space.vector(&b)?, &mut x)?;
    let (b, x) = (permuted(&wide(&b)), wide(&x.read()?));
    let bound = times(n, &times(n, &magnitudes(&lower), &magnitudes(&upper)), &magnitudes(&x));
    let rows = b.iter().zip(times(n, &a, &x)).zip(bound);
    let residual = worst(rows.map(|((b, ax), bound)| (b - ax).abs() / (gamma(3 * n) * bound)));
    Ok([left, multiplier, residual])
}

/// γₙ in single precision.
fn gamma(n: usize) -> f64 {
    let share = n as f64 * f64::from(f32::EPSILON) / 2.0;
    share / (1.0 - share)
}

/// The largest |C − A B| relative to γ |A| |B|, entry by entry.
fn share(n: usize, found: &[f64], [a, b]: [&[f64]; 2], gamma: f64) -> f64 {
    let bounds = times(n, &magnitudes(a), &magnitudes(b));
    let exact = times(n, a, b);
    let differences = found.iter().zip(&exact).map(|(found, exact)| (found - exact).abs());
    worst(differences.zip(bounds).map(|(difference, bound)| difference / (gamma * bound)))
}

fn magnitudes(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.abs()).collect()
}

/// A B for n × n numbers A, row by row.
fn times(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    let width = b.len() / n;
    let mut product = vec![0.0; b.len()];
    for (sums, row) in product.chunks_mut(width).zip(a.chunks(n)) {
        for (&value, others) in row.iter().zip(b.chunks(width)) {
            for (sum, &other) in sums.iter_mut().zip(others) {
                *sum += value * other;
            }
        }
    }
    product
}

fn matrix(n: usize, entries: &[f64]) -> Result<Csr<f64>, CsrError> {
    let all = entries.iter().enumerate();
    Csr::from_triplets(n, n, all.map(|(k, &value)| (k / n, k % n, value)))
}
