//! What the paper left to the future, on its column layout: matrix products and LU.

use fragstream::base::random::SplitMix64;
use fragstream::claim::difference;
use fragstream::kruger2003::{ColumnMatrix, Error, LuSolver, ProductOptions};
use fragstream::solver::{Criteria, Csr, Reason, TextureSpace};
use fragstream::stream::{Format, Layout, Machine};

use crate::common::{dense, machine, wide};

#[test]
fn rows_are_exchanged_for_a_pivot_and_a_singular_matrix_is_refused() {
    let machine = machine();
    let exchange = Csr::from_triplets(3, 3, [(0, 1, 2.0), (1, 0, 3.0), (2, 2, 1.0)]).unwrap();
    let (space, exchanged) = solver(&machine, &exchange);
    assert_eq!(exchanged.factors().permutation, [1, 0, 2]);
    // The third row and column are empty, and the texture has padding.
    let singular = Csr::from_triplets(3, 3, [(0, 1, 2.0), (1, 0, 3.0)]).unwrap();
    let refused = LuSolver::new(&space, &singular).err();
    assert!(matches!(refused, Some(Error::ZeroPivot { row: 2, .. })));
}

#[test]
fn four_entries_a_texel_are_refused() {
    let machine = machine();
    let layout = Layout::square(9, Format::Rgba32F).unwrap();
    let zeros = || ColumnMatrix::zeros(&machine, layout, ProductOptions::default()).unwrap();
    let (a, mut c) = (zeros(), zeros());
    let refused = a.multiply_matrix(&zeros(), &mut c);
    assert!(matches!(refused, Err(Error::Format { .. })));
    let space = TextureSpace::new(&machine, layout).unwrap();
    let refused = LuSolver::new(&space, &dense(9, 1)).err();
    assert!(matches!(refused, Some(Error::Format { .. })));
}

/// A solver of a matrix, and what it solves in.
fn solver(machine: &Machine, a: &Csr<f64>) -> (TextureSpace, LuSolver) {
    let layout = Layout::square(a.rows(), Format::R32F).unwrap();
    let space = TextureSpace::new(machine, layout).unwrap();
    let solver = LuSolver::new(&space, a).unwrap();
    (space, solver)
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
        let mut substituted = space.vector(&vec![1e9; n]).unwrap();
        machine.take_ledger();
        solver.substitute(&bv, &mut substituted).unwrap();
        let ledger = machine.take_ledger();
        assert_eq!((ledger.uploads, ledger.read_backs), (0, 0));
        // A permutation, the columns forward and back except for the ends, and the division.
        assert_eq!(ledger.total().passes as usize, 1 + 2 * (n - 1) + 1);
        let all = substituted.read_rect(substituted.full()).unwrap();
        assert!(all[n..].iter().all(|&v| v == 0.0), "padding stays zero");
        let criteria = Criteria::default();
        let outcome = solver.solve(&space, &bv, &mut x, &criteria, |_| {}).unwrap();
        assert_eq!(outcome.reason, Reason::Converged, "n = {n}");
        assert!(outcome.iterations <= 2, "n = {n}: {}", outcome.iterations);
        let error = difference(&x.read().unwrap(), &wide(&exact));
        assert!(error < 1e-3, "n = {n}: {error}");
    }
}
