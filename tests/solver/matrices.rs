//! Conjugate gradients on the bundled matrices, in both precisions.

use std::path::Path;

use fragstream::io::matrix_market::read_matrix;
use fragstream::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, Operator, Outcome, Real, Reason,
    TrueResidual, conjugate_gradients, true_residual,
};

const RTOL: f64 = 1e-5;

fn read(name: &str) -> Csr<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("figures/input")
        .join(name);
    let file = read_matrix(&path).unwrap();
    let entries = file.entries.iter();
    let entries = entries.map(|&(row, column, value)| (row as usize, column as usize, value));
    Csr::from_triplets(file.rows as usize, file.columns as usize, entries).unwrap()
}

fn solve<T: Real>(a: &Csr<f64>, b: &[f64], diagonal: bool) -> (Outcome, TrueResidual) {
    let matrix = a.cast::<T>();
    let preconditioner = DiagonalPreconditioner::new(&matrix).unwrap();
    let preconditioner: Option<&dyn Operator<HostSpace<T>>> = if diagonal {
        Some(&preconditioner)
    } else {
        None
    };
    let criteria = Criteria {
        rtol: RTOL,
        ..Criteria::default()
    };
    let right_side = b.iter().map(|&b| T::from_f64(b)).collect();
    let mut x = vec![T::ZERO; b.len()];
    let space = HostSpace::new(b.len());
    let outcome = conjugate_gradients(
        &space,
        &matrix,
        preconditioner,
        &right_side,
        &mut x,
        &criteria,
        |_| (),
    )
    .unwrap();
    (outcome, true_residual(a, b, &x).unwrap())
}

/// A x for x = 1: a right side whose solution single precision holds exactly.
fn row_sums(a: &Csr<f64>) -> Vec<f64> {
    let mut b = vec![0.0; a.rows()];
    a.multiply(&vec![1.0; a.rows()], &mut b).unwrap();
    b
}

/// The true relative residual of the solution of A x = b, computed in double precision to 1e-13 and
/// then rounded to single precision: about what single precision can represent at all.
fn representable(a: &Csr<f64>, b: &[f64]) -> f64 {
    let criteria = Criteria {
        rtol: 1e-13,
        ..Criteria::default()
    };
    let mut x = vec![0.0; b.len()];
    let space = HostSpace::new(b.len());
    let outcome =
        conjugate_gradients(&space, a, None, &b.to_vec(), &mut x, &criteria, |_| ()).unwrap();
    assert_eq!(outcome.reason, Reason::Converged);
    let rounded: Vec<f32> = x.iter().map(|&x| x as f32).collect();
    true_residual(a, b, &rounded).unwrap().relative
}

#[test]
fn the_bundled_matrices_have_the_sizes_and_the_symmetry_that_their_origin_states() {
    for (name, n) in [
        ("bcsstk01", 48),
        ("airfoil", 260),
        ("knot", 239),
        ("unit_cube", 125),
    ] {
        let a = read(&format!("{name}.mtx"));
        assert_eq!((a.rows(), a.columns()), (n, n));
        assert_eq!(a.first_asymmetry(0.0), None);
        assert!(a.diagonal().iter().all(|&d| d > 0.0));
    }
}

#[test]
fn double_precision_solves_every_bundled_matrix_and_means_it() {
    for name in ["bcsstk01", "airfoil", "knot", "unit_cube"] {
        let a = read(&format!("{name}.mtx"));
        for b in [vec![1.0; a.rows()], row_sums(&a)] {
            for diagonal in [false, true] {
                let (outcome, residual) = solve::<f64>(&a, &b, diagonal);
                assert_eq!(
                    outcome.reason,
                    Reason::Converged,
                    "{name}, diagonal {diagonal}"
                );
                assert!(residual.relative <= RTOL * 1.0001, "{name}: {residual:?}");
            }
        }
    }
}

#[test]
fn single_precision_solves_what_it_can_represent() {
    for name in ["airfoil", "knot", "unit_cube"] {
        let a = read(&format!("{name}.mtx"));
        for diagonal in [false, true] {
            let (outcome, residual) = solve::<f32>(&a, &row_sums(&a), diagonal);
            assert_eq!(
                outcome.reason,
                Reason::Converged,
                "{name}, diagonal {diagonal}"
            );
            // The verification is itself rounded to single precision.
            assert!(residual.relative <= RTOL * 1.2, "{name}: {residual:?}");
        }
    }
}

#[test]
fn bcsstk01_stagnates_in_single_precision_and_says_how_far_it_came() {
    let a = read("bcsstk01.mtx");
    let b = vec![1.0; a.rows()];
    let (outcome, residual) = solve::<f32>(&a, &b, false);
    assert_eq!(outcome.reason, Reason::Stagnated);
    assert!(outcome.replacements >= 1);
    // The recursion claims more than is true; the verified residual does not.
    let tolerance = RTOL * (a.rows() as f64).sqrt();
    assert!(outcome.residual <= tolerance);
    assert!(residual.norm > tolerance);
    let verified = outcome.verified.unwrap();
    assert!(verified > residual.norm / 3.0 && verified < residual.norm * 3.0);
}

#[test]
fn where_even_the_rounded_solution_misses_the_tolerance_no_single_precision_solve_claims_it() {
    for (name, reachable) in [
        ("bcsstk01", false),
        ("knot", false),
        ("airfoil", true),
        ("unit_cube", true),
    ] {
        let a = read(&format!("{name}.mtx"));
        let b = vec![1.0; a.rows()];
        assert_eq!(representable(&a, &b) <= RTOL, reachable, "{name}");
        for diagonal in [false, true] {
            let (outcome, _) = solve::<f32>(&a, &b, diagonal);
            let expected = if reachable {
                Reason::Converged
            } else {
                Reason::Stagnated
            };
            assert_eq!(outcome.reason, expected, "{name}, diagonal {diagonal}");
        }
    }
}

#[test]
fn the_diagonal_preconditioner_pays_where_the_diagonal_varies() {
    // bcsstk01's diagonal spans six decades, knot's none.
    let a = read("bcsstk01.mtx");
    let b = vec![1.0; a.rows()];
    let (plain, _) = solve::<f64>(&a, &b, false);
    let (preconditioned, _) = solve::<f64>(&a, &b, true);
    assert!(preconditioned.iterations * 2 < plain.iterations);
}

#[test]
fn patience_decides_whether_a_residual_that_first_grows_is_waited_for() {
    let a = read("bcsstk01.mtx");
    let b = vec![1.0; a.rows()];
    let space = HostSpace::new(a.rows());
    let run = |patience| {
        let criteria = Criteria {
            patience,
            ..Criteria::default()
        };
        let mut x = vec![0.0; a.rows()];
        conjugate_gradients(&space, &a, None, &b, &mut x, &criteria, |_| ()).unwrap()
    };
    let (patient, impatient) = (run(Criteria::default().patience), run(3));
    assert!(
        patient
            .history
            .iter()
            .any(|&residual| residual > 10.0 * patient.history[0])
    );
    assert_eq!(patient.reason, Reason::Converged);
    assert_eq!(impatient.reason, Reason::Stagnated);
    assert!(impatient.iterations < patient.iterations);
}
