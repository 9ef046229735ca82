//! The multigrid solver for boundary value problems (goodnight2003 §4): solves of every kind.

use crate::common::{machine, random};
use fragstream::card::dialect::user_source;
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Grid, HostOptions, HostSolver, Metric, Norm, Problem,
    ProblemError, Programs, Settings, Side, Smoother, Solver, SolverError, Test, TwinLevel,
};
use fragstream::solver::multigrid::default_criteria;
use fragstream::solver::{Criteria, Cycle, Reason};
use fragstream::stream::{Format, Machine, Pass, StreamError};

/// No source, values zero: every cycle reduces a random start, down to nothing.
fn zero_problem(grid: Grid, metric: Metric, boundaries: Boundaries) -> Problem {
    Problem::new(grid, metric, boundaries, vec![0.0; grid.nodes(0)]).unwrap()
}

/// The factor by which the residual falls in a cycle, at last.
fn factor(machine: &Machine, problem: &Problem, cycles: usize) -> f64 {
    let mut solver = Solver::new(machine, problem, &Settings::default()).unwrap();
    let start = random(problem.grid.nodes(0), 5);
    solver.set_solution(&start).unwrap();
    solver.smooth(0, 1).unwrap();
    let mut norms = Vec::new();
    for _ in 0..cycles {
        solver.cycle().unwrap();
        norms.push(solver.residual().unwrap().norm);
    }
    println!("{norms:?}");
    norms[cycles - 1] / norms[cycles - 2]
}

#[test]
fn a_cycle_reduces_the_residual_whatever_the_size() {
    let machine = machine();
    // Sizes of the paper, and such as have an interval left over.
    let even = [(65, 65), (33, 129), (129, 17), (3, 9)];
    let uneven = [(50, 50), (49, 66), (33, 12), (5, 7), (64, 63), (4, 50)];
    for (columns, rows) in even.into_iter().chain(uneven) {
        let grid = Grid::unit(columns, rows).unwrap();
        let boundaries = Boundaries::all(&grid, Condition::value(0.0));
        let problem = zero_problem(grid, Metric::cartesian(), boundaries);
        let factor = factor(&machine, &problem, 5);
        println!("{columns} x {rows}: {factor:.3}");
        let limit = if even.contains(&(columns, rows)) {
            0.1
        } else {
            0.2
        };
        assert!(factor < limit, "{columns} x {rows}: {factor}");
    }
}

/// Radius and angle, their scale factors computed by the machine and read back.
#[test]
fn coordinates_that_only_the_machine_knows_make_the_same_equations() {
    let machine = machine();
    let text = "vec3 metric(vec2 p) {\n    return vec3(1.0, p.x, 1.0);\n}\n";
    let [known, read] = [Metric::polar(), Metric::of_text("polar", text)].map(|metric| {
        let grid = Grid {
            x: Axis::new(9, 1.0, 0.125).unwrap(),
            y: Axis::new(12, 0.0, 0.125).unwrap(),
        };
        let boundaries = Boundaries::all(&grid, Condition::slope(0.25)).with(
            &grid,
            Side::West,
            Condition::value(1.0),
        );
        let source = vec![1.0; grid.nodes(0)];
        let problem = Problem::new(grid, metric, boundaries, source).unwrap();
        Solver::new(&machine, &problem, &Settings::default()).unwrap()
    });
    for (a, b) in known.volumes().into_iter().zip(read.volumes()) {
        assert!((a - b).abs() < 1e-6 * a, "{a} {b}");
    }
    for (a, b) in known
        .source()
        .unwrap()
        .into_iter()
        .zip(read.source().unwrap())
    {
        assert!((a - b).abs() < 1e-6 * a.abs(), "{a} {b}");
    }
}

