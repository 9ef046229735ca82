//! How fast the cycles of goodnight2003 §4.1 converge, on the CPU in double precision, against what
//! theory says: every kind of side, any size and period, coefficients that vary and jump; and how
//! what stays slow is told.

use crate::goodnight2003::problems::kinds::{homogeneous, kinds, noise, random};
use fragstream::goodnight2003::problem::manufactured::{Coordinates, Manufactured};
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Problem, Reference, Settings, Side,
};
use fragstream::solver::multigrid::{Cycle, default_criteria};
use fragstream::solver::{Criteria, Reason};
use rayon::prelude::*;

/// The factor by which the residual falls in a cycle, in the long run: of the sixth to tenth
/// cycle on a problem whose solution is zero, the solution scaled up again between them.
fn convergence_factor(problem: &Problem, cycle: Cycle, coarsest_sweeps: usize) -> f64 {
    let problem = homogeneous(problem);
    let settings = Settings {
        coarsest_sweeps,
        ..Settings::default()
    };
    let mut solver = Reference::<f64>::new(&problem, &settings).unwrap();
    let mut u: Vec<f64> = (0..problem.grid.nodes(0))
        .map(|node| (node as f64 * 0.7).sin() + (node as f64 * node as f64).cos())
        .collect();
    let mut product = 1.0;
    for done in 0..10 {
        let residual = solver.cycles(1, cycle, &mut u);
        solver.remove_mean(&mut u);
        if done >= 5 {
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
        ([false, false], Coordinates::Cartesian, (33, 33), even),
        ([true, false], Coordinates::Cartesian, (33, 33), even),
        ([false, true], Coordinates::Cartesian, (33, 33), even),
        ([true, true], Coordinates::Cartesian, (33, 33), even),
        ([false, false], Coordinates::Conductive, (33, 33), uneven),
        ([false, true], Coordinates::Polar, (9, 65), uneven),
        ([false, true], Coordinates::Joukowski, (9, 65), uneven),
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
    for size in [(34, 34), (31, 35), (25, 39), (18, 33)] {
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
        (65, 9, 0.065),
        (129, 5, 0.065),
        (129, 2, 0.065),
        (100, 12, 0.2),
        (64, 3, 0.2),
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
        (31, 33, false),
        (27, 27, true),
        (27, 33, true),
        (7, 65, false),
        (35, 32, false),
        (99, 7, true),
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
    let grid = Grid::unit(33, 33).unwrap();
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

/// The worst factors of V(4, 4)- and W(4, 4)-cycles over sizes and sides, for this conductivity.
fn worst_with(conductivity: Conductivity) -> [f64; 2] {
    let metric = || Metric::new("varying", "", move |x, y| [1.0, 1.0, conductivity(x, y)]);
    let worst = |cycle, size: u32| {
        let spacing = 1.0 / f64::from(size - 1);
        let plain = Axis::new(size, 0.0, spacing).unwrap();
        let grid = Grid { x: plain, y: plain };
        let factor = |condition| factor_with(grid, metric(), [condition; 4], cycle);
        let sides = [HELD, INSULATED, leaking(2.0)].into_par_iter();
        sides.map(factor).reduce(|| 0.0, f64::max)
    };
    let of_v = [33, 26].map(|size| worst(Cycle::v(4, 4), size));
    [of_v[0].max(of_v[1]), worst(Cycle::w(4, 4), 26)]
}

/// Where coefficients change little from node to node, the coarser operator costs hardly more energy
/// than it has to. Coarsest grids see all of the change at once, 16:1; relaxation is then as with
/// cells 4:1 at the worst, which V(4, 4) reduces to 0.37.
#[test]
fn coefficients_that_vary_sixteenfold_slow_cycles_down_a_little() {
    for (name, conductivity) in VARYING {
        let [v, w] = worst_with(conductivity);
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
        let [v, w] = worst_with(conductivity);
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
        let mut solver = Reference::<f64>::new(&problem, &Settings::default()).unwrap();
        let criteria = Criteria {
            rtol: 1e-10,
            max_iterations: 30,
            ..default_criteria()
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
