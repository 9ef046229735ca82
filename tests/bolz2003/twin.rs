//! The twins of the kernels of section 3.1 (Bolz et al. 2003) against mathematics that knows
//! nothing of textures: dense products.

use approx::assert_relative_eq;
use fragstream::bolz2003::sparse::matrix::{
    MatrixError, MatrixImages, pack_matrix, pack_with_transpose, row_lengths,
};
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions};
use fragstream::bolz2003::sparse::packing_check::{check_packing, check_pointers};
use fragstream::bolz2003::sparse::twin;
use fragstream::bolz2003::sparse::twin::Border;
use fragstream::solver::csr::Csr;
use proptest::prelude::*;

/// A dense matrix and a pattern: an entry is stored or not, whatever its value.
#[derive(Clone, Debug)]
struct Matrix {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Matrix {
    fn new(rows: impl IntoIterator<Item = Vec<(u32, f64)>>) -> Self {
        let mut matrix = Matrix {
            offsets: vec![0],
            columns: vec![],
            values: vec![],
        };
        for row in rows {
            matrix.columns.extend(row.iter().map(|entry| entry.0));
            matrix.values.extend(row.iter().map(|entry| entry.1));
            matrix.offsets.push(matrix.columns.len());
        }
        matrix
    }

    fn csr(&self) -> Csr<f64> {
        Csr::from_triplets(self.size(), self.size(), self.entries()).unwrap()
    }

    fn size(&self) -> usize {
        self.offsets.len() - 1
    }

    fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.size()).flat_map(move |i| {
            (self.offsets[i]..self.offsets[i + 1])
                .map(move |k| (i, self.columns[k] as usize, self.values[k]))
        })
    }

    fn dense(&self) -> Vec<Vec<f64>> {
        let mut dense = vec![vec![0.0; self.size()]; self.size()];
        self.entries()
            .for_each(|(i, j, value)| dense[i][j] += value);
        dense
    }

    fn transpose(&self) -> Matrix {
        let mut rows = vec![Vec::new(); self.size()];
        self.entries()
            .for_each(|(i, j, value)| rows[j].push((i as u32, value)));
        Matrix::new(rows)
    }
}

fn dense_product(dense: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    let row = |row: &Vec<f64>| row.iter().zip(x).map(|(a, x)| a * x).sum();
    dense.iter().map(row).collect()
}

/// Rows of zero to many entries, with and without a diagonal, duplicates and explicit zeros.
fn any_matrix() -> impl Strategy<Value = Matrix> {
    (1..60usize).prop_flat_map(|n| {
        let value = prop_oneof![8 => -1.0..1.0f64, 1 => Just(0.0)];
        let row = prop::collection::vec((0..n as u32, value), 0..14);
        prop::collection::vec(row, n).prop_map(Matrix::new)
    })
}

fn any_options() -> impl Strategy<Value = PackingOptions> {
    let rectangle = prop_oneof![Just([1, 1]), Just([3, 5]), Just([26, 18]), Just([4, 1])];
    (rectangle, prop_oneof![Just(200), 1..6u32]).prop_map(|(rectangle, longest_pass)| {
        PackingOptions {
            rectangle,
            longest_pass,
            texture_limit: 2048,
        }
    })
}

/// Three vectors at once, that tests can tell apart.
fn vectors(n: usize) -> Vec<[f64; 3]> {
    (0..n)
        .map(|i| {
            [
                (i as f64 * 0.7).sin(),
                1.0 + i as f64 / n as f64,
                (i as f64).cos(),
            ]
        })
        .collect()
}

fn assert_is_product(packing: &Packing, images: &MatrixImages<f64>, dense: &[Vec<f64>]) {
    let x = vectors(dense.len());
    let y = twin::spmv(
        packing,
        &images.pointers,
        &images.entries,
        &packing.scatter(&x),
    );
    let found = packing.gather(&y);
    for channel in 0..3 {
        let x: Vec<f64> = x.iter().map(|x| x[channel]).collect();
        for (found, expected) in found.iter().zip(dense_product(dense, &x)) {
            assert_relative_eq!(
                found[channel],
                expected,
                epsilon = 1e-12,
                max_relative = 1e-12
            );
        }
    }
    let outside: f64 = y.iter().flatten().map(|y| y.abs()).sum::<f64>()
        - found.iter().flatten().map(|y| y.abs()).sum::<f64>();
    assert!(
        outside.abs() < 1e-9,
        "something other than zero outside the rows"
    );
}

