//! Conjugate gradients on the bundled matrices.

use std::path::Path;

use fragstream::io::matrix_market::read_matrix;
use fragstream::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, Operator, Outcome, Reason, TrueResidual,
    conjugate_gradients, true_residual,
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

fn solve(a: &Csr<f64>, b: &[f64], diagonal: bool) -> (Outcome, TrueResidual) {
    let matrix = a.cast::<f32>();
    let preconditioner = DiagonalPreconditioner::new(&matrix).unwrap();
    let preconditioner: Option<&dyn Operator<HostSpace<f32>>> = if diagonal {
        Some(&preconditioner)
    } else {
        None
    };
    let criteria = Criteria {
        rtol: RTOL,
        ..Criteria::default()
    };
    let right_side = b.iter().map(|&b| b as f32).collect();
    let mut x = vec![0.0_f32; b.len()];
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
            let (outcome, residual) = solve(&a, &b, diagonal);
            let expected = if reachable {
                Reason::Converged
            } else {
                Reason::Stagnated
            };
            assert_eq!(outcome.reason, expected, "{name}, diagonal {diagonal}");
            // The recursion may claim more than is true; the verified residual does not.
            let tolerance = RTOL * (a.rows() as f64).sqrt();
            assert!(outcome.residual <= tolerance, "{name}, diagonal {diagonal}");
            let times = outcome.verified.unwrap() / residual.norm;
            assert!((1.0 / 3.0..3.0).contains(&times), "{name}: {times}");
        }
    }
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
