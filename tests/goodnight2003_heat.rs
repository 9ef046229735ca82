//! Steady temperature on a plate, goodnight2003 §5.1: against what is known in closed form.

use fragstream::goodnight2003::Problem;
use fragstream::goodnight2003::heat::Known;
use fragstream::goodnight2003::host::{HostOptions, HostSolver};
use fragstream::solver::{Criteria, Cycle};

/// As exact as double precision solves.
const EXACT: Criteria = Criteria {
    rtol: 1e-11,
    atol: 0.0,
    max_iterations: 60,
    patience: 5,
};

/// The solution of the twin in double precision.
fn solved(problem: &Problem) -> Vec<f64> {
    let solver = HostSolver::<f64>::new(problem, HostOptions::default()).unwrap();
    let solution = solver.solve(Cycle::v(2, 2), &EXACT);
    assert!(
        solution.outcome.reason.is_converged(),
        "{:?}",
        solution.outcome
    );
    solution.u
}

#[test]
fn the_error_falls_by_four_as_h_halves() {
    for known in Known::ALL {
        let error = |cells| {
            let problem = known.problem(cells).unwrap();
            known.error(&problem.grid, &solved(&problem))
        };
        let errors = [16, 32, 64, 128].map(error);
        println!("{}: {errors:?}", known.name());
        for pair in errors.windows(2).skip(1) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.1, "{}: {errors:?}", known.name());
        }
    }
}