proptest! {
    #[test]
    fn the_product_is_that_of_the_dense_matrix(matrix in any_matrix(), options in any_options()) {
        let (packing, images) = pack_matrix::<f64>(&matrix.csr(), &options).unwrap();
        prop_assert_eq!(check_packing(&packing), Ok(()));
        prop_assert_eq!(check_pointers(&packing, &images.pointers.column), Ok(()));
        assert_is_product(&packing, &images, &matrix.dense());
    }

    #[test]
    fn a_matrix_and_its_transpose_share_a_layout(matrix in any_matrix(), options in any_options()) {
        let transpose = matrix.transpose();
        let (packing, a, at) =
            pack_with_transpose::<f64>(&matrix.csr(), &transpose.csr(), &options).unwrap();
        prop_assert_eq!(check_packing(&packing), Ok(()));
        prop_assert_eq!(&a.pointers.row, &at.pointers.row);
        assert_is_product(&packing, &a, &matrix.dense());
        assert_is_product(&packing, &at, &transpose.dense());
    }

    #[test]
    fn zero_padded_and_bounded_sums_are_the_same_number(
        width in 1..40usize, height in 1..40usize, seed in 0..1000u32,
    ) {
        let value = |i: usize| ((i as f32 + seed as f32) * 1.37).sin();
        let x: Vec<[f32; 1]> = (0..width * height).map(|i| [value(i)]).collect();
        let padded = twin::sum(&x, [width, height], Border::ZeroPadded);
        let bounded = twin::sum(&x, [width, height], Border::Bounded);
        prop_assert_eq!(padded, bounded);
        let exact: f64 = x.iter().map(|x| f64::from(x[0])).sum();
        prop_assert!((f64::from(padded[0]) - exact).abs() < 1e-3);
    }
}

/// A row of `length` off-diagonal entries in an otherwise thin matrix.
fn with_a_row_of(length: usize) -> Matrix {
    let n = length + 3;
    Matrix::new((0..n).map(|i| {
        let long = if i == 2 { length } else { 0 };
        let others = (0..n).filter(|&j| j != i).take(long.max(i % 3));
        let mut row: Vec<_> = others
            .map(|j| (j as u32, 1.0 / (1 + i + j) as f64))
            .collect();
        row.push((i as u32, 2.0));
        row
    }))
}

#[test]
fn a_row_longer_than_the_limit_is_split_with_the_same_result() {
    for (length, passes) in [(200, 1), (201, 2), (450, 3)] {
        let matrix = with_a_row_of(length);
        for rectangle in [[1, 1], [3, 5], [26, 18]] {
            let options = PackingOptions {
                rectangle,
                ..Default::default()
            };
            let (packing, images) = pack_matrix::<f64>(&matrix.csr(), &options).unwrap();
            assert_eq!(packing.groups[0].passes, passes);
            assert_is_product(&packing, &images, &matrix.dense());
        }
    }
}

#[test]
fn passes_do_not_change_the_order_of_the_sum() {
    // Bit by bit, in single precision: the parts of a row continue each other.
    let matrix = with_a_row_of(450);
    let product = |longest_pass| {
        let options = PackingOptions {
            longest_pass,
            rectangle: [3, 5],
            ..Default::default()
        };
        let (packing, images) = pack_matrix::<f32>(&matrix.csr(), &options).unwrap();
        let x: Vec<[f32; 1]> = (0..453).map(|i| [(i as f32).sin()]).collect();
        packing.gather(&twin::spmv(
            &packing,
            &images.pointers,
            &images.entries,
            &packing.scatter(&x),
        ))
    };
    assert_eq!(product(450), product(200));
    assert_eq!(product(450), product(7));
}

#[test]
fn the_smallest_matrices_work() {
    for matrix in [
        Matrix::new([vec![(0, 3.0)]]),
        Matrix::new([vec![]]),
        Matrix::new([]),
    ] {
        let (packing, images) =
            pack_matrix::<f64>(&matrix.csr(), &PackingOptions::default()).unwrap();
        assert_eq!(check_packing(&packing), Ok(()));
        assert_is_product(&packing, &images, &matrix.dense());
    }
}

