//! What the tests of multigrid share.

use fragstream::bolz2003::grid::geometry::{Boundary, Sides};

pub const DIRICHLET: Sides = Sides::all(Boundary::Dirichlet);
pub const NEUMANN: Sides = Sides::all(Boundary::Neumann);
pub const MIXED: Sides = Sides {
    left: Boundary::Dirichlet,
    right: Boundary::Neumann,
    bottom: Boundary::Neumann,
    top: Boundary::Dirichlet,
};
pub const ALL_SIDES: [Sides; 3] = [DIRICHLET, NEUMANN, MIXED];
