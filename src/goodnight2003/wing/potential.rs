//! The potential flows around the body, by the multigrid solver.
//!
//! The flow without vorticity is linear in the motion of the frame and in the
//! circulation: ψ = u Ψ_u + v Ψ_v + Ω Ψ_Ω + Γ Ψ_Γ, each term zero on the body. These flows are computed
//! once. Each is the undisturbed flow (y, −x, r²/2, or zero) plus a disturbance, which has the
//! opposite values on the body; far away its normal derivative is zero, or, for Ψ_Γ, that of a vortex. A step
//! then solves for the contribution of the vorticity, with zero on the body and zero normal derivative far away: always
//! the same conditions. The zero derivative leaves the circulation around the whole grid to Γ alone.
//!
//! The condition of zero derivative far away instead of the disturbance's own changes the flow at the body
//! by the square of the body's radius over the grid's: 1/6400 for a grid of 40 diameters.

use std::f64::consts::TAU;

use super::grid::WingGrid;
use crate::goodnight2003::{Error, Solver};
use crate::solver::Criteria;
use crate::stream::Size;

/// The four flows at each node.
pub type Potentials = Vec<[f64; 4]>;

/// The stream functions of the undisturbed fluid for u, v and Ω of one, in the frame of the body.
pub(super) fn undisturbed([x, y]: [f64; 2]) -> [f64; 3] {
    [y, -x, 0.5 * (x * x + y * y)]
}

/// Solves for the four flows. Leaves the solver with zero on the body and zero normal derivative far away.
pub(super) fn solve(solver: &mut Solver, grid: &WingGrid) -> Result<Potentials, Error> {
    let undisturbed_flows = |place: &[f64; 2]| {
        let [u, v, turn] = undisturbed(*place);
        [u, v, turn, 0.0]
    };
    let mut flows: Potentials = grid.places.iter().map(undisturbed_flows).collect();
    let zeros = vec![0.0; grid.places.len()];
    let vortex = -1.0 / grid.far_length();
    for k in 0..4 {
        let slope = if k == 3 { vortex } else { 0.0 };
        let value = |place| if k == 3 { 0.0 } else { -undisturbed(place)[k] };
        solver.set_solution(&zeros)?;
        solver.set_boundary(grid.boundaries(value, slope))?;
        for (flow, disturbance) in flows.iter_mut().zip(converge(solver)?) {
            flow[k] += f64::from(disturbance);
        }
    }
    solver.set_boundary(grid.boundaries(|_| 0.0, 0.0))?;
    solver.set_solution(&zeros)?;
    Ok(flows)
}

/// Cycles until single precision stagnates.
fn converge(solver: &mut Solver) -> Result<Vec<f32>, Error> {
    let criteria = Criteria {
        rtol: 1e-7,
        atol: 0.0,
        // Cells of a user's coordinates may be elongated, and cycles slow.
        max_iterations: 200,
        patience: 3,
        ..Criteria::default()
    };
    let solved = solver.solve(&criteria, |_, _| ())?;
    if solved.is_solved() {
        return solver.solution();
    }
    Err(Error::Unsolved {
        residual: solved.residual,
        tolerance: solved.tolerance.max(solved.rounding),
    })
}

/// Compares the flow at the angle `alpha` with `exact`, which gives the exact stream
/// function at (ξ, η) and its largest value at that distance: the largest difference relative to that value.
pub fn deviation(
    flows: &Potentials,
    (columns, rows): Size,
    range: f64,
    alpha: f64,
    exact: impl Fn(f64, f64) -> [f64; 2],
) -> f64 {
    let (step_xi, step_eta) = (range / f64::from(columns - 1), TAU / f64::from(rows - 1));
    let nodes = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
    let off_body = nodes.zip(flows).filter(|((i, _), _)| *i > 0);
    let differences = off_body.map(|((i, j), flow)| {
        let [psi, reached] = exact(f64::from(i) * step_xi, f64::from(j) * step_eta);
        (alpha.cos() * flow[0] + alpha.sin() * flow[1] - psi).abs() / reached
    });
    differences.fold(0.0, f64::max)
}

/// The circulation, counted clockwise, with which the flow at the angle `alpha` leaves the body
/// smoothly at η = 0, the trailing edge: there ∂ψ/∂ξ = 0. Lift over density and speed
/// (Kutta, Joukowski).
pub fn kutta_circulation(flows: &Potentials, alpha: f64) -> f64 {
    // The first row: 0 on the body; the derivative by the next two nodes.
    let slope = |k: usize| 4.0 * flows[1][k] - flows[2][k] - 3.0 * flows[0][k];
    (alpha.cos() * slope(0) + alpha.sin() * slope(1)) / slope(3)
}
