//! The multigrid solver for boundary value problems (goodnight2003 §4): grids of every size, sides of every
//! kind.

use crate::common::{machine, random};
use crate::goodnight2003::solver::zero_problem;
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Problem, Settings, Side, Solver,
};
use fragstream::solver::Criteria;
use fragstream::solver::multigrid::default_criteria;
use fragstream::stream::Machine;

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
