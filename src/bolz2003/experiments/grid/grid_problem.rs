//! What the experiments of section 4 share: boundary conditions and operators.

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::stencil::Stencils;
use crate::solver::Real;

/// Known values all round.
pub const DIRICHLET: Sides = Sides::all(Boundary::Dirichlet);
/// Known derivatives all round.
pub const NEUMANN: Sides = Sides::all(Boundary::Neumann);
/// Both kinds, and corners of every combination of them.
pub const MIXED: Sides = Sides::new([
    Boundary::Dirichlet,
    Boundary::Neumann,
    Boundary::Neumann,
    Boundary::Dirichlet,
]);

/// The boundary conditions with their names in charts.
pub const KINDS: [(&str, Sides); 3] = [
    ("Dirichlet", DIRICHLET),
    ("Neumann", NEUMANN),
    ("mixed", MIXED),
];

/// −∇²u.
pub fn poisson<T: Real>(grid: Grid) -> Stencils<T> {
    Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0)
}

/// −∇·(a ∇u) + σu with nothing constant about it.
pub fn variable<T: Real>(grid: Grid) -> Stencils<T> {
    let wavy = |i: usize, j: usize| {
        1.5 + (0.7 * i as f64).sin() * (0.4 * j as f64 + 0.01 * i as f64).cos()
    };
    Stencils::helmholtz(grid, wavy, move |i, j| 0.1 * wavy(j, i))
}

/// `65²`, or `513×129`.
pub fn size(columns: usize, rows: usize) -> String {
    match columns == rows {
        true => format!("{columns}²"),
        false => format!("{columns}×{rows}"),
    }
}
