//! The solve: the recursion in double precision, the counts of its operations, refusals.

use fragstream::batty2003::study::claims::recursion::iterates;
use fragstream::batty2003::{
    Error, GpuSolver, Guess, NORM_EVERY, Operation, PressureSolver, Scalars, Settings, System,
};
use fragstream::solver::Criteria;
use fragstream::stream::Grouping;

use crate::batty2003::samples::liquid_system;
use crate::common::machine;

const SIZE: [usize; 3] = [8, 9, 7];

fn loose() -> Criteria {
    Criteria { rtol: 1e-4, ..Criteria::default() }
}

/// ‖b − A x‖ / ‖b‖
fn relative_residual(system: &System<f64>, x: &[f64]) -> f64 {
    system.residual_norm(x) / system.residual_norm(&vec![0.0; x.len()])
}

#[test]
fn the_first_twenty_iterates_are_those_of_double_precision() {
    let machine = machine();
    let system = liquid_system(SIZE, 1);
    let expected = iterates(&system).expect("vectors of one length");
    let largest = expected[20].iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    for settings in
        [Settings::default(), Settings { scalars: Scalars::Surfaces, ..Settings::default() }]
    {
        let mut solver = GpuSolver::new(&machine, SIZE, settings).expect("a small box");
        for (count, expected) in expected.iter().enumerate().skip(1) {
            let criteria = Criteria::exactly(count);
            let zeros = vec![0.0; system.cells()];
            solver.set_up(&system, &zeros).expect("a small box");
            solver.iterate(&criteria).expect("passes");
            let found = solver.read_back().expect("a pressure");
            for (found, expected) in found.iter().zip(expected) {
                let off = (found - expected).abs() / largest;
                assert!(off < 1e-5, "{settings:?}, iterate {count}: {off:.1e}");
            }
        }
    }
}

#[test]
fn the_paper_s_configuration_takes_the_paper_s_operations() {
    let machine = machine();
    let mut solver = GpuSolver::new(&machine, SIZE, Settings::paper_2003()).expect("a small box");
    let criteria = Criteria { norm_every: NORM_EVERY, ..loose() };
    let mut scale_adds = 0;
    let mut products = 0;
    let solves = 3;
    for seed in 0..solves {
        let system = liquid_system(SIZE, seed);
        solver.set_up(&system, &vec![0.0; system.cells()]).expect("a small box");
        machine.take_ledger();
        let outcome = solver.iterate(&criteria).expect("passes");
        let ledger = machine.take_ledger();
        let n = outcome.iterations as u64;
        assert!(
            outcome.reason.is_converged() && n > 0 && n.is_multiple_of(NORM_EVERY as u64),
            "{n}"
        );
        let norms = 2 + n / NORM_EVERY as u64;
        let dots = 2 * n + 1 + norms;
        let calls = Operation::ALL.map(|operation| operation.calls(&ledger));
        assert_eq!(calls, [n + 1, dots, 3 * n + 2, n + 1]);
        assert_eq!((ledger.uploads, ledger.read_backs), (0, dots));
        scale_adds += 3 * n + 2;
        products += n + 1;
    }
    // As printed: 28 749 = 3 · 9600 − 51.
    assert_eq!(scale_adds, 3 * products - solves);
}

#[test]
fn every_switch_leads_to_the_same_pressure() {
    let machine = machine();
    let system = liquid_system(SIZE, 2);
    let default = Settings::default();
    let switched = [
        Settings { grouping: Grouping::Quadrants, ..default },
        Settings { guess: Guess::RightSide, ..default },
        Settings { finish: true, ..default },
        Settings { scalars: Scalars::Surfaces, ..default },
        Settings { stop_at: 1, ..default },
        Settings { stop_at: 64, ..default },
        Settings { preconditioned: false, ..default },
        Settings { preconditioned: false, scalars: Scalars::Surfaces, ..default },
    ];
    // However often the norm is taken.
    for (settings, norm_every) in switched.into_iter().zip([1, 4, 13].into_iter().cycle()) {
        let criteria = Criteria { norm_every, ..loose() };
        let mut pressure = vec![0.0; system.cells()];
        let mut solver = GpuSolver::new(&machine, SIZE, settings).expect("a small box");
        let outcome = solver.solve(&system, &mut pressure, &criteria).expect("a small box");
        assert!(outcome.reason.is_converged(), "{settings:?}: {outcome:?}");
        assert_eq!(outcome.verified, Some(system.residual_norm(&pressure)));
        let residual = relative_residual(&system, &pressure);
        assert!(residual <= 1e-4, "{settings:?}");
        let first = machine.take_ledger();
        solver.solve(&system, &mut pressure, &criteria).expect("a small box");
        let again = machine.take_ledger();
        // Seven diagonals, the inverse of one, b and x; nothing while it solves.
        assert_eq!(again.uploads, 10, "{settings:?}: set-up alone");
        assert_eq!(again.peak_bytes_allocated, first.bytes_allocated);
        let outside = pressure.iter().zip(&system.diagonal).filter(|(_, a)| **a == 0.0);
        assert!(outside.clone().count() > 0 && outside.clone().all(|(p, _)| *p == 0.0));
    }
}

