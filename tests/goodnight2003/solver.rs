//! The multigrid solver for boundary value problems (goodnight2003 §4): when it stops, what it hands out,
//! what can change, and its precision.

use crate::common::{machine, random};
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Equations, Error, Grid, Level, Metric, Norm, Problem, Settings,
    Side, Solver, Test,
};
use fragstream::solver::multigrid::default_criteria;
use fragstream::solver::{Criteria, Reason};
use fragstream::stream::Format;

/// No source, values zero: every cycle reduces a random start, down to nothing.
pub fn zero_problem(grid: Grid, metric: Metric, boundaries: Boundaries) -> Problem {
    Problem::new(grid, metric, boundaries, vec![0.0; grid.nodes(0)]).unwrap()
}

/// Heated in places, cold at the sides.
fn plate(columns: u32, rows: u32) -> Problem {
    let grid = Grid::unit(columns, rows).unwrap();
    let boundaries = Boundaries::all(&grid, Condition::value(1.0));
    let source = random(grid.nodes(0), 3).into_iter().map(|f| 100.0 * f64::from(f)).collect();
    Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap()
}

#[test]
fn the_largest_number_of_cycles_holds_whatever_lies_between_two_tests() {
    let machine = machine();
    for (every, most) in [(1000, 3), (2, 3)] {
        let settings = Settings { every, ..Settings::robust() };
        let mut solver = Solver::new(&machine, &plate(17, 13), &settings).unwrap();
        let criteria = Criteria { rtol: 1e-30, max_iterations: most, ..default_criteria() };
        let mut seen = Vec::new();
        let solved = solver.solve(&criteria, |cycle, _| seen.push(cycle)).unwrap();
        assert_eq!((solved.cycles, seen.last()), (most, Some(&most)));
    }
}

#[test]
fn every_test_of_convergence_ends_where_the_true_residual_is_small() {
    let machine = machine();
    let problem = plate(50, 65);
    for test in [Test::Occlusion, Test::ReadBack, Test::Reduction] {
        for norm in [Norm::L1, Norm::L2, Norm::Maximum] {
            for every in [1, 3] {
                let settings = Settings { test, norm, every, ..Settings::robust() };
                let solver = Solver::new(&machine, &problem, &settings);
                if test == Test::Occlusion && norm != Norm::Maximum {
                    assert!(matches!(solver.err(), Some(Error::Setting(_))));
                    continue;
                }
                let mut solver = solver.unwrap();
                let criteria = Criteria { rtol: 1e-4, ..default_criteria() };
                machine.take_ledger();
                let mut seen = Vec::new();
                let solved =
                    solver.solve(&criteria, |cycle, found| seen.push((cycle, found))).unwrap();
                let ledger = machine.take_ledger();
                assert_eq!(solved.reason, Reason::Converged);
                assert!(solved.residual <= solved.tolerance);
                assert_eq!(solved.residual, solver.residual().unwrap().norm);
                assert!(solved.cycles.is_multiple_of(every) && (2..=9).contains(&solved.cycles));
                assert_eq!(
                    seen.last(),
                    Some(&(solved.cycles, solved.history[solved.history.len() - 1]))
                );
                let tests = seen.len() as u64;
                assert_eq!(ledger.queries, if test == Test::Occlusion { tests } else { 0 });
            }
        }
    }
}

#[test]
fn what_is_measured_on_the_machine_is_the_true_residual() {
    let machine = machine();
    let round = Axis::periodic(33, 0.0, 0.125).unwrap();
    let periodic = Grid { x: round, y: Axis::new(20, 0.0, 0.125).unwrap() };
    let boundaries = Boundaries::all(&periodic, Condition::value(0.0));
    let periodic = zero_problem(periodic, Metric::cartesian(), boundaries);
    for problem in [plate(30, 17), periodic] {
        let smoothed = |test, norm| {
            let settings = Settings { test, norm, ..Settings::robust() };
            let mut solver = Solver::new(&machine, &problem, &settings).unwrap();
            solver.set_solution(&random(problem.grid.nodes(0), 9)).unwrap();
            solver.smooth(0, 1).unwrap();
            solver
        };
        let norms = [Norm::L1, Norm::L2, Norm::Maximum];
        for (test, norm) in
            [Test::ReadBack, Test::Reduction].iter().flat_map(|t| norms.map(|n| (*t, n)))
        {
            let mut solver = smoothed(test, norm);
            let (found, truth) = (solver.measure(0.0).unwrap(), solver.residual().unwrap().norm);
            assert!((found - truth).abs() < 1e-5 * truth, "{test:?} {norm:?}: {found} {truth}");
        }
        let mut solver = smoothed(Test::Occlusion, Norm::Maximum);
        let check = solver.residual().unwrap();
        for part in [0.1, 0.5, 0.9] {
            let tolerance = part * check.norm;
            let exceed = check.residual.iter().filter(|r| r.abs() > tolerance).count();
            assert_eq!(solver.measure(tolerance).unwrap(), exceed as f64);
        }
    }
}

