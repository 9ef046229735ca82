//! The boundary value problems of goodnight2003 §2.1 and §4.2 against mathematics, solved on the CPU
//! in double precision: second order in the spacing for every kind of side and coordinates.

pub mod kinds;

use fragstream::goodnight2003::manufactured::{Coordinates, Manufactured, errors};
use fragstream::goodnight2003::{Reference, Settings};
use fragstream::solver::Criteria;
use fragstream::solver::multigrid::{Cycle, default_criteria};
use kinds::kinds;
use rayon::prelude::*;

/// Far below the discretisation's error.
const CRITERIA: Criteria = Criteria {
    rtol: 1e-8,
    max_iterations: 60,
    ..default_criteria()
};

/// The largest error and its root mean square on each of these grids.
fn errors_on(problem: Manufactured, sizes: &[(u32, u32)]) -> Vec<[f64; 2]> {
    let error = |&(columns, rows): &(u32, u32)| {
        let (stated, exact) = problem.problem(columns, rows).unwrap();
        let mut solver = Reference::<f64>::new(&stated, &Settings::default()).unwrap();
        let solution = solver.solve(Cycle::v(2, 2), &CRITERIA);
        let reason = solution.outcome.reason;
        assert!(reason.is_converged(), "{}: {reason}", problem.name());
        errors(&stated, &solution.u, &exact)
    };
    sizes.iter().map(error).collect()
}

/// Whether halving the spacing quarters the error, in both norms, on two grids and more.
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

/// Their coarser grids have last intervals that are longer than the others.
const ODD: [(u32, u32); 2] = [(11, 16), (21, 31)];

/// Angles are about as far apart as radii.
const TURNS: [(u32, u32); 2] = [(9, 65), (17, 129)];

#[test]
fn second_order_in_any_coordinates() {
    use Coordinates::{Conductive, Joukowski, Polar, Square};
    for coordinates in [Conductive, Polar, Joukowski, Square] {
        assert_second_order(coordinates, [false, false], &ODD);
    }
    assert_second_order(Conductive, [true, true], &[(17, 17), (33, 33)]);
    for coordinates in [Polar, Joukowski] {
        assert_second_order(coordinates, [false, true], &TURNS);
    }
}
