//! What the matrices of goodnight2003's kernels have to be (§4.1, §4.2), and what follows for cycles:
//! properties of the twins in double precision, for random problems of any size, sides and
//! coordinates.

use crate::goodnight2003::kinds::{homogeneous, noise, random};
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Equations, Grid, Level, Metric, Norm, Problem, Reference,
    Settings, Side, Smoother,
};
use fragstream::solver::multigrid::Cycle;
use proptest::prelude::*;

/// An axis of up to `most` nodes.
fn axis(least: u32, most: u32) -> impl Strategy<Value = Axis> {
    (least..=most, any::<bool>(), 0.5..2.0).prop_map(|(nodes, periodic, spacing)| {
        match periodic && nodes >= 3 {
            true => Axis::periodic(nodes - (nodes + 1) % 2, 0.0, spacing).unwrap(),
            false => Axis::new(nodes, 0.0, spacing).unwrap(),
        }
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let gamma = -1.0f64..1.0;
    prop_oneof![
        gamma.clone().prop_map(Condition::value),
        gamma.clone().prop_map(Condition::slope),
        (0.1f64..3.0, 0.1f64..3.0, gamma).prop_map(|(alpha, beta, gamma)| Condition {
            alpha,
            beta,
            gamma
        }),
    ]
}

/// Any coordinates and conductivity, of the grid's periods.
fn metric(grid: Grid, swing: f64) -> impl Strategy<Value = Metric> {
    (prop::array::uniform3(0.0..swing), 0.0f64..6.0).prop_map(move |(swing, phase)| {
        let turn = |axis: &Axis| {
            let length = axis.position(0, axis.nodes(0) - 1);
            std::f64::consts::TAU / length
        };
        let [a, b] = [turn(&grid.x), turn(&grid.y)];
        Metric::new("any", "", move |xi, eta| {
            let (x, y) = (a * xi, b * eta);
            [
                1.0 + swing[0] * (x + phase).sin() * y.cos(),
                1.0 + swing[1] * (y + phase).sin(),
                1.0 + swing[2] * (x - phase).cos() * (y + phase).sin(),
            ]
        })
    })
}

/// Any problem: any size, coordinates and conditions, these changing in the middle of each side.
fn problem(least: u32, most: u32, swing: f64) -> impl Strategy<Value = Problem> {
    (axis(least, most), axis(least, most))
        .prop_flat_map(move |(x, y)| {
            let grid = Grid { x, y };
            (Just(grid), metric(grid, swing), prop::array::uniform8(condition()), any::<u32>())
        })
        .prop_map(|(grid, metric, conditions, seed)| {
            let (columns, rows) = grid.size(0);
            let mut boundaries = Boundaries::new();
            for (side, pair) in Side::ALL.into_iter().zip(conditions.chunks(2)) {
                let (axis, along) = match side {
                    Side::West | Side::East => (&grid.x, rows),
                    Side::South | Side::North => (&grid.y, columns),
                };
                if !axis.is_periodic() {
                    let each = (0..along).map(|node| pair[(2 * node / along) as usize]);
                    boundaries = boundaries.with_each(side, each.collect());
                }
            }
            let source = replicated(&grid, 0, &random(grid.nodes(0), seed));
            Problem::new(grid, metric, boundaries, source).unwrap()
        })
}

/// The values of a level, each replica's that of its original.
fn replicated(grid: &Grid, level: u32, values: &[f64]) -> Vec<f64> {
    let (columns, rows) = grid.size(level);
    let original = |axis: &Axis, node| match axis.is_periodic() && node + 1 == axis.nodes(level) {
        true => 0,
        false => node,
    };
    let nodes = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    nodes
        .map(|(column, row)| {
            values[(original(&grid.y, row) * columns + original(&grid.x, column)) as usize]
        })
        .collect()
}

/// The product of two vectors of a level; replicas do not count.
fn product(level: &Level, a: &[f64], b: &[f64]) -> f64 {
    level.originals().map(|node| a[node] * b[node]).sum()
}

fn norm(level: &Level, a: &[f64]) -> f64 {
    product(level, a, a).sqrt()
}

/// What a level's error costs: −Σ U (L U), for γ zero.
fn energy(level: &Level, u: &[f64]) -> f64 {
    product(level, u, &level.residual(&vec![0.0; level.nodes()], u))
}

/// A problem without sources and γ, as it is or with a conductivity that is noise.
fn homogeneous_or_noisy(problem: &Problem, is_noisy: bool) -> Problem {
    let metric = match is_noisy {
        true => Metric::new("noise", "", |x, y| [1.0, 1.0, noise(x, y)]),
        false => problem.metric.clone(),
    };
    Problem { metric, ..homogeneous(problem) }
}

/// A random field of a level, zero where the value is prescribed.
fn free_field(problem: &Problem, number: u32, level: &Level, seed: u32) -> Vec<f64> {
    let mut u = replicated(&problem.grid, number, &random(level.nodes(), seed));
    for (node, u) in u.iter_mut().enumerate() {
        if level.is_held(node) {
            *u = 0.0;
        }
    }
    u
}

fn levels(problem: &Problem) -> Vec<Level> {
    Level::all(&Equations::new(problem).unwrap(), problem.levels()).unwrap()
}

/// P e
fn interpolated(fine: &Level, coarse: &Level, e: &[f64]) -> Vec<f64> {
    fine.correct(coarse, e, &vec![0.0; fine.nodes()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn restriction_is_the_transpose_of_interpolation(problem in problem(2, 40, 0.6), seed: u32) {
        let levels = levels(&problem);
        for (level, pair) in levels.windows(2).enumerate() {
            let [fine, coarse] = pair else { unreachable!() };
            let r = replicated(&problem.grid, level as u32, &random(fine.nodes(), seed));
            let e = random(coarse.nodes(), seed.wrapping_add(1));
            let e = replicated(&problem.grid, level as u32 + 1, &e);
            let up = product(fine, &interpolated(fine, coarse, &e), &r);
            let down = product(coarse, &e, &fine.restrict(coarse, &r));
            let scale = norm(fine, &r) * norm(coarse, &e);
            prop_assert!((up - down).abs() <= 1e-13 * scale, "{up} {down}");
            // Constants are interpolated as they are, so a residual's sum is restricted as it is.
            for value in interpolated(fine, coarse, &vec![1.0; coarse.nodes()]) {
                prop_assert!((value - 1.0).abs() < 1e-15);
            }
        }
    }

    /// Without sources and flow through the sides, any constant is a solution, to the last digit.
    #[test]
    fn rows_of_the_operator_sum_to_zero(problem in problem(2, 40, 0.6), constant in -9.0f64..9.0) {
        let insulated = Boundaries::all(&problem.grid, Condition::slope(0.0));
        let problem = Problem { boundaries: insulated, ..problem };
        for level in levels(&problem) {
            let (f, u) = (vec![0.0; level.nodes()], vec![constant; level.nodes()]);
            prop_assert!(level.residual(&f, &u).iter().all(|r| *r == 0.0));
        }
    }

    #[test]
    fn the_operator_is_symmetric_and_not_positive(problem in problem(2, 40, 0.6), seed: u32) {
        let problem = homogeneous(&problem);
        for (number, level) in levels(&problem).iter().enumerate() {
            let field = |seed| free_field(&problem, number as u32, level, seed);
            let zero = vec![0.0; level.nodes()];
            let minus_l = |u: &[f64]| level.residual(&zero, u);
            let (u, v) = (field(seed), field(seed.wrapping_add(7)));
            let [lu, lv] = [minus_l(&u), minus_l(&v)];
            let scale = norm(level, &lu) * norm(level, &v) + norm(level, &lv) * norm(level, &u);
            let difference = product(level, &lu, &v) - product(level, &lv, &u);
            prop_assert!(difference.abs() <= 1e-13 * scale, "{difference}");
            prop_assert!(product(level, &lu, &u) >= -1e-13 * scale);
        }
    }

    /// So that no correction is too long, whatever the coefficients.
    #[test]
    fn a_correction_costs_at_least_the_energy_that_it_costs_interpolated(
        problem in problem(2, 40, 0.9),
        is_noisy: bool,
        seed: u32,
    ) {
        let problem = homogeneous_or_noisy(&problem, is_noisy);
        for (number, pair) in levels(&problem).windows(2).enumerate() {
            let [fine, coarse] = pair else { unreachable!() };
            let e = free_field(&problem, number as u32 + 1, coarse, seed);
            let interpolated = interpolated(fine, coarse, &e);
            let held = (0..fine.nodes()).filter(|node| fine.is_held(*node));
            prop_assert!(held.into_iter().all(|node| interpolated[node].abs() < 1e-14));
            let (above, below) = (energy(coarse, &e), energy(fine, &interpolated));
            prop_assert!(below <= above * (1.0 + 1e-12) + 1e-13, "{below} {above}");
        }
    }

    /// Coefficients that are constant: the coarser grid's own.
    #[test]
    fn constant_coefficients_stay_what_they_are(x in axis(2, 60), y in axis(2, 60)) {
        let grid = Grid { x, y };
        let boundaries = Boundaries::all(&grid, Condition::slope(0.0));
        let source = vec![0.0; grid.nodes(0)];
        let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
        for (level, operator) in (0..).zip(problem.operators(grid.levels_until(1)).unwrap()) {
            let (columns, rows) = grid.size(level);
            for (node, got) in (0..).zip(&operator) {
                let (i, j) = (x.original(level, node % columns), y.original(level, node / columns));
                let is_face = i + 1 < columns && x.originals(level) > 1;
                let east = if is_face { y.width(level, j) / x.interval(level, i) } else { 0.0 };
                prop_assert!((got[1] - east).abs() <= 1e-13 * east);
                let is_face = j + 1 < rows && y.originals(level) > 1;
                let north = if is_face { x.width(level, i) / y.interval(level, j) } else { 0.0 };
                prop_assert!((got[3] - north).abs() <= 1e-13 * north);
            }
        }
    }

    /// Relaxation never does, and corrections that are not too long do not: so no cycle diverges,
    /// of whatever shape, on grids of any size, with any conditions and with coefficients that vary
    /// by (1.43/0.57)³, 16 times, over the grid or from node to node.
    #[test]
    fn no_cycle_increases_the_energy_of_the_error(
        problem in problem(2, 60, 0.43),
        (before, after, visits) in (0usize..4, 0usize..4, 1usize..4),
        coarsest_sweeps in 0usize..9,
        [is_jacobi, is_noisy] in any::<[bool; 2]>(),
        seed: u32,
    ) {
        let problem = homogeneous_or_noisy(&problem, is_noisy);
        let smoother = if is_jacobi { Smoother::Jacobi(0.8) } else { Smoother::RedBlack };
        let settings = Settings { smoother, coarsest_sweeps, ..Settings::robust() };
        let mut solver = Reference::<f64>::new(&problem, &settings).unwrap();
        let equations = Equations::new(&problem).unwrap();
        let f = equations.balanced(equations.right_side()).unwrap();
        let mut u = free_field(&problem, 0, solver.level(0), seed);
        let first = energy(solver.level(0), &u);
        let mut last = first;
        for _ in 0..4 {
            let reported = solver.cycles(1, Cycle { before, after, visits }, &mut u);
            let finest = solver.level(0);
            let residual = finest.residual(&f, &u);
            let truly = Norm::L2.of(finest.originals().map(|node| residual[node]));
            prop_assert!((reported - truly).abs() <= 1e-12 * truly);
            let next = energy(solver.level(0), &u);
            // What rounding leaves of the error's energy is the square of its own share.
            prop_assert!(next <= last * (1.0 + 1e-12) + 1e-25 * first, "{next} after {last}");
            last = next;
        }
    }
}
