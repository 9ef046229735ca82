//! The boundary value problems of goodnight2003 §2.1 and §4.2 against mathematics, solved on the CPU
//! in double precision: second order in the spacing for every kind of side and coordinates, what
//! the matrices of the kernels have to be, and how fast cycles converge.

use std::ops::Range;

use fragstream::goodnight2003::experiments::manufactured::{
    Coordinates, Kind, Manufactured, errors,
};
use fragstream::goodnight2003::{
    Axis, Boundaries, Colour, Condition, Grid, HostOptions, HostSolver, Metric, Problem, Side,
    Smoother, TwinLevel,
};
use fragstream::solver::multigrid::{Cycle, default_criteria};
use fragstream::solver::{Criteria, Reason};
use proptest::prelude::*;
use rayon::prelude::*;

/// Far below the discretisation's error.
const CRITERIA: Criteria = Criteria {
    rtol: 1e-10,
    max_iterations: 60,
    ..default_criteria()
};

/// All kinds on the sides of axes that are not periodic.
fn kinds(periodic: [bool; 2]) -> Vec<[Option<Kind>; 4]> {
    let choices = |periodic: bool| match periodic {
        true => vec![[None; 2]],
        false => Kind::ALL
            .into_iter()
            .flat_map(|a| Kind::ALL.map(|b| [Some(a), Some(b)]))
            .collect(),
    };
    let (x, y) = (choices(periodic[0]), choices(periodic[1]));
    x.iter()
        .flat_map(|x| y.iter().map(|y| [x[0], x[1], y[0], y[1]]))
        .collect()
}

/// The largest error and its root mean square on each of these grids.
fn errors_on(problem: Manufactured, sizes: &[(u32, u32)]) -> Vec<[f64; 2]> {
    let error = |&(columns, rows): &(u32, u32)| {
        let (stated, exact) = problem.problem(columns, rows).unwrap();
        let solver = HostSolver::<f64>::new(&stated, HostOptions::default()).unwrap();
        let solution = solver.solve(Cycle::v(2, 2), &CRITERIA);
        let reason = solution.outcome.reason;
        assert!(reason.is_converged(), "{}: {reason}", problem.name());
        errors(&stated, &solution.u, &exact)
    };
    sizes.iter().map(error).collect()
}

/// Whether halving the spacing quarters the error, in both norms, on three grids and more.
///
/// The error is c h² (1 + d h + …): beside the h² of the stencils, nodes on sides, whose share of
/// all nodes falls like h, have another constant. So the order measured between h and h/2 is off by
/// about d h / (2 ln 2), and half as much on the next pair: 0.2 and 0.1 are what d = 4.4 makes of
/// the first spacing, 1/16.
fn assert_second_order(coordinates: Coordinates, periodic: [bool; 2], sizes: &[(u32, u32)]) {
    kinds(periodic).into_par_iter().for_each(|kinds| {
        let problem = Manufactured { coordinates, kinds };
        let errors = errors_on(problem, sizes);
        for (pair, errors) in errors.windows(2).enumerate() {
            for (norm, (coarse, fine)) in errors[0].iter().zip(errors[1]).enumerate() {
                let order = (coarse / fine).log2();
                let tolerance = if pair == 0 { 0.2 } else { 0.1 };
                assert!(
                    (order - 2.0).abs() < tolerance,
                    "{}: order {order:.3} in norm {norm} from {:?} to {:?}",
                    problem.name(),
                    sizes[pair],
                    sizes[pair + 1],
                );
            }
        }
    });
}

const SQUARES: [(u32, u32); 3] = [(17, 17), (33, 33), (65, 65)];

/// Their coarser grids have last intervals that are longer than the others.
const ODD: [(u32, u32); 3] = [(22, 31), (43, 61), (85, 121)];

/// Angles are about as far apart as radii.
const TURNS: [(u32, u32); 3] = [(9, 65), (17, 129), (33, 257)];