#[test]
fn dummy_rows_give_zero_and_have_a_diagonal_of_one() {
    let matrix = with_a_row_of(4);
    let options = PackingOptions {
        rectangle: [4, 4],
        ..Default::default()
    };
    let (packing, images) = pack_matrix::<f64>(&matrix.csr(), &options).unwrap();
    assert_eq!(packing.dummies.len(), 9);
    let x = packing.scatter(&vectors(7));
    let y = twin::spmv(&packing, &images.pointers, &images.entries, &x);
    let z = twin::precondition(&images.entries.diagonal, &y);
    for &dummy in &packing.dummies {
        assert_eq!(images.entries.diagonal[packing.index(dummy)], 1.0);
        assert_eq!(y[packing.index(dummy)], [0.0; 3]);
        assert_eq!(z[packing.index(dummy)], [0.0; 3]);
    }
}

#[test]
fn a_packing_of_shorter_or_of_fewer_rows_is_refused() {
    let (packing, _) = pack_matrix::<f64>(&with_a_row_of(3).csr(), &Default::default()).unwrap();
    let denser = Matrix::new((0..6).map(|_| (0..6).map(|j| (j, 1.0)).collect()));
    let error = MatrixImages::<f64>::new(&packing, &denser.csr()).unwrap_err();
    assert!(
        matches!(error, MatrixError::Unplaced { length: 5, .. }),
        "{error}"
    );
    let fewer = Matrix::new((0..5).map(|i| vec![(i, 1.0)]));
    let error = MatrixImages::<f64>::new(&packing, &fewer.csr()).unwrap_err();
    assert!(
        matches!(error, MatrixError::Rows { expected: 5, .. }),
        "{error}"
    );
}

#[test]
fn a_matrix_in_main_memory_is_laid_out_if_it_is_square() {
    let matrix = Csr::from_triplets(2, 2, [(0, 1, 3.0), (0, 0, 2.0), (1, 1, 1.0)]).unwrap();
    let (packing, images) = pack_matrix::<f64>(&matrix, &PackingOptions::default()).unwrap();
    assert_is_product(&packing, &images, &[vec![2.0, 3.0], vec![0.0, 1.0]]);

    let oblong = Csr::from_triplets(2, 1, [(0, 0, 1.0)]).unwrap();
    let error = row_lengths(&oblong).unwrap_err();
    assert_eq!(
        error,
        MatrixError::NotSquare {
            rows: 2,
            columns: 1
        }
    );
}

// ---- reductions and vector operations -----------------------------------------------------

#[test]
fn a_reduction_of_whole_numbers_is_exact_in_every_channel() {
    for size in [[1, 1], [2, 1], [1, 7], [3, 5], [16, 16], [26, 18], [33, 2]] {
        let n = size[0] * size[1];
        let x: Vec<[f32; 4]> = (0..n).map(|i| [i as f32, 1.0, -(i as f32), 0.0]).collect();
        let total = (n * (n - 1) / 2) as f32;
        for border in [Border::ZeroPadded, Border::Bounded] {
            assert_eq!(twin::sum(&x, size, border), [total, n as f32, -total, 0.0]);
        }
        let squares: usize = (0..n).map(|i| i * i).sum();
        let dot = twin::dot(&x, &x, size, Border::Bounded);
        assert_eq!(dot[0], squares as f32);
    }
}

#[test]
fn the_greatest_of_negative_records_is_found_at_odd_sizes() {
    let x: Vec<[f64; 1]> = (0..15).map(|i| [-10.0 - f64::from((i * 7) % 15)]).collect();
    assert_eq!(twin::reduce(&x, [5, 3], None, f64::max), [-10.0]);
    assert_eq!(twin::reduce(&x, [5, 3], None, f64::min), [-24.0]);
}

#[test]
fn a_sum_is_taken_in_the_order_of_its_blocks() {
    // ((1e8 + 1) - 1e8) + 1 in single precision: the 1 is lost first, then kept.
    let x = [[1e8f32], [1.0], [-1e8], [1.0]];
    assert_eq!(twin::sum(&x, [2, 2], Border::Bounded), [1.0]);
    // In two halvings, 1e8 + 1 and -1e8 + 1 lose both.
    assert_eq!(twin::sum(&x, [4, 1], Border::Bounded), [0.0]);
}

#[test]
fn scale_add_and_precondition_work_on_every_record() {
    let x = [[1.0f64, 2.0], [3.0, 4.0]];
    let y = [[10.0, 20.0], [30.0, 40.0]];
    assert_eq!(twin::scale_add(2.0, &x, &y), [[12.0, 24.0], [36.0, 48.0]]);
    assert_eq!(
        twin::precondition(&[2.0, 0.0], &y),
        [[5.0, 10.0], [0.0, 0.0]]
    );
}