#[test]
fn every_kind_of_side_converges() {
    let machine = machine();
    let plain = |n| Axis::new(n, 0.0, 1.0 / f64::from(n - 1)).unwrap();
    let round = |n| Axis::periodic(n, 0.0, 1.0 / f64::from(n - 1)).unwrap();
    let turn = |n| Axis::periodic(n, 0.0, std::f64::consts::TAU / f64::from(n - 1)).unwrap();
    let value = Condition::value(0.0);
    let slope = Condition::slope(0.0);
    let mixed = Condition {
        alpha: 2.0,
        beta: 1.0,
        gamma: 0.0,
    };
    let text = "vec3 metric(vec2 p) {\n    return vec3(1.0, 1.0, exp2(4.0 * p.x));\n}\n";
    let sixteenfold = Metric::new("sixteenfold", text, |x, _| [1.0, 1.0, (4.0 * x).exp2()]);
    let cases = [
        (
            "Neumann",
            Grid {
                x: plain(65),
                y: plain(65),
            },
            Metric::cartesian(),
            slope,
        ),
        (
            "Neumann, odd",
            Grid {
                x: plain(50),
                y: plain(39),
            },
            Metric::cartesian(),
            slope,
        ),
        (
            "mixed",
            Grid {
                x: plain(65),
                y: plain(40),
            },
            Metric::cartesian(),
            mixed,
        ),
        (
            "periodic in x",
            Grid {
                x: round(65),
                y: plain(65),
            },
            Metric::cartesian(),
            value,
        ),
        (
            "periodic in y",
            Grid {
                x: plain(33),
                y: round(33),
            },
            Metric::cartesian(),
            value,
        ),
        (
            "periodic in both",
            Grid {
                x: round(65),
                y: round(65),
            },
            Metric::cartesian(),
            value,
        ),
        (
            "periodic, 48",
            Grid {
                x: round(49),
                y: round(25),
            },
            Metric::cartesian(),
            value,
        ),
        (
            "polar",
            Grid {
                x: Axis::new(17, 1.0, 1.0 / 16.0).unwrap(),
                y: turn(129),
            },
            Metric::polar(),
            value,
        ),
        (
            "twice an odd number round",
            Grid {
                x: round(51),
                y: round(47),
            },
            Metric::cartesian(),
            slope,
        ),
        (
            "elongated",
            Grid {
                x: Axis::new(130, 0.0, 1.0).unwrap(),
                y: Axis::new(5, 0.0, 1.0).unwrap(),
            },
            Metric::cartesian(),
            slope,
        ),
        (
            "elongated, leaks",
            Grid {
                x: Axis::periodic(7, 0.0, 1.0).unwrap(),
                y: Axis::new(130, 0.0, 1.0).unwrap(),
            },
            Metric::cartesian(),
            Condition {
                alpha: 1e-3,
                beta: 1.0,
                gamma: 0.0,
            },
        ),
        (
            "sixteenfold",
            Grid {
                x: plain(65),
                y: plain(65),
            },
            sixteenfold,
            slope,
        ),
        (
            "polar, slopes",
            Grid {
                x: Axis::new(17, 1.0, 1.0 / 16.0).unwrap(),
                y: turn(129),
            },
            Metric::polar(),
            slope,
        ),
    ];
    for (name, grid, metric, condition) in cases {
        let boundaries = Boundaries::all(&grid, condition);
        let problem = zero_problem(grid, metric, boundaries);
        let factor = factor(&machine, &problem, 5);
        println!("{name}: {factor:.3}");
        assert!(factor < 0.25, "{name}: {factor}");
    }
}

#[test]
fn a_linear_solution_is_found_whatever_the_sides() {
    let machine = machine();
    let grid = Grid::unit(40, 29).unwrap();
    let exact = |x: f64, y: f64| 1.0 + 2.0 * x - 0.5 * y;
    let west: Vec<Condition> = (0..29)
        .map(|row| Condition::value(exact(0.0, grid.y.position(0, row))))
        .collect();
    let north: Vec<Condition> = (0..40)
        .map(|column| {
            let u = exact(grid.x.position(0, column), grid.y.position(0, 28));
            Condition {
                alpha: 3.0,
                beta: 2.0,
                gamma: 3.0 * u - 1.0,
            }
        })
        .collect();
    let boundaries = Boundaries::new()
        .with_each(Side::West, west)
        .with_each(Side::North, north)
        .with(&grid, Side::East, Condition::slope(2.0))
        .with(&grid, Side::South, Condition::slope(0.5));
    let problem = zero_problem(grid, Metric::cartesian(), boundaries);
    let mut solver = Solver::new(&machine, &problem, &Settings::default()).unwrap();
    let criteria = Criteria {
        rtol: 1e-6,
        ..default_criteria()
    };
    let solved = solver.solve(&criteria, |_, _| ()).unwrap();
    println!("{solved:?}");
    assert!(solved.is_solved());
    let u = solver.solution().unwrap();
    for row in 0..29 {
        for column in 0..40 {
            let exact = exact(grid.x.position(0, column), grid.y.position(0, row));
            let got = f64::from(u[(row * 40 + column) as usize]);
            assert!((got - exact).abs() < 2e-5, "{column}, {row}: {got} {exact}");
        }
    }
}