#[test]
fn second_order_with_every_kind_on_every_side() {
    assert_second_order(Coordinates::Cartesian, [false, false], &SQUARES);
}

#[test]
fn second_order_on_grids_of_any_size() {
    assert_second_order(Coordinates::Cartesian, [false, false], &ODD);
}

#[test]
fn second_order_on_periodic_grids() {
    for periodic in [[true, false], [false, true], [true, true]] {
        assert_second_order(
            Coordinates::Cartesian,
            periodic,
            &[(33, 33), (65, 65), (129, 129)],
        );
    }
    assert_second_order(
        Coordinates::Cartesian,
        [true, false],
        &[(33, 22), (65, 43), (129, 85)],
    );
}

#[test]
fn second_order_with_a_conductivity_that_varies() {
    let sizes = [(33, 33), (65, 65), (129, 129)];
    for periodic in [[false, false], [true, false], [false, true], [true, true]] {
        assert_second_order(Coordinates::Conductive, periodic, &sizes);
    }
}

#[test]
fn second_order_in_polar_coordinates() {
    assert_second_order(Coordinates::Polar, [false, true], &TURNS);
    assert_second_order(Coordinates::Polar, [false, false], &SQUARES);
}

#[test]
fn second_order_in_conformal_coordinates() {
    assert_second_order(Coordinates::Joukowski, [false, true], &TURNS);
    assert_second_order(Coordinates::Joukowski, [false, false], &SQUARES);
    assert_second_order(Coordinates::Square, [false, false], &ODD);
}

/// A random problem without sources and with all γ zero, so that zero is its solution.
fn homogeneous(problem: &Problem) -> Problem {
    let mut problem = problem.clone();
    let mut boundaries = Boundaries::new();
    for side in Side::ALL {
        if let Some(conditions) = problem.boundaries.side(side) {
            let without = |c: &Condition| Condition { gamma: 0.0, ..*c };
            boundaries = boundaries.with_each(side, conditions.iter().map(without).collect());
        }
    }
    problem.boundaries = boundaries;
    problem.source.fill(0.0);
    problem
}

/// The factor by which the residual falls in a cycle, in the long run: of the tenth to fourteenth
/// cycle on a problem whose solution is zero, the solution scaled up again between them.
fn convergence_factor(problem: &Problem, cycle: Cycle, coarsest_sweeps: usize) -> f64 {
    let problem = homogeneous(problem);
    let options = HostOptions {
        coarsest_sweeps,
        ..HostOptions::default()
    };
    let solver = HostSolver::<f64>::new(&problem, options).unwrap();
    let mut u: Vec<f64> = (0..problem.grid.nodes(0))
        .map(|node| (node as f64 * 0.7).sin() + (node as f64 * node as f64).cos())
        .collect();
    let mut product = 1.0;
    for done in 0..14 {
        solver.cycles(1, cycle, &mut u);
        solver.remove_mean(&mut u);
        let residual = solver.true_residual(&u);
        if done >= 9 {
            product *= residual;
        }
        u.iter_mut().for_each(|u| *u /= residual);
    }
    product.powf(0.2)
}

/// The worst factor over all kinds of sides.
fn worst_factor(
    periodic: [bool; 2],
    coordinates: Coordinates,
    size: (u32, u32),
    cycle: Cycle,
    coarsest_sweeps: usize,
) -> f64 {
    kinds(periodic)
        .into_par_iter()
        .map(|kinds| {
            let stated = Manufactured { coordinates, kinds };
            let (problem, _) = stated.problem(size.0, size.1).unwrap();
            convergence_factor(&problem, cycle, coarsest_sweeps)
        })
        .reduce(|| 0.0, f64::max)
}

