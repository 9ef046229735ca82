//! F: the divergence of the attenuated gradients, and the Poisson problem with it (Fattal et al.
//! 2002, section 3).
//!
//! On the border the normal derivative is zero, as Fattal et al. have it, and G has no normal
//! component either: neither the gradients nor the solution let anything through. So ∇²I = div G
//! has a solution, up to a constant, and where nothing is attenuated it is H itself.

use crate::stream::{Pass, Rects, Size, Stream, StreamError, source};

use crate::goodnight2003::{Axis, Boundaries, Condition, Grid, Metric, Problem, ProblemError};

/// Draws F into the state of a solver, whose solution becomes zero: .z is F, all else zero.
pub fn draw_divergence(
    logarithm: &Stream,
    attenuation: &Stream,
    state: &Stream,
    place: &Rects,
) -> Result<(), StreamError> {
    let machine = logarithm.machine();
    let kernel = machine.kernel(&source!("goodnight2003/tonemap/source"), &[])?;
    Pass::new(&kernel)
        .read("logarithm", logarithm)
        .read("attenuation", attenuation)
        .set("size", logarithm.size())
        .draw(state, place)
}

/// ∇²I = F on a grid with a node a pixel, one apart, and ∂I/∂n = 0 on all sides; of a panorama above
/// and below, and its first column has a replica behind the last. F is zero as yet.
pub fn problem((columns, rows): Size, is_round: bool) -> Result<Problem, ProblemError> {
    let x = match is_round {
        true => Axis::periodic(columns + 1, 0.0, 1.0)?,
        false => Axis::new(columns, 0.0, 1.0)?,
    };
    let y = Axis::new(rows, 0.0, 1.0)?;
    let grid = Grid { x, y };
    let boundaries = Boundaries::all(&grid, Condition::slope(0.0));
    let source = vec![0.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}