/// Heated in places, cold at the sides.
fn plate(columns: u32, rows: u32) -> Problem {
    let grid = Grid::unit(columns, rows).unwrap();
    let boundaries = Boundaries::all(&grid, Condition::value(1.0));
    let source = random(grid.nodes(0), 3)
        .into_iter()
        .map(|f| 100.0 * f64::from(f))
        .collect();
    Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap()
}

#[test]
fn every_test_of_convergence_ends_where_the_true_residual_is_small() {
    let machine = machine();
    let problem = plate(50, 65);
    for test in [Test::Occlusion, Test::ReadBack, Test::Reduction] {
        for norm in [Norm::L1, Norm::L2, Norm::Maximum] {
            for every in [1, 3] {
                let settings = Settings {
                    test,
                    norm,
                    every,
                    ..Settings::default()
                };
                let solver = Solver::new(&machine, &problem, &settings);
                if test == Test::Occlusion && norm != Norm::Maximum {
                    assert_eq!(solver.err(), Some(SolverError::OcclusionNorm));
                    continue;
                }
                let mut solver = solver.unwrap();
                let criteria = Criteria {
                    rtol: 1e-4,
                    ..default_criteria()
                };
                machine.take_ledger();
                let mut seen = Vec::new();
                let solved = solver
                    .solve(&criteria, |cycle, found| seen.push((cycle, found)))
                    .unwrap();
                let ledger = machine.take_ledger();
                println!(
                    "{test:?} {norm:?} every {every}: {} cycles {:?} {:.2e}",
                    solved.cycles, solved.history, solved.residual
                );
                assert_eq!(solved.reason, Reason::Converged);
                assert!(solved.residual <= solved.tolerance);
                assert_eq!(solved.residual, solver.residual().unwrap().norm);
                assert!(solved.cycles.is_multiple_of(every) && (2..=9).contains(&solved.cycles));
                assert_eq!(
                    seen.last(),
                    Some(&(solved.cycles, solved.history[solved.history.len() - 1]))
                );
                let tests = seen.len() as u64;
                assert_eq!(
                    ledger.queries,
                    if test == Test::Occlusion { tests } else { 0 }
                );
            }
        }
    }
}

#[test]
fn what_is_measured_on_the_machine_is_the_true_residual() {
    let machine = machine();
    let round = Axis::periodic(33, 0.0, 0.125).unwrap();
    let periodic = Grid {
        x: round,
        y: Axis::new(20, 0.0, 0.125).unwrap(),
    };
    let boundaries = Boundaries::all(&periodic, Condition::value(0.0));
    let periodic = zero_problem(periodic, Metric::cartesian(), boundaries);
    for problem in [plate(30, 17), periodic] {
        for (test, norm) in [
            (Test::ReadBack, Norm::L1),
            (Test::ReadBack, Norm::L2),
            (Test::ReadBack, Norm::Maximum),
            (Test::Reduction, Norm::L1),
            (Test::Reduction, Norm::L2),
            (Test::Reduction, Norm::Maximum),
        ] {
            let settings = Settings {
                test,
                norm,
                ..Settings::default()
            };
            let mut solver = Solver::new(&machine, &problem, &settings).unwrap();
            solver
                .set_solution(&random(problem.grid.nodes(0), 9))
                .unwrap();
            solver.smooth(0, 1).unwrap();
            let (found, truth) = (
                solver.measure(0.0).unwrap(),
                solver.residual().unwrap().norm,
            );
            assert!(
                (found - truth).abs() < 1e-5 * truth,
                "{test:?} {norm:?}: {found} {truth}"
            );
        }
        let settings = Settings {
            test: Test::Occlusion,
            norm: Norm::Maximum,
            ..Settings::default()
        };
        let mut solver = Solver::new(&machine, &problem, &settings).unwrap();
        solver
            .set_solution(&random(problem.grid.nodes(0), 9))
            .unwrap();
        solver.smooth(0, 1).unwrap();
        let check = solver.residual().unwrap();
        for part in [0.1, 0.5, 0.9] {
            let tolerance = part * check.norm;
            let exceed = check
                .residual
                .iter()
                .filter(|r| r.abs() > tolerance)
                .count();
            assert_eq!(solver.measure(tolerance).unwrap(), exceed as f64);
        }
    }
}