#[test]
fn conditions_and_sources_can_change() {
    let machine = machine();
    let grid = Grid::unit(20, 33).unwrap();
    let value = |v| Boundaries::all(&grid, Condition::value(v));
    let problem = zero_problem(grid, Metric::cartesian(), value(0.0));
    let mut solver = Solver::new(&machine, &problem, &Settings::robust()).unwrap();
    solver.set_boundary(value(3.0)).unwrap();
    let solved = solver.solve(&default_criteria(), |_, _| ()).unwrap();
    assert!(solved.is_solved(), "{solved:?}");
    assert!(solver.solution().unwrap().iter().all(|u| (u - 3.0).abs() < 1e-3));
    let error = solver.set_source(&[0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "the source has 3 values for 660 nodes. Give one per node.");
    let mut bad = vec![0.0; 660];
    bad[5] = f32::NAN;
    let error = solver.set_solution(&bad).unwrap_err();
    assert_eq!(error.to_string(), "the solution is not finite at node 5. Correct it.");
    let other = Boundaries::new().with(&grid, Side::West, Condition::value(0.0));
    let error = solver.set_boundary(other).unwrap_err();
    assert_eq!(error, Error::UnderDetermined(Side::East));
}

#[test]
fn half_precision_takes_half_the_memory_and_three_digits() {
    let machine = machine();
    let grid = Grid { x: Axis::new(33, 0.0, 1.0).unwrap(), y: Axis::new(33, 0.0, 1.0).unwrap() };
    let boundaries = Boundaries::all(&grid, Condition::value(1.0));
    let problem =
        Problem::new(grid, Metric::cartesian(), boundaries, vec![0.01; grid.nodes(0)]).unwrap();
    let solve = |precision| {
        let settings = Settings { precision, ..Settings::robust() };
        let before = machine.ledger().bytes_allocated;
        let mut solver = Solver::new(&machine, &problem, &settings).unwrap();
        let solved = solver.solve(&default_criteria(), |_, _| ()).unwrap();
        assert!(solved.is_solved(), "{solved:?}");
        let surfaces = &solver.levels().storage.surfaces;
        let bytes: u64 = surfaces.iter().map(|surface| surface.bytes()).sum();
        assert!(machine.ledger().bytes_allocated > before);
        (solver.solution().unwrap(), bytes)
    };
    let (single, half) = (solve(Format::Rgba32F), solve(Format::Rgba16F));
    assert_eq!(single.1, 2 * half.1);
    for (single, half) in single.0.iter().zip(&half.0) {
        assert!((single - half).abs() < 0.02, "{single} {half}");
    }
    assert!(single.0 != half.0);
}

/// A plate of 33 x 25 nodes with a random source, whose west side holds this condition and whose others
/// let nothing through; made compatible where nothing holds a value.
fn noise(west: Condition) -> Problem {
    let grid = Grid::unit(33, 25).unwrap();
    let boundaries = Boundaries::all(&grid, Condition::slope(0.0)).with(&grid, Side::West, west);
    let source = random(grid.nodes(0), 3).into_iter().map(f64::from);
    let mut problem =
        Problem::new(grid, Metric::cartesian(), boundaries, source.collect()).unwrap();
    problem.make_compatible().unwrap();
    problem
}

#[test]
fn corrections_solve_the_equations_of_double_precision_where_single_precision_cannot() {
    let machine = machine();
    let criteria = Criteria { rtol: 1e-7, ..default_criteria() };
    for west in [Condition::value(3.0), Condition::slope(2.0)] {
        let problem = noise(west);
        let solver = || Solver::new(&machine, &problem, &Settings::robust()).unwrap();
        let unbalanced = solver().set_source(&vec![1.0; problem.grid.nodes(0)]);
        let is_free = !west.is_value();
        assert_eq!(matches!(unbalanced, Err(Error::Incompatible(_))), is_free);
        let single = solver().solve_refined(&criteria, 0, |_| Ok(true), |_, _| ()).unwrap();
        assert_eq!(single.solved.reason, Reason::Stagnated, "{west:?}");
        let refined = solver().solve_refined(&criteria, 10, |_| Ok(true), |_, _| ()).unwrap();
        assert_eq!(refined.solved.reason, Reason::Converged, "{west:?}");
        assert_eq!(refined.solved.history.len(), refined.solved.cycles + 1);
        // The right side in double precision, and the equations from the problem itself.
        let equations = Equations::new(&problem).unwrap();
        let level = Level::<f64>::all(&equations, 1).unwrap().swap_remove(0);
        let f = equations.balanced(equations.right_side()).unwrap();
        let norm = |u: &[f64]| Norm::L2.of(level.residual(&f, u).into_iter());
        let right_side = norm(&level.start());
        let left = norm(&refined.solution) / right_side;
        // What the rounding of F to single precision leaves.
        let rounding = 2f64.powi(-24) * Norm::L2.of(f.iter().copied()) / right_side;
        assert!(left <= 1e-7 + rounding, "{west:?}: {left:e}");
        assert!(left < norm(&single.solution) / right_side, "{west:?}");
    }
}
