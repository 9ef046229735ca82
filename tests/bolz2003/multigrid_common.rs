//! What the tests of multigrid share.

// Every test program uses a part of it.
#![allow(dead_code)]

use fragstream::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use fragstream::stream::Machine;

pub const DIRICHLET: Sides = Sides::all(Boundary::Dirichlet);
pub const NEUMANN: Sides = Sides::all(Boundary::Neumann);
pub const MIXED: Sides = Sides {
    left: Boundary::Dirichlet,
    right: Boundary::Neumann,
    bottom: Boundary::Neumann,
    top: Boundary::Dirichlet,
};
pub const ALL_SIDES: [Sides; 3] = [DIRICHLET, NEUMANN, MIXED];

pub fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// Numbers in [-1, 1), the same on every machine.
pub fn random(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f64 / (1u64 << 23) as f64 - 1.0) as f32
    };
    (0..n).map(|_| next()).collect()
}

/// Random values where nodes are computed, zero elsewhere.
pub fn unknowns(grid: &Grid, seed: u64) -> Vec<f32> {
    let mut values = random(grid.nodes(), seed);
    for (place, value) in values.iter_mut().enumerate() {
        if !grid.is_computed(place % grid.columns(), place / grid.columns()) {
            *value = 0.0;
        }
    }
    values
}
