//! BiCG, BiCGSTAB, and what conjugate gradients know of the spectrum, in double precision.

use fragstream::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, LinearSystem, Outcome, Reason, Transposed,
    biconjugate_gradients, conjugate_gradients, minimal_residuals,
    stabilised_biconjugate_gradients, true_residual,
};

use crate::solver::dense::inverse;
use crate::solver::samples::{chain, condition, helmholtz, times, wind};

const TIGHT: Criteria = Criteria {
    rtol: 1e-10,
    atol: 0.0,
    max_iterations: 1000,
    patience: 1000,
    norm_every: 1,
    of_largest: 0.0,
};

/// By BiCG or BiCGSTAB, with the diagonal as preconditioner or without.
fn solve(a: &Csr<f64>, b: &Vec<f64>, stabilised: bool, diagonal: bool) -> (Vec<f64>, Outcome) {
    let space = HostSpace::new(b.len());
    let divide = DiagonalPreconditioner::of_diagonal(&a.diagonal());
    let preconditioner = diagonal.then_some(&divide as _);
    let system = LinearSystem { space: &space, operator: a, preconditioner, b };
    let transpose = a.transpose();
    let transposed = Transposed { operator: &transpose, preconditioner };
    let mut x = vec![0.0; b.len()];
    let outcome = match stabilised {
        true => stabilised_biconjugate_gradients(&system, &mut x, &TIGHT, |_| ()),
        false => biconjugate_gradients(&system, &transposed, &mut x, &TIGHT, |_| ()),
    };
    (x, outcome.unwrap())
}

#[test]
fn a_matrix_that_is_not_symmetric_is_solved_with_and_without_its_transpose() {
    let a = wind(12);
    let b = vec![1.0; a.rows()];
    for stabilised in [false, true] {
        for diagonal in [false, true] {
            let (x, outcome) = solve(&a, &b, stabilised, diagonal);
            assert_eq!(outcome.reason, Reason::Converged);
            assert_eq!(outcome.history.len(), outcome.iterations + 1);
            assert!(true_residual(&a, &b, &x).unwrap().relative < 1e-9);
        }
    }
}

#[test]
fn of_a_symmetric_matrix_biconjugate_gradients_are_conjugate_gradients() {
    let n = 40;
    let a = chain(n, 2.5);
    let b: Vec<f64> = (0..n).map(|i| (i * i % 7) as f64).collect();
    let (_, outcome) = solve(&a, &b, false, false);
    let mut x = vec![0.0; n];
    let space = HostSpace::new(n);
    let expected = conjugate_gradients(&space, &a, None, &b, &mut x, &TIGHT, |_| ()).unwrap();
    for (norm, expected) in outcome.history.iter().zip(&expected.history) {
        assert!((norm - expected).abs() <= 1e-6 * expected, "{norm} {expected}");
    }
}

#[test]
fn minres_solves_indefinite_systems_and_its_residual_is_the_true_one_and_never_grows() {
    let a = helmholtz(9, 1.3);
    let b: Vec<f64> = (0..a.rows()).map(|i| 1.0 + (i as f64).sin()).collect();
    let space = HostSpace::new(b.len());
    let system = LinearSystem { space: &space, operator: &a, preconditioner: None, b: &b };
    let mut x = vec![0.0; b.len()];
    let outcome = minimal_residuals(&system, &mut x, &TIGHT, |progress| {
        let found = true_residual(&a, &b, progress.x).unwrap().norm;
        assert!((found - progress.residual).abs() <= 1e-9, "{found} {}", progress.residual);
    });
    let outcome = outcome.unwrap();
    assert_eq!(outcome.reason, Reason::Converged);
    // In exact arithmetic it ends after as many steps as there are eigenvalues.
    assert!(outcome.iterations <= b.len());
    assert!(outcome.history.windows(2).all(|pair| pair[1] <= pair[0]));
    let inverse = inverse(b.len(), a.to_dense());
    for (row, x) in inverse.chunks(b.len()).zip(&x) {
        let exact: f64 = row.iter().zip(&b).map(|(entry, b)| entry * b).sum();
        assert!((x - exact).abs() <= 1e-7 * exact.abs().max(1.0), "{x} {exact}");
    }
}

