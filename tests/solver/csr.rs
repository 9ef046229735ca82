//! Sparse matrices and vectors in main memory against dense arithmetic.

use fragstream::solver::{
    Csr, CsrError, DiagonalPreconditioner, HostSpace, LengthMismatch, Operator, VectorSpace,
    true_residual,
};
use proptest::prelude::*;

type Triplets = Vec<(usize, usize, f64)>;

/// A size and entries of a matrix, duplicates likely, rows without entries too.
fn matrices() -> impl Strategy<Value = (usize, usize, Triplets)> {
    (1usize..12, 1usize..12).prop_flat_map(|(rows, columns)| {
        // Halves, so that sums are exact in any order.
        let value = (-64i32..64).prop_map(|value| f64::from(value) / 2.0);
        let entries = prop::collection::vec((0..rows, 0..columns, value), 0..60);
        (Just(rows), Just(columns), entries)
    })
}

fn dense(rows: usize, columns: usize, triplets: &Triplets) -> Vec<Vec<f64>> {
    let mut dense = vec![vec![0.0; columns]; rows];
    for &(row, column, value) in triplets {
        dense[row][column] += value;
    }
    dense
}

/// The inner product level by level, as the reduction halves a texture.
fn in_pairs(x: &[f32], y: &[f32]) -> f64 {
    let mut level: Vec<f32> = x.iter().zip(y).map(|(x, y)| x * y).collect();
    while level.len() > 1 {
        let pairs = level.chunks(2).map(|pair| pair.iter().copied());
        level = pairs.map(|pair| pair.reduce(|a, b| a + b).unwrap()).collect();
    }
    f64::from(level.first().copied().unwrap_or(0.0))
}

proptest! {
    #[test]
    fn it_holds_the_sum_of_the_triplets_in_order((rows, columns, triplets) in matrices()) {
        let expected = dense(rows, columns, &triplets);
        let a = Csr::from_triplets(rows, columns, triplets).unwrap();
        for (row, expected) in expected.iter().enumerate() {
            prop_assert!(a.row(row).zip(a.row(row).skip(1)).all(|(left, right)| left.0 < right.0));
            for (column, &value) in expected.iter().enumerate() {
                prop_assert_eq!(a.get(row, column), value);
            }
        }
        prop_assert_eq!(a.triplets().count(), a.entries());
        for (i, d) in a.diagonal().into_iter().enumerate() {
            prop_assert_eq!(d, expected[i][i]);
        }
    }

    #[test]
    fn the_product_is_the_dense_one_on_one_thread_and_on_many(
        (rows, columns, triplets) in matrices(),
        x in prop::collection::vec((-64i32..64).prop_map(|x| f64::from(x) / 4.0), 12),
    ) {
        let expected: Vec<f64> = dense(rows, columns, &triplets)
            .iter()
            .map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum())
            .collect();
        let a = Csr::from_triplets(rows, columns, triplets).unwrap();
        let (mut serial, mut parallel) = (vec![f64::NAN; rows], vec![f64::NAN; rows]);
        a.multiply(&x[..columns], &mut serial).unwrap();
        a.multiply_parallel(&x[..columns], &mut parallel).unwrap();
        prop_assert_eq!(&serial, &expected);
        prop_assert_eq!(&parallel, &expected);
        // The same numbers are exact in single precision.
        let single: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let mut product = vec![f32::NAN; rows];
        a.cast::<f32>().multiply(&single[..columns], &mut product).unwrap();
        prop_assert!(product.iter().zip(&expected).all(|(&y, &e)| f64::from(y) == e));
    }

    #[test]
    fn transposing_mirrors_every_entry_and_twice_is_the_identity((rows, columns, triplets) in matrices()) {
        let a = Csr::from_triplets(rows, columns, triplets).unwrap();
        let t = a.transpose();
        prop_assert_eq!((t.rows(), t.columns()), (columns, rows));
        prop_assert!(a.triplets().all(|(row, column, value)| t.get(column, row) == value));
        prop_assert_eq!(t.entries(), a.entries());
        prop_assert_eq!(t.transpose(), a);
    }

    #[test]
    fn a_permuted_matrix_has_every_entry_at_its_new_place((rows, columns, triplets) in matrices()) {
        let a = Csr::from_triplets(rows, columns, triplets).unwrap();
        // Backwards, and turned by one.
        let turned = |n: usize| (0..n as u32).map(|i| (i + 1) % n as u32).collect::<Vec<_>>();
        let backwards: Vec<u32> = (0..rows as u32).rev().collect();
        let permuted = a.permuted(&backwards, &turned(columns));
        let moved = a.triplets().map(|(i, j, value)| (rows - 1 - i, (j + 1) % columns, value));
        prop_assert_eq!(permuted, Csr::from_triplets(rows, columns, moved).unwrap());
    }

    #[test]
    fn a_matrix_plus_its_transpose_is_symmetric_until_one_entry_is_changed(
        (rows, _, triplets) in matrices(),
        place in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let square = triplets.iter().filter(|(_, column, _)| *column < rows);
        let both = square.flat_map(|&(row, column, value)| [(row, column, value), (column, row, value)]);
        let entries: Triplets = both.collect();
        let a = Csr::from_triplets(rows, rows, entries.iter().copied()).unwrap();
        prop_assert_eq!(a.first_asymmetry(0.0), None);

        let (row, column) = (place.0.index(rows), place.1.index(rows));
        prop_assume!(row != column);
        let changed = entries.into_iter().chain([(row, column, 0.5)]);
        let a = Csr::from_triplets(rows, rows, changed).unwrap();
        let (i, j) = a.first_asymmetry(0.0).unwrap();
        prop_assert!((i, j) == (row, column) || (j, i) == (row, column));
        // The tolerance is relative to the largest entry.
        let largest = a.values().iter().fold(0.0f64, |m, v| m.max(v.abs()));
        prop_assert_eq!(a.first_asymmetry(0.501 / largest), None);
        prop_assert!(a.first_asymmetry(0.499 / largest).is_some());
    }

    #[test]
    fn the_inner_product_is_the_sum_in_pairs_and_has_the_error_of_pairs(
        terms in prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 0..3000),
    ) {
        let (x, y): (Vec<f32>, Vec<f32>) = terms.into_iter().unzip();
        let dot = HostSpace::new(x.len()).dot(&x, &y).unwrap();

        prop_assert_eq!(dot, in_pairs(&x, &y));

        let products = x.iter().zip(&y).map(|(&x, &y)| f64::from(x) * f64::from(y));
        let (sum, size) = products.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()));
        let levels = (x.len().max(2) as f64).log2().ceil() + 1.0;
        prop_assert!((dot - sum).abs() <= levels * f64::from(f32::EPSILON) * size);
    }
}