/// Local Fourier analysis of red-black relaxation of the five-point stencil with full weighting and
/// bilinear interpolation gives 0.041 for four sweeps a level (Trottenberg, Oosterlee, Schüller:
/// *Multigrid*, table 4.1), between two levels; a V-cycle and the sides cost some more. With 16
/// sweeps the smooth part is left, which falls like one over the sweeps. Where conductivity or
/// radius makes one direction stronger by up to three, relaxation is as much worse.
#[test]
fn cycles_reduce_the_residual_as_theory_says_whatever_the_sides() {
    let even = [0.065, 0.02];
    let uneven = [0.14, 0.045];
    for (periodic, coordinates, size, bounds) in [
        ([false, false], Coordinates::Cartesian, (65, 65), even),
        ([true, false], Coordinates::Cartesian, (65, 65), even),
        ([false, true], Coordinates::Cartesian, (65, 65), even),
        ([true, true], Coordinates::Cartesian, (65, 65), even),
        ([false, false], Coordinates::Conductive, (65, 65), uneven),
        ([false, true], Coordinates::Polar, (17, 129), uneven),
        ([false, true], Coordinates::Joukowski, (17, 129), uneven),
    ] {
        for (cycle, bound) in [Cycle::v(2, 2), Cycle::v(8, 8)].into_iter().zip(bounds) {
            let worst = worst_factor(periodic, coordinates, size, cycle, 64);
            println!(
                "{coordinates:?} {periodic:?} {size:?} V({0}, {0}): {worst:.3}",
                cycle.before
            );
            assert!(
                worst < bound,
                "{coordinates:?} {periodic:?} {cycle:?}: {worst}"
            );
        }
    }
}

/// Eight sweeps solve three by three nodes but for the part that is nearly constant, where only one
/// side, and that loosely, holds the solution. More sweeps on the finer levels are then no help.
#[test]
fn eight_sweeps_on_the_coarsest_level_leave_a_fifth_at_most() {
    let square = Coordinates::Cartesian;
    let factor = |cycle| worst_factor([false, false], square, (33, 33), cycle, 8);
    let [short, long] = [factor(Cycle::v(2, 2)), factor(Cycle::v(8, 8))];
    println!("V(2, 2): {short:.3}, V(8, 8): {long:.3}");
    assert!(short < 0.2 && long < 0.1, "{short} {long}");
}

/// Where the last interval of coarser grids is longer, up to twice, the stencil there is as much
/// stronger in one direction, and relaxation worse.
#[test]
fn sizes_that_cannot_be_halved_converge_nearly_as_fast() {
    for size in [(66, 66), (63, 67), (130, 66), (50, 39), (97, 130)] {
        let grid = Grid::unit(size.0, size.1).unwrap();
        let factor = |kinds| {
            let stated = Manufactured {
                coordinates: Coordinates::Cartesian,
                kinds,
            };
            let (mut problem, _) = stated.problem(size.0, size.1).unwrap();
            problem.grid = grid;
            convergence_factor(&problem, Cycle::v(2, 2), 64)
        };
        let worst = kinds([false, false])
            .into_par_iter()
            .map(factor)
            .reduce(|| 0.0, f64::max);
        println!("{size:?}: {worst:.3}");
        assert!(worst < 0.25, "{size:?}: {worst}");
    }
}

/// The factor for a problem with these conditions: west, east, south, north.
fn factor_with(grid: Grid, metric: Metric, conditions: [Condition; 4], cycle: Cycle) -> f64 {
    let mut boundaries = Boundaries::new();
    for (side, condition) in Side::ALL.into_iter().zip(conditions) {
        let axis = match side {
            Side::West | Side::East => &grid.x,
            Side::South | Side::North => &grid.y,
        };
        if !axis.is_periodic() {
            boundaries = boundaries.with(&grid, side, condition);
        }
    }
    let source = vec![0.0; grid.nodes(0)];
    let problem = Problem::new(grid, metric, boundaries, source).unwrap();
    convergence_factor(&problem, cycle, 8)
}

const HELD: Condition = Condition::value(0.0);
const INSULATED: Condition = Condition::slope(0.0);

/// Flow through a side of this share of the value.
fn leaking(alpha: f64) -> Condition {
    Condition { alpha, ..INSULATED }
}

