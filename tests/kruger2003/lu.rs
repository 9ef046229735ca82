//! What the paper left to the future, on its column layout: matrix products and LU.

use fragstream::claim::difference;
use fragstream::kruger2003::{ColumnMatrix, KrugerError, LuSolver, ProductOptions};
use fragstream::random::SplitMix64;
use fragstream::solver::{Criteria, Csr, Reason, TextureSpace};
use fragstream::stream::{Format, Layout, Machine};

use crate::common::{machine, wide};

fn dense(n: usize, seed: u64) -> Csr<f64> {
    let mut random = SplitMix64::new(seed);
    let all: Vec<_> = (0..n * n)
        .map(|k| (k / n, k % n, random.signed()))
        .collect();
    Csr::from_triplets(n, n, all).unwrap()
}

fn upload(machine: &Machine, matrix: &Csr<f64>, per_pass: usize) -> ColumnMatrix {
    let layout = Layout::square(matrix.rows(), Format::R32F).unwrap();
    let options = ProductOptions {
        per_pass: Some(per_pass),
        ..ProductOptions::default()
    };
    ColumnMatrix::new(machine, layout, matrix, options).unwrap()
}

/// A B in double precision, row by row.
fn product(a: &Csr<f64>, b: &Csr<f64>) -> Vec<f64> {
    let n = a.rows();
    let mut c = vec![0.0; n * n];
    for (i, k, value) in a.triplets() {
        for (j, factor) in b.row(k) {
            c[i * n + j] += value * factor;
        }
    }
    c
}

#[test]
fn what_is_uploaded_is_read_back() {
    let machine = machine();
    for n in [1, 2, 7, 30] {
        let a = dense(n, n as u64);
        let expected: Vec<f64> = a.values().to_vec();
        assert!(difference(&upload(&machine, &a, 64).read().unwrap(), &expected) < 1e-7);
    }
}

#[test]
fn the_product_of_two_matrices_agrees_with_double_precision() {
    let machine = machine();
    for n in [1, 2, 3, 5, 16, 47, 100] {
        let (a, b) = (dense(n, 1), dense(n, 2));
        for per_pass in [1, 7, 64] {
            let (ga, gb) = (
                upload(&machine, &a, per_pass),
                upload(&machine, &b, per_pass),
            );
            let mut gc = upload(&machine, &dense(n, 3), per_pass);
            ga.multiply_matrix(&gb, &mut gc).unwrap();
            let error = difference(&gc.read().unwrap(), &product(&a, &b));
            assert!(
                error < 2e-6,
                "n = {n}, {per_pass} columns per pass: {error}"
            );
        }
    }
}

/// P A, row by row.
fn permuted(a: &Csr<f64>, permutation: &[usize]) -> Vec<f64> {
    let rows = permutation.iter();
    rows.flat_map(|&i| (0..a.columns()).map(move |j| a.get(i, j)))
        .collect()
}

#[test]
fn with_partial_pivoting_l_times_u_is_the_permuted_matrix() {
    let machine = machine();
    for n in [1, 2, 3, 5, 16, 47] {
        let a = dense(n, n as u64 + 5);
        let (_, solver) = solver(&machine, &a);
        let lu = solver.factors();
        let (lower, upper) = lu.read().unwrap();
        assert!(
            lower.values().iter().all(|l| l.abs() <= 1.0),
            "pivots are the largest"
        );
        let found: Vec<f32> = product(&lower, &upper).iter().map(|&v| v as f32).collect();
        let error = difference(&found, &permuted(&a, &lu.permutation));
        assert!(error < 1e-5, "n = {n}: {error}");
        let mut sorted = lu.permutation.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..n));
    }
}

#[test]
fn rows_are_exchanged_for_a_pivot_and_a_singular_matrix_is_refused() {
    let machine = machine();
    let exchange = Csr::from_triplets(3, 3, [(0, 1, 2.0), (1, 0, 3.0), (2, 2, 1.0)]).unwrap();
    let (space, exchanged) = solver(&machine, &exchange);
    assert_eq!(exchanged.factors().permutation, [1, 0, 2]);
    // The third row and column are empty, and the texture has padding.
    let singular = Csr::from_triplets(3, 3, [(0, 1, 2.0), (1, 0, 3.0)]).unwrap();
    let refused = LuSolver::new(&space, &singular).err();
    assert!(matches!(
        refused,
        Some(KrugerError::ZeroPivot { row: 2, .. })
    ));
}

