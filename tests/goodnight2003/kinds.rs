//! Problems that the tests of goodnight2003 share.

use crate::common::wide;
use fragstream::goodnight2003::study::manufactured::{Kind, Kinds};
use fragstream::goodnight2003::{Axis, Problem};

pub fn axis(nodes: u32, is_periodic: bool) -> Axis {
    let axis = if is_periodic { Axis::periodic } else { Axis::new };
    axis(nodes, 1.0, 0.5).unwrap()
}

/// Kinds of the four sides: each pair of sides with each pair of kinds. Sides meet by twos, in
/// corners, so that the other combinations would show nothing more.
pub fn kinds(periodic: [bool; 2]) -> Vec<[Option<Kind>; 4]> {
    let kind = |number: usize| Kind::ALL[number % 3];
    let axis = |periodic: bool, [a, b]: [usize; 2]| match periodic {
        true => [None; 2],
        false => [Some(kind(a)), Some(kind(b))],
    };
    // An orthogonal array of four factors with three levels.
    let rows = (0..9).map(|row| (row / 3, row % 3));
    let mut all: Vec<_> = rows
        .map(|(a, b)| {
            let ([west, east], [south, north]) =
                (axis(periodic[0], [a, b]), axis(periodic[1], [a + b, a + 2 * b]));
            [west, east, south, north]
        })
        .collect();
    all.dedup();
    all
}

/// A random problem without sources and with all γ zero, so that zero is its solution.
pub fn homogeneous(problem: &Problem) -> Problem {
    let mut problem = problem.clone();
    problem.boundaries = problem.boundaries.homogeneous();
    problem.source.fill(0.0);
    problem
}

/// Between 1/4 and 4, from node to node.
pub fn noise(x: f64, y: f64) -> f64 {
    4f64.powf(((x * 1271.3).sin() * 43758.5 + (y * 3117.7).sin() * 22578.1).sin())
}

/// Numbers from −1 to 1, in single precision.
pub fn random(count: usize, seed: u32) -> Vec<f64> {
    wide(&crate::common::random(count, seed.into()))
}

#[test]
fn kinds_are_read_as_they_are_printed() {
    use Kind::{Dirichlet, Mixed, Neumann};
    for (word, kinds) in [
        ("mixed", [Some(Mixed); 4]),
        ("periodic", [None; 4]),
        ("dirichlet,neumann,periodic,periodic", [Some(Dirichlet), Some(Neumann), None, None]),
    ] {
        assert_eq!(word.parse(), Ok(Kinds(kinds)));
        assert_eq!(Kinds(kinds).to_string(), word);
    }
    for bad in ["", "open", "mixed,mixed", "periodic,mixed,mixed,mixed", "mixed,"] {
        assert!(bad.parse::<Kinds>().is_err(), "{bad}");
    }
}