#[test]
fn the_inner_product_of_a_long_vector_is_the_same_in_threads() {
    let x: Vec<f32> = (0..300_001).map(|i| (i as f32 * 0.37).sin()).collect();
    let dot = HostSpace::new(x.len()).dot(&x, &x).unwrap();
    assert_eq!(dot, in_pairs(&x, &x));
}

#[test]
fn the_vector_operations_are_what_their_formulas_say() {
    let space = HostSpace::new(2);
    let (x, mut y) = (vec![1.0, 2.0], vec![10.0, 20.0]);
    space.axpy(&mut y, 0.5, &x).unwrap();
    assert_eq!(y, [10.5, 21.0]);
    space.xpby(&mut y, 2.0, &x).unwrap();
    assert_eq!(y, [22.0, 44.0]);
    let mut z = space.zeros().unwrap();
    space.subtract(&x, &y, &mut z).unwrap();
    assert_eq!(z, [-21.0, -42.0]);
    space.copy(&x, &mut z).unwrap();
    assert_eq!(z, x);
    let short = vec![1.0];
    assert_eq!(space.dot(&x, &short), Err(LengthMismatch { expected: 2, found: 1 }));
}

#[test]
fn an_entry_outside_the_matrix_is_named() {
    let result = Csr::from_triplets(2, 3, [(0, 0, 1.0), (1, 3, 1.0)]);
    let outside = CsrError::OutOfRange { row: 1, column: 3, rows: 2, columns: 3 };
    assert_eq!(result, Err(outside.clone()));
    assert!(outside.to_string().contains("row 1, column 3"));
}

#[test]
fn a_diagonal_that_is_not_positive_is_refused_with_its_row() {
    for bad in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        let a = Csr::from_triplets(3, 3, [(0, 0, 1.0), (1, 1, bad), (2, 2, 1.0)]).unwrap();
        match DiagonalPreconditioner::new(&a) {
            Err(CsrError::Diagonal { row: 1, value }) => assert_eq!(value.to_bits(), bad.to_bits()),
            other => panic!("{bad}: {other:?}"),
        }
    }
    let missing = Csr::from_triplets(2, 2, [(0, 0, 1.0), (1, 0, 1.0)]).unwrap();
    assert!(DiagonalPreconditioner::new(&missing).is_err());
}

#[test]
fn the_true_residual_is_relative_to_b() {
    let a = Csr::from_triplets(2, 2, [(0, 0, 2.0), (1, 1, 4.0)]).unwrap();
    let residual = true_residual(&a, &[3.0, 4.0], &[1.5f32, 0.25]).unwrap();
    assert_eq!((residual.norm, residual.relative), (3.0, 0.6));
    assert_eq!(true_residual(&a, &[0.0, 0.0], &[0.0, 0.0]).unwrap().relative, 0.0);
    assert_eq!(true_residual(&a, &[0.0, 0.0], &[1.0, 0.0]).unwrap().relative, f64::INFINITY);
}

#[test]
fn a_diagonal_too_long_for_one_core_divides_each_element_by_its_own_entry() {
    let n = 100_001;
    let entry = |i: usize| (i % 97 + 1) as f64;
    let diagonal: Vec<f64> = (0..n).map(entry).collect();
    let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut y = vec![0.0; n];
    let divide = DiagonalPreconditioner::of_diagonal(&diagonal);
    divide.apply(&HostSpace::new(n), &x, &mut y).unwrap();
    for (i, y) in y.into_iter().enumerate() {
        assert_eq!(y, 1.0 / entry(i) * i as f64);
    }
}