/// Where the short side has a single node left, a row of nodes is relaxed as well as a square; so
/// the bounds are those of squares, of sizes that can be halved and of others.
#[test]
fn elongated_grids_converge_as_squares_do_whatever_the_long_sides() {
    for (columns, rows, bound) in [
        (257, 17, 0.065),
        (513, 9, 0.065),
        (1025, 5, 0.065),
        (513, 2, 0.065),
        (500, 12, 0.2),
        (64, 3, 0.2),
        (333, 23, 0.2),
    ] {
        let (wide, high) = (Grid::unit(columns, rows), Grid::unit(rows, columns));
        for (long, short) in [
            (INSULATED, HELD),
            (INSULATED, INSULATED),
            (HELD, INSULATED),
            (leaking(1.0), HELD),
            (leaking(0.01), INSULATED),
        ] {
            let [w, h] = [(&wide, [short, long]), (&high, [long, short])].map(|(grid, [x, y])| {
                let grid = grid.clone().unwrap();
                let conditions = [x, x, y, y];
                factor_with(grid, Metric::cartesian(), conditions, Cycle::v(2, 2))
            });
            println!("{columns} x {rows}, {long:?}, {short:?}: {w:.3} {h:.3}");
            assert!(w.max(h) < bound, "{columns} x {rows}: {w} {h}");
        }
    }
}

/// Round a period of an odd number of intervals, the last one of the coarser grid is longer, as at
/// the end of any size that cannot be halved, and red nodes meet: the bound is that of such sizes.
#[test]
fn periods_that_cannot_be_halved_converge_nearly_as_fast() {
    let axis = |nodes, periodic| match periodic {
        true => Axis::periodic(nodes, 0.0, 0.1).unwrap(),
        false => Axis::new(nodes, 0.0, 0.1).unwrap(),
    };
    for (columns, rows, round) in [
        (63, 65, false),
        (51, 51, true),
        (103, 65, true),
        (7, 129, false),
        (31, 257, false),
        (59, 64, false),
        (99, 7, true),
        (255, 255, true),
    ] {
        let grid = Grid {
            x: axis(columns, true),
            y: axis(rows, round),
        };
        for condition in [HELD, INSULATED] {
            let conditions = [condition; 4];
            let factor = factor_with(grid, Metric::cartesian(), conditions, Cycle::v(2, 2));
            println!("{columns} x {rows}, {condition:?}: {factor:.3}");
            assert!(factor < 0.25, "{columns} x {rows}: {factor}");
        }
    }
}

/// The mean that hardly anything holds is found by the grid of a single node: the bound is that of
/// all other conditions.
#[test]
fn a_solution_that_leaks_hardly_hold_is_found_as_fast() {
    let grid = Grid::unit(65, 65).unwrap();
    for alpha in [1.0, 1e-1, 1e-3, 1e-6] {
        let leak = leaking(alpha);
        for conditions in [[leak; 4], [leak, INSULATED, INSULATED, INSULATED]] {
            let factor = factor_with(grid, Metric::cartesian(), conditions, Cycle::v(2, 2));
            println!("{alpha}: {factor:.3}");
            assert!(factor < 0.065, "{alpha}: {factor}");
        }
    }
}

type Conductivity = fn(f64, f64) -> f64;

const TURN: f64 = std::f64::consts::TAU;

/// Between 1 and 16, or 1/4 and 4.
const VARYING: [(&str, Conductivity); 3] = [
    ("exponential", |x, _| 16f64.powf(x)),
    ("one wave", |x, y| {
        4f64.powf((TURN * x).sin() * (TURN * y).sin())
    }),
    ("four waves", |x, y| {
        4f64.powf((4.0 * TURN * x).sin() * (4.0 * TURN * y).cos())
    }),
];

/// Between 1/4 and 4, from node to node.
fn noise(x: f64, y: f64) -> f64 {
    4f64.powf(((x * 1271.3).sin() * 43758.5 + (y * 3117.7).sin() * 22578.1).sin())
}