#[test]
fn four_entries_a_texel_are_refused() {
    let machine = machine();
    let layout = Layout::square(9, Format::Rgba32F).unwrap();
    let zeros = || ColumnMatrix::zeros(&machine, layout, ProductOptions::default()).unwrap();
    let (a, mut c) = (zeros(), zeros());
    let refused = a.multiply_matrix(&zeros(), &mut c);
    assert!(matches!(refused, Err(KrugerError::Format { .. })));
    let space = TextureSpace::new(&machine, layout).unwrap();
    let refused = LuSolver::new(&space, &dense(9, 1)).err();
    assert!(matches!(refused, Some(KrugerError::Format { .. })));
}

/// A solver of a matrix, and what it solves in.
fn solver(machine: &Machine, a: &Csr<f64>) -> (TextureSpace, LuSolver) {
    let layout = Layout::square(a.rows(), Format::R32F).unwrap();
    let space = TextureSpace::new(machine, layout).unwrap();
    let solver = LuSolver::new(&space, a).unwrap();
    (space, solver)
}

#[test]
fn substitutions_in_place_solve_with_the_factors() {
    let machine = machine();
    for n in [1, 2, 3, 5, 16, 47] {
        // A dominant diagonal: rounding grows little.
        let mut entries: Vec<_> = dense(n, n as u64 + 20).triplets().collect();
        entries.extend((0..n).map(|i| (i, i, n as f64)));
        let a = Csr::from_triplets(n, n, entries).unwrap();
        let (space, solver) = solver(&machine, &a);
        let b = SplitMix64::new(n as u64).vector(n);
        let bv = space.vector(&b).unwrap();
        let mut x = space.vector(&vec![1e9; n]).unwrap();
        machine.take_ledger();
        solver.substitute(&bv, &mut x).unwrap();
        let ledger = machine.take_ledger();
        assert_eq!((ledger.uploads, ledger.read_backs), (0, 0));
        // A permutation, the columns forward and back but for the ends, and the division.
        assert_eq!(ledger.total().passes as usize, 1 + 2 * (n - 1) + 1);
        let all = x.read().unwrap();
        // L (U x) is b, with its rows exchanged.
        let (lower, upper) = solver.factors().read().unwrap();
        let (mut ux, mut found) = (vec![0.0; n], vec![0.0; n]);
        upper.multiply(&wide(&all[..n]), &mut ux).unwrap();
        lower.multiply(&ux, &mut found).unwrap();
        let found: Vec<f32> = found.iter().map(|&v| v as f32).collect();
        let rows = solver.factors().permutation.iter();
        let expected: Vec<f32> = rows.map(|&row| b[row]).collect();
        let error = difference(&found, &expected);
        assert!(error < 1e-6, "n = {n}: {error}");
        assert!(all[n..].iter().all(|&v| v == 0.0), "padding stays zero");
    }
}

#[test]
fn a_matrix_that_needs_pivots_is_solved_as_in_double_precision() {
    let machine = machine();
    for n in [1, 2, 3, 5, 16, 47, 100] {
        // Zeros on the diagonal wherever there can be some: without pivots nothing goes.
        let entries = dense(n, n as u64 + 40).triplets().collect::<Vec<_>>();
        let keep = |&(i, j, _): &(usize, usize, f64)| n == 1 || i != j;
        let a = Csr::from_triplets(n, n, entries.into_iter().filter(keep)).unwrap();
        let exact = SplitMix64::new(n as u64 + 3).vector(n);
        let mut b = vec![0.0; n];
        a.multiply(&wide(&exact), &mut b).unwrap();
        let b: Vec<f32> = b.iter().map(|&v| v as f32).collect();
        let (space, solver) = solver(&machine, &a);
        let (bv, mut x) = (space.vector(&b).unwrap(), space.zeros().unwrap());
        let criteria = Criteria::default();
        let outcome = solver
            .solve(&space, &bv, &mut x, &criteria, |_| {})
            .unwrap();
        assert_eq!(outcome.reason, Reason::Converged, "n = {n}");
        assert!(outcome.iterations <= 2, "n = {n}: {}", outcome.iterations);
        let error = difference(&x.read().unwrap(), &wide(&exact));
        assert!(error < 1e-3, "n = {n}: {error}");
    }
}
