//! Refinement in double precision, around solves in single precision.

use fragstream::solver::refinement::{Correction, PATIENCE, refine};
use fragstream::solver::{
    Criteria, Csr, HostSpace, LinearSystem, Outcome, Reason, Workspace, true_residual,
};

use crate::solver::samples::{bar, membrane};

fn criteria(rtol: f64) -> Criteria {
    Criteria { rtol, max_iterations: 20_000, patience: PATIENCE, ..Criteria::default() }
}

/// x and how it went, the corrections by conjugate gradients in single precision, each of which goes on from
/// the one before or starts again.
fn solve(a: &Csr<f64>, b: &[f64], rtol: f64, goes_on: bool) -> (Vec<f64>, Outcome) {
    let single = a.cast::<f32>();
    let space = HostSpace::<f32>::new(b.len());
    let mut workspace = Workspace::new(&space).unwrap();
    let mut x = vec![0.0; b.len()];
    let norm_of_b = b.iter().map(|b| b * b).sum::<f64>().sqrt();
    let residual = |x: &[f64]| {
        let mut r = vec![0.0; x.len()];
        a.multiply(x, &mut r).unwrap();
        r.iter().zip(b).map(|(ax, b)| b - ax).collect()
    };
    let outcome = refine(
        &criteria(rtol),
        50,
        norm_of_b,
        &mut x,
        (residual, |_: &[f64]| 0.0),
        |defect| {
            let b = defect.residual.to_vec();
            let system =
                LinearSystem { space: &space, operator: &single, preconditioner: None, b: &b };
            let mut values = vec![0.0; b.len()];
            let rescaled = defect.rescaled.filter(|_| goes_on);
            let inner = defect.criteria(&Criteria::default(), goes_on);
            let outcome = workspace.correction(&system, &mut values, &inner, rescaled, |_| ())?;
            Ok::<_, fragstream::solver::LengthMismatch>(Correction {
                shift: 0.0,
                values,
                norms: outcome.history[1..].to_vec(),
                reason: outcome.reason,
            })
        },
        |_, _| (),
    );
    (x, outcome.unwrap().0)
}

#[test]
fn a_direction_that_is_kept_saves_iterations_that_starting_again_takes() {
    let a = membrane(40);
    let b: Vec<f64> = (0..a.rows()).map(|i| (i % 5) as f64 - 1.5).collect();
    for rtol in [1e-8, 1e-10] {
        let space = HostSpace::<f64>::new(a.rows());
        let system = LinearSystem { space: &space, operator: &a, preconditioner: None, b: &b };
        let mut x = vec![0.0; a.rows()];
        let to = Criteria { rtol, ..Criteria::default() };
        let mut workspace = Workspace::new(&space).unwrap();
        let double = workspace.recursion(&system, &mut x, &to, |_| ());
        let double = double.unwrap().iterations as f64;
        let [kept, again] = [true, false].map(|goes_on| {
            let (x, outcome) = solve(&a, &b, rtol, goes_on);
            assert!(true_residual(&a, &b, &x).unwrap().relative <= rtol);
            outcome.iterations as f64
        });
        assert!(
            kept <= 1.3 * double && kept - double <= 0.8 * (again - double),
            "to {rtol:.0e}: {kept}, starting again {again}, in double precision {double}"
        );
    }
}

#[test]
fn a_tolerance_below_double_precision_stagnates_and_keeps_the_best_x() {
    let a = bar(40, 100.0);
    let b = vec![1.0; 40];
    let (x, outcome) = solve(&a, &b, 1e-18, true);
    assert_eq!(outcome.reason, Reason::Stagnated);
    let residual = true_residual(&a, &b, &x).unwrap();
    assert!(residual.relative < 1e-11, "{residual:?}");
    let smallest = outcome.verified.unwrap();
    assert!((residual.norm / smallest - 1.0).abs() < 1e-6);
    assert!(outcome.history.iter().all(|&norm| norm > 0.0));
}

/// Corrections that are made up, of the system x = b with two unknowns.
fn made_up(corrections: &[([f32; 2], Reason)], rounding: f64) -> (Vec<f64>, Outcome) {
    let b = [1.0, 1.0];
    let mut x = vec![0.0; 2];
    let mut next = corrections.iter();
    let residual = |x: &[f64]| -> Vec<f64> { b.iter().zip(x).map(|(b, x)| b - x).collect() };
    let outcome = refine(
        &criteria(1e-8),
        corrections.len(),
        2.0_f64.sqrt(),
        &mut x,
        (&residual, |_: &[f64]| rounding),
        |_| {
            let &(values, reason) = next.next().unwrap();
            Ok::<_, ()>(Correction {
                values: values.to_vec(),
                shift: 0.0,
                norms: vec![0.1],
                reason,
            })
        },
        |_, _| (),
    );
    let (outcome, left) = outcome.unwrap();
    assert_eq!(left, residual(&x));
    (x, outcome)
}

#[test]
fn a_correction_that_led_away_is_taken_back() {
    let good = ([0.5, 0.5], Reason::Converged);
    let (x, outcome) = made_up(&[good, ([-8.0, 3.0], Reason::Indefinite)], 0.0);
    assert_eq!((x, outcome.reason), (vec![0.5; 2], Reason::Indefinite));
    assert!((outcome.verified.unwrap() - 0.5_f64.sqrt()).abs() < 1e-15);
    let (x, outcome) = made_up(&[good, ([f32::NAN, 0.0], Reason::Converged)], 0.0);
    assert_eq!((x, outcome.reason), (vec![0.5; 2], Reason::NotFinite));
}

#[test]
fn a_solve_that_broke_off_is_gone_on_with_where_it_helped() {
    let broken = ([0.75, 0.75], Reason::Indefinite);
    let (_, outcome) = made_up(&[broken, broken, ([1.0, 1.0], Reason::Converged)], 0.0);
    assert_eq!(outcome.reason, Reason::Converged);
    let (_, outcome) = made_up(&[([0.1, 0.1], Reason::Breakdown)], 0.0);
    assert_eq!(outcome.reason, Reason::Breakdown);
}

#[test]
fn below_the_rounding_of_x_a_correction_that_does_not_halve_the_residual_is_the_last() {
    // Scaled as the residuals are, they leave 0.5, 0.45, 0.425 and 0.4 in each entry, times √2 in norm.
    let steps = [0.5, 0.1, 0.1, 0.1].map(|step| ([step; 2], Reason::Converged));
    for (rounding, corrections) in [(0.0, 4), (0.62, 3), (0.65, 2), (0.8, 2)] {
        let (_, outcome) = made_up(&steps, rounding);
        assert_eq!(outcome.replacements, corrections, "{rounding}");
        let reason = match corrections {
            4 => Reason::MaximumIterations,
            _ => Reason::Stagnated,
        };
        assert_eq!(outcome.reason, reason, "{rounding}");
    }
}