/// The same from one node to the next.
const JUMPING: [(&str, Conductivity); 6] = [
    ("half", |x, _| if x < 0.47 { 1.0 } else { 16.0 }),
    ("disk", |x, y| {
        if (x - 0.4).hypot(y - 0.55) < 0.21 {
            16.0
        } else {
            1.0
        }
    }),
    ("hole", |x, y| {
        if (x - 0.4).hypot(y - 0.55) < 0.21 {
            1.0
        } else {
            16.0
        }
    }),
    ("channel", |x, y| {
        if (y - 0.5 - 0.2 * (6.0 * x).sin()).abs() < 0.02 {
            16.0
        } else {
            1.0
        }
    }),
    ("chessboard", |x, y| {
        match (8.0 * x).floor() + (8.0 * y).floor() {
            field if field % 2.0 == 0.0 => 16.0,
            _ => 1.0,
        }
    }),
    ("noise", noise),
];

/// The worst factor of V(4, 4)- or W(4, 4)-cycles over sizes and sides, for this conductivity.
fn worst_with(conductivity: Conductivity, cycle: Cycle) -> f64 {
    let metric = |_| Metric::new("varying", "", move |x, y| [1.0, 1.0, conductivity(x, y)]);
    let sizes = [33u32, 65, 100, 129].into_par_iter();
    let factor = |size| {
        let spacing = 1.0 / f64::from(size - 1);
        let plain = Axis::new(size, 0.0, spacing).unwrap();
        let factor = |condition| {
            let grid = Grid { x: plain, y: plain };
            factor_with(grid, metric(0), [condition; 4], cycle)
        };
        [HELD, INSULATED, leaking(2.0)]
            .map(factor)
            .into_iter()
            .fold(0.0, f64::max)
    };
    sizes.map(factor).reduce(|| 0.0, f64::max)
}

/// Where coefficients change little from node to node, the coarser operator costs hardly more energy
/// than it has to. Coarsest grids see all of the change at once, 16:1; relaxation is then as with
/// cells 4:1 at the worst, which V(4, 4) reduces to 0.37.
#[test]
fn coefficients_that_vary_sixteenfold_slow_cycles_down_a_little() {
    for (name, conductivity) in VARYING {
        let [v, w] = [Cycle::v(4, 4), Cycle::w(4, 4)].map(|c| worst_with(conductivity, c));
        println!("{name}: V {v:.3}, W {w:.3}");
        assert!(v.max(w) < 0.37, "{name}: {v} {w}");
    }
}

/// Of a smooth error, a grid that is coarse beside the jumps corrects what the effective
/// conductivity is of the mean one. That is the harmonic mean at least: of 1 and 16 in any parts,
/// 0.22 of the mean at the worst, in equal parts. So 0.78 is left at most, whatever the size.
#[test]
fn coefficients_that_jump_sixteenfold_slow_cycles_down_to_a_bound() {
    for (name, conductivity) in JUMPING {
        let [v, w] = [Cycle::v(4, 4), Cycle::w(4, 4)].map(|c| worst_with(conductivity, c));
        println!("{name}: V {v:.3}, W {w:.3}");
        assert!(v < 0.78 && w < 0.78, "{name}: {v} {w}");
    }
}

/// What has no bound, or none that serves, ends with its name: sides that feed what they should damp,
/// and cells that are elongated themselves, which relaxation by points smooths along their short side
/// alone, 0.83 a cycle.
#[test]
fn what_stays_slow_or_diverges_is_told() {
    let square = Grid::unit(33, 33).unwrap();
    let elongated = Grid {
        x: Axis::new(65, 0.0, 0.1).unwrap(),
        y: Axis::new(65, 0.0, 1.0).unwrap(),
    };
    for (grid, condition, reason) in [
        (square, leaking(-3.0), Reason::Diverged),
        (elongated, HELD, Reason::MaximumIterations),
    ] {
        let boundaries = Boundaries::all(&grid, condition);
        let source = random(grid.nodes(0), 3);
        let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
        let solver = HostSolver::<f64>::new(&problem, HostOptions::default()).unwrap();
        let criteria = Criteria {
            max_iterations: 30,
            ..CRITERIA
        };
        let outcome = solver.solve(Cycle::v(4, 4), &criteria).outcome;
        println!("{outcome:?}");
        assert_eq!(outcome.reason, reason);
    }
}

