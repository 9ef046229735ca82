//! The multigrid solver for boundary value problems (goodnight2003 §4): solves of every kind.

use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Problem, Settings, Side, Solver,
};
use fragstream::solver::multigrid::default_criteria;
use fragstream::solver::Criteria;
use fragstream::stream::Machine;

fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// Numbers between -1 and 1, always the same.
fn random(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(state >> 8) / f64::from(1 << 23) - 1.0) as f32
    };
    (0..count).map(|_| next()).collect()
}

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
fn a_cycle_reduces_the_residual_tenfold_whatever_the_size() {
    let machine = machine();
    for (columns, rows) in [(129, 129), (65, 65), (100, 100), (97, 130), (33, 12), (5, 7), (64, 63)] {
        let grid = Grid::unit(columns, rows).unwrap();
        let boundaries = Boundaries::all(&grid, Condition::value(0.0));
        let problem = zero_problem(grid, Metric::cartesian(), boundaries);
        let factor = factor(&machine, &problem, 5);
        println!("{columns} x {rows}: {factor:.3}");
        assert!(factor < 0.1, "{columns} x {rows}: {factor}");
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
    let mixed = Condition { alpha: 2.0, beta: 1.0, gamma: 0.0 };
    let cases = [
        ("Neumann", Grid { x: plain(65), y: plain(65) }, Metric::cartesian(), slope),
        ("Neumann, odd", Grid { x: plain(50), y: plain(39) }, Metric::cartesian(), slope),
        ("mixed", Grid { x: plain(65), y: plain(40) }, Metric::cartesian(), mixed),
        ("periodic in x", Grid { x: round(65), y: plain(65) }, Metric::cartesian(), value),
        ("periodic in y", Grid { x: plain(33), y: round(33) }, Metric::cartesian(), value),
        ("periodic in both", Grid { x: round(65), y: round(65) }, Metric::cartesian(), value),
        ("periodic, 48", Grid { x: round(49), y: round(25) }, Metric::cartesian(), value),
        ("polar", Grid { x: Axis::new(65, 1.0, 1.0 / 16.0).unwrap(), y: turn(65) }, Metric::polar(), value),
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
            Condition { alpha: 3.0, beta: 2.0, gamma: 3.0 * u - 1.0 }
        })
        .collect();
    let boundaries = Boundaries::new()
        .with_each(Side::West, west)
        .with_each(Side::North, north)
        .with(&grid, Side::East, Condition::slope(2.0))
        .with(&grid, Side::South, Condition::slope(0.5));
    let problem = zero_problem(grid, Metric::cartesian(), boundaries);
    let mut solver = Solver::new(&machine, &problem, &Settings::default()).unwrap();
    let criteria = Criteria { rtol: 1e-6, ..default_criteria() };
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