#[test]
fn a_warm_start_needs_fewer_iterations_and_forgets_what_has_left_the_liquid() {
    let machine = machine();
    let system = liquid_system(SIZE, 3);
    let mut solver = GpuSolver::new(&machine, SIZE, Settings::default()).expect("a small box");
    let mut pressure = vec![0.0; system.cells()];
    let cold = solver.solve(&system, &mut pressure, &loose()).expect("a small box");
    for (pressure, _) in pressure.iter_mut().zip(&system.diagonal).filter(|(_, a)| **a == 0.0) {
        *pressure = 1e6;
    }
    let warm = solver.solve(&system, &mut pressure, &loose()).expect("a small box");
    assert!(warm.iterations < cold.iterations, "{} of {}", warm.iterations, cold.iterations);
    assert!(relative_residual(&system, &pressure) <= 1e-4);
}

#[test]
fn what_is_not_finite_is_named_with_its_cell() {
    let machine = machine();
    let mut solver = GpuSolver::new(&machine, SIZE, Settings::default()).expect("a small box");
    let sound = liquid_system(SIZE, 5);
    let mut pressure = vec![0.0; sound.cells()];
    let mut spoiled = [sound.clone(), sound.clone(), sound.clone()];
    spoiled[0].right_side[17] = f64::NAN;
    spoiled[1].upper[1][17] = f64::INFINITY;
    // Finite, but not in single precision.
    spoiled[2].diagonal[17] = 1e300;
    for system in &spoiled {
        let error = solver.solve(system, &mut pressure, &loose()).expect_err("refused");
        assert!(matches!(error, Error::NotFinite { cell: 17, .. }), "{error}");
    }
    pressure[17] = f64::NAN;
    let error = solver.solve(&sound, &mut pressure, &loose()).expect_err("refused");
    assert!(error.to_string().contains("the initial pressure"), "{error}");
    let error = solver.solve(&sound, &mut vec![0.0; 3], &loose()).expect_err("refused");
    assert!(matches!(error, Error::Length(_)), "{error}");
    let turned = liquid_system([9, 8, 7], 5);
    let error =
        solver.solve(&turned, &mut vec![0.0; turned.cells()], &loose()).expect_err("refused");
    assert!(matches!(error, Error::OtherSize { .. }), "{error}");
}

#[test]
fn corrections_reach_what_single_precision_does_not_hold_and_zero_has_a_solution() {
    let machine = machine();
    let mut system = liquid_system(SIZE, 6);
    let mut solver = GpuSolver::new(&machine, SIZE, Settings::default()).expect("a small box");
    let mut pressure = vec![0.0; system.cells()];
    let criteria = Criteria { rtol: 1e-12, ..Criteria::default() };
    let outcome = solver.solve(&system, &mut pressure, &criteria).expect("a small box");
    assert!(outcome.reason.is_converged(), "{outcome:?}");
    assert!(outcome.replacements > 0, "{outcome:?}");
    let residual = relative_residual(&system, &pressure);
    assert!(residual <= 1e-12, "{residual:e}");
    let single: Vec<f64> = pressure.iter().map(|&p| f64::from(p as f32)).collect();
    assert!(relative_residual(&system, &single) > 1e-9);
    system.right_side.fill(0.0);
    let outcome = solver.solve(&system, &mut pressure, &criteria).expect("a small box");
    assert!(outcome.reason.is_converged() && outcome.iterations == 0);
    assert!(pressure.iter().all(|&p| p == 0.0));
}

#[test]
fn a_solve_converges_wherever_the_tolerance_lies_between_two_iterates() {
    let machine = machine();
    let size = [4, 5, 6];
    let system = liquid_system(size, 7);
    let mut solver = GpuSolver::new(&machine, size, Settings::default()).expect("a small box");
    for step in 0..40 {
        let criteria = Criteria { rtol: 1e-5 * 1.02f64.powi(step), ..Criteria::default() };
        let mut pressure = vec![0.0; system.cells()];
        let outcome = solver.solve(&system, &mut pressure, &criteria).expect("a small box");
        assert!(outcome.reason.is_converged(), "{step}: {outcome:?}");
        assert!(relative_residual(&system, &pressure) <= criteria.rtol);
    }
}
