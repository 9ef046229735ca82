//! BiCG, BiCGSTAB, and what conjugate gradients know of the spectrum, in double precision.

use fragstream::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, LinearSystem, Outcome, Reason, Transposed,
    biconjugate_gradients, conjugate_gradients, stabilised_biconjugate_gradients, true_residual,
};

use crate::solver::samples::{chain, condition, wind};

const TIGHT: Criteria =
    Criteria { rtol: 1e-10, atol: 0.0, max_iterations: 1000, patience: 1000, norm_every: 1 };

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
fn a_rotation_breaks_biconjugate_gradients_down() {
    // rᵀ A r = 0 for every r.
    let a = Csr::from_triplets(2, 2, [(0, 1, 1.0), (1, 0, -1.0)]).unwrap();
    for stabilised in [false, true] {
        let (x, outcome) = solve(&a, &vec![1.0, 2.0], stabilised, false);
        assert_eq!(outcome.reason, Reason::Breakdown);
        assert_eq!(x, [0.0; 2]);
    }
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
