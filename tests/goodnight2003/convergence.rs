//! How fast the cycles of goodnight2003 §4.1 converge, on the CPU in double precision, against what
//! theory says: every kind of side, any size and period.

use crate::goodnight2003::kinds::{homogeneous, kinds, random};
use fragstream::goodnight2003::study::manufactured::{Coordinates, Manufactured};
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Problem, Reference, Settings, Side,
};
use fragstream::solver::multigrid::Cycle;
use rayon::prelude::*;

/// The factor by which the residual falls in a cycle, in the long run: of the sixth to tenth
/// cycle on a problem whose solution is zero, the solution scaled up again between them.
fn convergence_factor(problem: &Problem, cycle: Cycle, coarsest_sweeps: usize) -> f64 {
    let problem = homogeneous(problem);
    let settings = Settings { coarsest_sweeps, ..Settings::robust() };
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
            assert!(worst < bound, "{coordinates:?} {periodic:?} {cycle:?}: {worst}");
        }
    }
}

/// The factor for a problem with these conditions: west, east, south, north.
fn factor_with(grid: Grid, conditions: [Condition; 4]) -> f64 {
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
    let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
    convergence_factor(&problem, Cycle::v(2, 2), 8)
}

const HELD: Condition = Condition::value(0.0);
const INSULATED: Condition = Condition::slope(0.0);

/// Flow through a side of this share of the value.
fn leaking(alpha: f64) -> Condition {
    Condition { alpha, ..INSULATED }
}

/// The bound of grids that halve evenly, and that of all others: where the last interval of coarser grids is longer,
/// up to twice, the stencil is as much stronger in one direction, and relaxation worse.
const EVEN: f64 = 0.065;
const UNEVEN: f64 = 0.25;

/// Where the short side has a single node left, a row of nodes is relaxed as well as a square. Around a period with
/// an odd number of intervals red nodes meet, and the last one of the coarser grid is longer. The mean that hardly
/// anything holds is found by the grid of a single node.
#[test]
fn any_shape_converges_as_squares_do_whatever_the_sides() {
    let axis = |nodes, periodic| match periodic {
        true => Axis::periodic(nodes, 0.0, 0.1).unwrap(),
        false => Axis::new(nodes, 0.0, 0.1).unwrap(),
    };
    let sides = [
        [HELD; 4],
        [INSULATED; 4],
        [INSULATED, INSULATED, HELD, HELD],
        [leaking(1.0), leaking(1.0), HELD, HELD],
        [leaking(1e-6), INSULATED, INSULATED, INSULATED],
    ];
    for (columns, rows, periodic, bound) in [
        (33, 33, [false, false], EVEN),
        (65, 9, [false, false], EVEN),
        (2, 129, [false, false], EVEN),
        (34, 34, [false, false], UNEVEN),
        (25, 39, [false, false], UNEVEN),
        (100, 12, [false, false], UNEVEN),
        (31, 33, [true, false], UNEVEN),
        (27, 27, [true, true], UNEVEN),
        (7, 65, [true, false], UNEVEN),
    ] {
        let grid = Grid { x: axis(columns, periodic[0]), y: axis(rows, periodic[1]) };
        for conditions in sides {
            let factor = factor_with(grid, conditions);
            assert!(factor < bound, "{columns} x {rows}, {conditions:?}: {factor}");
        }
    }
}

/// Insulated but for a piece of one side that lies between the nodes of coarser grids: these must
/// know that something holds the solution, or their corrections have no end. That cycles converge
/// slowly then is another matter: coarser grids see a larger piece.
#[test]
fn a_held_piece_of_a_side_is_not_lost_on_coarser_grids() {
    let grid = Grid::unit(65, 65).unwrap();
    for (first, last) in [(33, 33), (35, 36), (1, 7)] {
        for piece in [Condition::value(1.0), Condition { alpha: 3.0, beta: 1.0, gamma: 1.0 }] {
            let each = (0..65).map(|node| match (first..=last).contains(&node) {
                true => piece,
                false => Condition::slope(0.0),
            });
            let boundaries =
                Boundaries::all(&grid, Condition::slope(0.0)).with_each(Side::West, each.collect());
            let source = random(grid.nodes(0), 7);
            let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
            let factor = convergence_factor(&problem, Cycle::v(2, 2), 64);
            assert!(factor < 1.0, "{first} to {last}, beta {}: {factor}", piece.beta);
        }
    }
}