#[test]
fn after_some_cycles_the_machine_is_where_its_twin_is() {
    let machine = machine();
    for problem in [plate(65, 65), plate(50, 39)] {
        for programs in Programs::ALL {
            for smoother in [Smoother::RedBlack, Smoother::Jacobi(0.8)] {
                let settings = Settings {
                    programs,
                    smoother,
                    split_from: 9,
                    ..Settings::default()
                };
                let mut solver = Solver::new(&machine, &problem, &settings).unwrap();
                let options = HostOptions {
                    smoother,
                    ..HostOptions::default()
                };
                let host = HostSolver::<f64>::new(&problem, options).unwrap();
                let mut u = vec![0.0; problem.grid.nodes(0)];
                host.cycles(3, Cycle::v(2, 2), &mut u);
                (0..3).for_each(|_| solver.cycle().unwrap());
                let got = solver.solution().unwrap();
                let scale = u.iter().fold(0.0f64, |a, b| a.max(b.abs()));
                let off = got
                    .iter()
                    .zip(&u)
                    .map(|(a, b)| (f64::from(*a) - b).abs())
                    .fold(0.0, f64::max);
                println!("{programs} {smoother:?}: {:.1e}", off / scale);
                assert!(
                    off < 3e-6 * scale,
                    "{programs} {smoother:?}: {off} of {scale}"
                );
            }
        }
    }
}

#[test]
fn a_solution_up_to_a_constant_is_read_back_with_mean_zero() {
    let machine = machine();
    let grid = Grid::unit(33, 40).unwrap();
    let boundaries = Boundaries::all(&grid, Condition::slope(0.0));
    let column = |node: usize| node % 33;
    let source = (0..grid.nodes(0))
        .map(|i| (std::f64::consts::PI * column(i) as f64 / 32.0).cos())
        .collect();
    let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
    let mut solver = Solver::new(&machine, &problem, &Settings::default()).unwrap();
    solver.set_solution(&vec![7.0; grid.nodes(0)]).unwrap();
    let solved = solver.solve(&default_criteria(), |_, _| ()).unwrap();
    assert!(solved.is_solved(), "{solved:?}");
    let u = solver.solution().unwrap();
    let mean: f64 = u.iter().map(|u| f64::from(*u)).sum::<f64>() / u.len() as f64;
    assert!(mean.abs() < 1e-6);
    // U = -cos(pi x) / pi^2, but for the mesh.
    for (node, u) in u.iter().enumerate() {
        let x = column(node) as f64 / 32.0;
        let exact = -(std::f64::consts::PI * x).cos() / std::f64::consts::PI.powi(2);
        assert!((f64::from(*u) - exact).abs() < 2e-4, "{node}: {u} {exact}");
    }
    let error = solver.set_source(&vec![1.0; grid.nodes(0)]).unwrap_err();
    assert!(
        matches!(
            error,
            SolverError::Problem(ProblemError::Incompatible { .. })
        ),
        "{error}"
    );
}

