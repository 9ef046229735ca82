//! The finest grid's residual in another precision than the rest of a solve, and added up in another
//! order: what its rounding alone does (§4.2).

use crate::bolz2003::grid::stencil::{OFFSETS, Stencils, neighbour};
use crate::solver::Real;

/// The products of a stencil with the values around its node, in double precision; zero outside the domain.
fn products<T: Real>(stencils: &Stencils<T>, u: &[T], [i, j]: [usize; 2]) -> [f64; 9] {
    let grid = &stencils.grid;
    let entries = &stencils.entries[grid.place(i, j)];
    std::array::from_fn(|d| match neighbour(grid, [i, j], OFFSETS[d]) {
        Some([k, l]) => entries[d].to_f64() * u[grid.place(k, l)].to_f64(),
        None => 0.0,
    })
}

/// The residual in double precision, of a solve in single.
pub fn in_double(stencils: &Stencils<f32>, b: &[f32], u: &[f32], node: [usize; 2]) -> f32 {
    let place = stencils.grid.place(node[0], node[1]);
    let products = products(stencils, u, node);
    (f64::from(b[place]) - products.iter().sum::<f64>()) as f32
}

/// The residual in single precision, of a solve in double, added up in the order of the text.
pub fn in_order(stencils: &Stencils<f64>, b: &[f64], u: &[f64], node: [usize; 2]) -> f64 {
    let place = stencils.grid.place(node[0], node[1]);
    let products = products(stencils, u, node).map(|product| product as f32);
    f64::from(b[place] as f32 - products.iter().sum::<f32>())
}

/// The same, added up in pairs, as compilers of fragment programs may.
pub fn in_pairs(stencils: &Stencils<f64>, b: &[f64], u: &[f64], node: [usize; 2]) -> f64 {
    let place = stencils.grid.place(node[0], node[1]);
    let p = products(stencils, u, node).map(|product| product as f32);
    let sum = ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7])) + p[8];
    f64::from(b[place] as f32 - sum)
}
