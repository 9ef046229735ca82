//! F: the divergence of the attenuated gradients, and the Poisson problem with it (Fattal et al.
//! 2002, section 3).
//!
//! On the border the normal derivative is zero, as in Fattal et al., and G has no normal
//! component either: there is no flux of the gradients or of the solution. So ∇²I = div G
//! has a solution, up to a constant, and without attenuation it is H itself.

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

/// ∇²I = F on a grid with one node per pixel and unit spacing, and ∂I/∂n = 0 on all sides; for a panorama only above
/// and below, with a replica of the first column after the last. F is still zero.
pub fn problem((columns, rows): Size, is_round: bool) -> Result<Problem, ProblemError> {
    let x = if is_round {
        Axis::periodic(columns + 1, 0.0, 1.0)?
    } else {
        Axis::new(columns, 0.0, 1.0)?
    };
    let y = Axis::new(rows, 0.0, 1.0)?;
    let grid = Grid { x, y };
    let boundaries = Boundaries::all(&grid, Condition::slope(0.0));
    let source = vec![0.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}