/// Insulated but for a piece of one side that lies between the nodes of coarser grids: these must
/// know that something holds the solution, or their corrections have no end. That cycles converge
/// slowly then is another matter: coarser grids see a larger piece.
#[test]
fn a_held_piece_of_a_side_is_not_lost_on_coarser_grids() {
    let grid = Grid::unit(65, 65).unwrap();
    for (first, last) in [(33, 33), (35, 36), (1, 7)] {
        for piece in [
            Condition::value(1.0),
            Condition {
                alpha: 3.0,
                beta: 1.0,
                gamma: 1.0,
            },
        ] {
            let each = (0..65).map(|node| match (first..=last).contains(&node) {
                true => piece,
                false => Condition::slope(0.0),
            });
            let boundaries =
                Boundaries::all(&grid, Condition::slope(0.0)).with_each(Side::West, each.collect());
            let source = random(grid.nodes(0), 7);
            let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
            let factor = convergence_factor(&problem, Cycle::v(2, 2), 64);
            println!("{first} to {last}, beta {}: {factor:.3}", piece.beta);
            assert!(
                factor < 1.0,
                "{first} to {last}, beta {}: {factor}",
                piece.beta
            );
        }
    }
}

/// An axis of up to `most` nodes.
fn axis(least: u32, most: u32, spacing: Range<f64>) -> impl Strategy<Value = Axis> {
    (least..=most, any::<bool>(), spacing).prop_map(|(nodes, periodic, spacing)| {
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
    problem_of_cells(least, most, swing, 0.5..2.0)
}

/// The same, with nodes at distances in this range.
fn problem_of_cells(
    least: u32,
    most: u32,
    swing: f64,
    spacing: Range<f64>,
) -> impl Strategy<Value = Problem> {
    (
        axis(least, most, spacing.clone()),
        axis(least, most, spacing),
    )
        .prop_flat_map(move |(x, y)| {
            let grid = Grid { x, y };
            (
                Just(grid),
                metric(grid, swing),
                prop::array::uniform8(condition()),
                any::<u32>(),
            )
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
            let source = replicated(&grid, &random(grid.nodes(0), seed));
            Problem::new(grid, metric, boundaries, source).unwrap()
        })
}

/// Numbers between -1 and 1, always the same.
fn random(count: usize, seed: u32) -> Vec<f64> {
    let mut state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// The same values, but those of replicas.
fn replicated(grid: &Grid, values: &[f64]) -> Vec<f64> {
    level_replicated(grid, 0, values)
}

fn level_replicated(grid: &Grid, level: u32, values: &[f64]) -> Vec<f64> {
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
fn product(level: &TwinLevel<f64>, a: &[f64], b: &[f64]) -> f64 {
    let (columns, _) = level.size();
    let counts = |node: &usize| !level.is_replica(node % columns, node / columns);
    (0..a.len())
        .filter(counts)
        .map(|node| a[node] * b[node])
        .sum()
}

fn norm(level: &TwinLevel<f64>, a: &[f64]) -> f64 {
    product(level, a, a).sqrt()
}

/// What a level's error costs: −Σ U (L U), for γ zero.
fn energy(level: &TwinLevel<f64>, u: &[f64]) -> f64 {
    product(level, u, &level.residual(&vec![0.0; level.nodes()], u))
}

/// A problem without sources and γ, as it is or with a conductivity that is noise.
fn homogeneous_or_noisy(problem: &Problem, is_noisy: bool) -> Problem {
    let metric = match is_noisy {
        true => Metric::new("noise", "", |x, y| [1.0, 1.0, noise(x, y)]),
        false => problem.metric.clone(),
    };
    Problem {
        metric,
        ..homogeneous(problem)
    }
}

/// A random field of a level, zero where the value is prescribed.
fn free_field(problem: &Problem, number: u32, level: &TwinLevel<f64>, seed: u32) -> Vec<f64> {
    let mut u = level_replicated(&problem.grid, number, &random(level.nodes(), seed));
    for (node, u) in u.iter_mut().enumerate() {
        if level.is_held(node) {
            *u = 0.0;
        }
    }
    u
}

fn levels(problem: &Problem) -> Vec<TwinLevel<f64>> {
    let scales = problem.scales().unwrap();
    (0..problem.levels())
        .map(|level| TwinLevel::of(problem, level, &scales).unwrap())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn restriction_is_the_transpose_of_interpolation(problem in problem(2, 40, 0.6), seed: u32) {
        let levels = levels(&problem);
        for (level, pair) in levels.windows(2).enumerate() {
            let [fine, coarse] = pair else { unreachable!() };
            let r = level_replicated(&problem.grid, level as u32, &random(fine.nodes(), seed));
            let e = random(coarse.nodes(), seed.wrapping_add(1));
            let e = level_replicated(&problem.grid, level as u32 + 1, &e);
            let up = product(fine, &fine.interpolate(coarse, &e), &r);
            let down = product(coarse, &e, &fine.restrict(coarse, &r));
            let scale = norm(fine, &r) * norm(coarse, &e);
            prop_assert!((up - down).abs() <= 1e-13 * scale, "{up} {down}");
        }
    }

    /// Constants are interpolated as they are, so a residual's sum is restricted as it is.
    #[test]
    fn restriction_keeps_the_sum(problem in problem(2, 40, 0.6), seed: u32) {
        for pair in levels(&problem).windows(2) {
            let [fine, coarse] = pair else { unreachable!() };
            let ones = |level: &TwinLevel<f64>| vec![1.0; level.nodes()];
            let r = random(fine.nodes(), seed);
            let before = product(fine, &ones(fine), &r);
            let after = product(coarse, &ones(coarse), &fine.restrict(coarse, &r));
            prop_assert!((before - after).abs() <= 1e-13 * norm(fine, &r) * fine.nodes() as f64);
            for value in fine.interpolate(coarse, &ones(coarse)) {
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
            let field = |seed| -> Vec<f64> {
                let all = random(level.nodes(), seed);
                let all = level_replicated(&problem.grid, number as u32, &all);
                let free = |(node, value): (usize, &f64)| if level.is_held(node) { 0.0 } else { *value };
                let u: Vec<f64> = all.iter().enumerate().map(free).collect();
                level_replicated(&problem.grid, number as u32, &u)
            };
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
            let interpolated = fine.interpolate(coarse, &e);
            let held = (0..fine.nodes()).filter(|node| fine.is_held(*node));
            prop_assert!(held.into_iter().all(|node| interpolated[node].abs() < 1e-14));
            let (above, below) = (energy(coarse, &e), energy(fine, &interpolated));
            prop_assert!(below <= above * (1.0 + 1e-12) + 1e-13, "{below} {above}");
        }
    }

    /// The same for constant coefficients: the coarser grid's own.
    #[test]
    fn constant_coefficients_stay_what_they_are(x in axis(2, 60, 0.5..2.0), y in axis(2, 60, 0.5..2.0)) {
        let grid = Grid { x, y };
        let boundaries = Boundaries::all(&grid, INSULATED);
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
        let options = HostOptions { smoother, coarsest_sweeps, ..HostOptions::default() };
        let solver = HostSolver::<f64>::new(&problem, options).unwrap();
        let mut u = free_field(&problem, 0, solver.level(0), seed);
        let first = energy(solver.level(0), &u);
        let mut last = first;
        for _ in 0..4 {
            solver.cycles(1, Cycle { before, after, visits }, &mut u);
            let next = energy(solver.level(0), &u);
            // What rounding leaves of the error's energy is the square of its own share.
            prop_assert!(next <= last * (1.0 + 1e-12) + 1e-25 * first, "{next} after {last}");
            last = next;
        }
    }

    /// With the F that a solution asks for, its residual is zero and no sweep moves it.
    #[test]
    fn the_solution_stays(problem in problem(2, 40, 0.6), seed: u32) {
        let scales = problem.scales().unwrap();
        let level = TwinLevel::<f64>::of(&problem, 0, &scales).unwrap();
        let mut u = replicated(&problem.grid, &random(level.nodes(), seed));
        for (node, u) in u.iter_mut().enumerate() {
            if level.is_held(node) {
                *u = level.boundary()[node][2] / level.boundary()[node][0];
            }
        }
        let u = replicated(&problem.grid, &u);
        let residual = level.residual(&vec![0.0; level.nodes()], &u);
        let f: Vec<f64> = residual.iter().map(|r| -r).collect();
        let largest = level.operator().iter().flatten().fold(1.0, |a: f64, b| a.max(*b))
            + level.boundary().iter().filter(|b| b[1] != 0.0)
                .fold(1.0, |a: f64, b| a.max(b[3] * (b[0] + b[2].abs()) / b[1]));
        for r in level.residual(&f, &u) {
            prop_assert!(r.abs() <= 1e-14 * largest, "{r}");
        }
        let mut swept = u.clone();
        for colour in Colour::BOTH {
            swept = level.half_sweep(colour, &f, &swept);
        }
        let jumped = level.jacobi(0.8, &f, &u);
        for (node, u) in u.iter().enumerate() {
            // Divided by the row's diagonal, which may be small beside the largest coefficient.
            prop_assert!((swept[node] - u).abs() <= 1e-10, "{} {u}", swept[node]);
            prop_assert!((jumped[node] - u).abs() <= 1e-10);
        }
    }

    /// A replica gets its original's value from every kernel, whatever it held before.
    #[test]
    fn replicas_follow_their_originals(problem in problem(3, 30, 0.6), seed: u32) {
        let grid = &problem.grid;
        for (number, pair) in levels(&problem).windows(2).enumerate() {
            let [fine, coarse] = pair else { unreachable!() };
            let [u, f, e] = [fine.nodes(), fine.nodes(), coarse.nodes()].map(|n| random(n, seed));
            let (here, below) = (number as u32, number as u32 + 1);
            for (level, values) in [
                (here, fine.half_sweep(Colour::Red, &f, &u)),
                (here, fine.half_sweep(Colour::Black, &f, &u)),
                (here, fine.jacobi(0.7, &f, &u)),
                (here, fine.residual(&f, &u)),
                (here, fine.correct(coarse, &e, &u)),
                (below, fine.restrict(coarse, &f)),
            ] {
                prop_assert_eq!(&level_replicated(grid, level, &values), &values);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any problem converges, however slowly, and to a solution of the original equations; so does
    /// damped Jacobi. Where no side holds a value, sources are balanced first.
    #[test]
    fn any_problem_converges(problem in problem_of_cells(2, 60, 0.3, 0.9..1.1)) {
        let mut problem = problem;
        let scales = problem.scales().unwrap();
        if let Err(fragstream::goodnight2003::ProblemError::Incompatible { sum }) = problem.balance(&scales) {
            let whole = problem.whole_volume(&scales);
            problem.source.iter_mut().for_each(|f| *f -= sum / whole);
        }
        for smoother in [Smoother::RedBlack, Smoother::Jacobi(0.8)] {
            let options = HostOptions { smoother, ..HostOptions::default() };
            let solver = HostSolver::<f64>::new(&problem, options).unwrap();
            let criteria = Criteria { rtol: 1e-8, max_iterations: 200, ..default_criteria() };
            let solution = solver.solve(Cycle::v(3, 3), &criteria);
            prop_assert!(solution.outcome.reason.is_converged(), "{:?}", solution.outcome);
            let last = solution.outcome.residual;
            prop_assert!((solution.true_residual - last).abs() <= 1e-6 * last + 1e-13);
        }
    }
}