#[test]
fn a_right_side_that_is_nonzero_only_where_the_diagonal_is_zero_gets_another_start() {
    // A chain, the ends of which are held: rᵀ A r = 0 for the first residual.
    let n = 12;
    let held = [(n, 0), (n + 1, n - 1)];
    let held = held.into_iter().flat_map(|(k, node)| [(k, node, 1.0), (node, k, 1.0)]);
    let entries = chain(n, 2.5).triplets().chain(held).chain([(2, 7, 0.5)]).collect::<Vec<_>>();
    let a = Csr::from_triplets(n + 2, n + 2, entries).unwrap();
    let mut b = vec![0.0; n + 2];
    (b[n], b[n + 1]) = (1.0, 2.0);
    let product = times(&a, &b);
    assert_eq!(b.iter().zip(&product).map(|(b, p)| b * p).sum::<f64>(), 0.0);
    for stabilised in [false, true] {
        let (x, outcome) = solve(&a, &b, stabilised, false);
        assert_eq!(outcome.reason, Reason::Converged, "{stabilised}");
        assert!(true_residual(&a, &b, &x).unwrap().relative < 1e-9);
    }
}

#[test]
fn an_iteration_that_ends_early_hands_back_its_best_iterate() {
    let a = helmholtz(12, 1.3);
    let b = vec![1.0; a.rows()];
    let space = HostSpace::new(b.len());
    let system = LinearSystem { space: &space, operator: &a, preconditioner: None, b: &b };
    let transposed = Transposed { operator: &a, preconditioner: None };
    let mut seen = 0;
    for most in 5..60 {
        let criteria = Criteria { max_iterations: most, ..TIGHT };
        for stabilised in [false, true] {
            let mut x = vec![0.0; b.len()];
            let outcome = match stabilised {
                true => stabilised_biconjugate_gradients(&system, &mut x, &criteria, |_| ()),
                false => biconjugate_gradients(&system, &transposed, &mut x, &criteria, |_| ()),
            };
            let history = outcome.unwrap().history;
            let best = history.iter().copied().fold(f64::INFINITY, f64::min);
            // The start is not kept: another start may do better.
            if best < history[0] {
                let found = true_residual(&a, &b, &x).unwrap().norm;
                assert!((found - best).abs() < 1e-6 * best + 1e-11, "{most}: {found} {best}");
                seen += usize::from(history[history.len() - 1] > best);
            }
        }
    }
    assert!(seen > 10, "{seen} ended above their best");
}

#[test]
fn a_rotation_breaks_the_stabilised_method_down_and_needs_another_shadow_in_the_other_one() {
    // rᵀ A r = 0 for every r. With the shadow r + A r the transpose solves it in two steps; ω, which is along A r, is zero.
    let a = Csr::from_triplets(2, 2, [(0, 1, 1.0), (1, 0, -1.0)]).unwrap();
    let (_, outcome) = solve(&a, &vec![1.0, 2.0], true, false);
    assert_eq!(outcome.reason, Reason::Breakdown);
    let (x, outcome) = solve(&a, &vec![1.0, 2.0], false, false);
    assert_eq!((outcome.reason, outcome.iterations), (Reason::Converged, 2));
    assert_eq!(x, [-2.0, 1.0]);
}

#[test]
fn the_condition_of_a_chain_is_what_its_eigenvalues_say() {
    let n = 60;
    let a = chain(n, 2.0);
    // Eigenvalues 2 − 2 cos(kπ/(n + 1)).
    let exact = (std::f64::consts::PI / 2.0 / (n + 1) as f64).tan().powi(-2);
    let met = condition(&a);
    assert!((0.999..1.000_001).contains(&(met / exact)), "{met} for {exact}");
}