#[test]
fn conditions_and_sources_can_change() {
    let machine = machine();
    let grid = Grid::unit(20, 33).unwrap();
    let value = |v| Boundaries::all(&grid, Condition::value(v));
    let problem = zero_problem(grid, Metric::cartesian(), value(0.0));
    let mut solver = Solver::new(&machine, &problem, &Settings::default()).unwrap();
    solver.set_boundary(value(3.0)).unwrap();
    let solved = solver.solve(&default_criteria(), |_, _| ()).unwrap();
    assert!(solved.is_solved(), "{solved:?}");
    assert!(
        solver
            .solution()
            .unwrap()
            .iter()
            .all(|u| (u - 3.0).abs() < 1e-3)
    );
    let error = solver.set_source(&[0.0; 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the source has 3 values for 660 nodes; give one for each"
    );
    let mut bad = vec![0.0; 660];
    bad[5] = f32::NAN;
    let error = solver.set_solution(&bad).unwrap_err();
    assert_eq!(error.to_string(), "the solution is not finite at node 5");
    let other = Boundaries::new().with(&grid, Side::West, Condition::value(0.0));
    assert!(solver.set_boundary(other).is_err());
}

#[test]
fn another_kernel_can_write_the_next_state() {
    let machine = machine();
    let problem = plate(33, 20);
    let mut solver = Solver::new(&machine, &problem, &Settings::default()).unwrap();
    let start = random(660, 2);
    solver.set_solution(&start).unwrap();
    let source = solver.source().unwrap();
    let text = "uniform stream state;\nvoid main() {\n    vec4 x = fetch(state, here);\n    \
                result = vec4(x.x + 1.0, x.y, 2.0 * x.z, 0.0);\n}\n";
    let kernel = machine
        .kernel(&user_source("add", text).unwrap(), &[])
        .unwrap();
    solver
        .update(|state, target, rects| -> Result<(), StreamError> {
            Pass::new(&kernel).read("state", state).draw(target, rects)
        })
        .unwrap();
    let u = solver.solution().unwrap();
    assert!(u.iter().zip(&start).all(|(u, start)| *u == start + 1.0));
    assert!(
        solver
            .source()
            .unwrap()
            .iter()
            .zip(&source)
            .all(|(f, before)| *f == 2.0 * before)
    );
    let (_, rect) = solver.state();
    assert_eq!((rect.x, rect.y, rect.width, rect.height), (0, 0, 33, 20));
}

#[test]
fn half_precision_takes_half_the_memory_and_three_digits() {
    let machine = machine();
    let grid = Grid {
        x: Axis::new(33, 0.0, 1.0).unwrap(),
        y: Axis::new(33, 0.0, 1.0).unwrap(),
    };
    let boundaries = Boundaries::all(&grid, Condition::value(1.0));
    let problem = Problem::new(
        grid,
        Metric::cartesian(),
        boundaries,
        vec![0.01; grid.nodes(0)],
    )
    .unwrap();
    let solve = |precision| {
        let settings = Settings {
            precision,
            ..Settings::default()
        };
        let before = machine.ledger().bytes_allocated;
        let mut solver = Solver::new(&machine, &problem, &settings).unwrap();
        let solved = solver.solve(&default_criteria(), |_, _| ()).unwrap();
        assert!(solved.is_solved(), "{solved:?}");
        let surfaces = solver.levels().storage().surfaces();
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
    if let Err(ProblemError::Incompatible { sum }) = problem.balance(&problem.scales().unwrap()) {
        let whole = problem.whole_volume(&problem.scales().unwrap());
        problem.source.iter_mut().for_each(|f| *f -= sum / whole);
    }
    problem
}

#[test]
fn corrections_solve_the_equations_of_double_precision_where_single_precision_cannot() {
    let machine = machine();
    let criteria = Criteria {
        rtol: 1e-7,
        ..default_criteria()
    };
    for west in [Condition::value(3.0), Condition::slope(2.0)] {
        let problem = noise(west);
        let solver = || Solver::new(&machine, &problem, &Settings::default()).unwrap();
        let single = solver().solve_refined(&criteria, 0, |_, _| ()).unwrap();
        assert_eq!(single.solved.reason, Reason::Stagnated, "{west:?}");
        let refined = solver().solve_refined(&criteria, 10, |_, _| ()).unwrap();
        assert_eq!(refined.solved.reason, Reason::Converged, "{west:?}");
        assert_eq!(refined.solved.history.len(), refined.solved.cycles + 1);
        // The right side in double precision, and the equations from the problem itself.
        let scales = problem.scales().unwrap();
        let level = TwinLevel::<f64>::of(&problem, 0, &scales).unwrap();
        let f = problem.balanced_right_side(&scales).unwrap();
        let norm = |u: &[f64]| Norm::L2.of(level.residual(&f, u).into_iter());
        let right_side = norm(&level.start());
        let left = norm(&refined.solution) / right_side;
        // What the rounding of F to single precision leaves.
        let rounding = 2f64.powi(-24) * Norm::L2.of(f.iter().copied()) / right_side;
        assert!(left <= 1e-7 + rounding, "{west:?}: {left:e}");
        assert!(left < norm(&single.solution) / right_side, "{west:?}");
    }
}
