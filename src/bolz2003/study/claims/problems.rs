//! Boundary conditions and operators of the claims about section 4.

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::stencil::Stencils;
use crate::solver::Real;

/// Prescribed values on all sides.
pub const DIRICHLET: Sides = Sides::all(Boundary::Dirichlet);
/// Prescribed normal derivatives on all sides.
pub const NEUMANN: Sides = Sides::all(Boundary::Neumann);
/// Both kinds, and corners of every combination.
pub const MIXED: Sides =
    Sides::new([Boundary::Dirichlet, Boundary::Neumann, Boundary::Neumann, Boundary::Dirichlet]);
/// Periodic along both axes.
pub const TORUS: Sides = Sides::all(Boundary::Periodic);
/// Periodic along the rows, between prescribed values.
const CYLINDER: Sides =
    Sides::new([Boundary::Periodic, Boundary::Periodic, Boundary::Dirichlet, Boundary::Dirichlet]);

/// The non-periodic conditions, with their names.
pub const KINDS: [(&str, Sides); 3] =
    [("Dirichlet", DIRICHLET), ("Neumann", NEUMANN), ("mixed", MIXED)];
/// The periodic conditions, with their names.
pub const PERIODIC: [(&str, Sides); 2] = [("torus", TORUS), ("cylinder", CYLINDER)];

/// −∇²u.
pub fn poisson<T: Real>(grid: Grid) -> Stencils<T> {
    Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0)
}

/// −∇·(a ∇u) + σu with variable a and σ.
pub fn variable<T: Real>(grid: Grid) -> Stencils<T> {
    let wavy = |i: usize, j: usize| {
        1.5 + (0.7 * i as f64).sin() * (0.4 * j as f64 + 0.01 * i as f64).cos()
    };
    Stencils::helmholtz(grid, wavy, move |i, j| 0.1 * wavy(j, i))
}
