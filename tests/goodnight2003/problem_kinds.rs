//! Problems that the tests of goodnight2003 share.

use crate::common::wide;
use fragstream::goodnight2003::experiments::manufactured::Kind;
use fragstream::goodnight2003::{Boundaries, Condition, Problem, Side};

/// All kinds on the sides of axes that are not periodic.
pub fn kinds(periodic: [bool; 2]) -> Vec<[Option<Kind>; 4]> {
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

/// A random problem without sources and with all γ zero, so that zero is its solution.
pub fn homogeneous(problem: &Problem) -> Problem {
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

/// Between 1/4 and 4, from node to node.
pub fn noise(x: f64, y: f64) -> f64 {
    4f64.powf(((x * 1271.3).sin() * 43758.5 + (y * 3117.7).sin() * 22578.1).sin())
}

/// Numbers from −1 to 1, in single precision.
pub fn random(count: usize, seed: u32) -> Vec<f64> {
    wide(&crate::common::random(count, seed.into()))
}
