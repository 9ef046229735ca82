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

use super::grid::WingGrid;
use crate::goodnight2003::{Error, Solver};
use crate::solver::Criteria;

/// The four flows at each node.
type Potentials = Vec<[f64; 4]>;

/// The stream functions of the undisturbed fluid for u, v and Ω of one, in the frame of the body.
pub(super) fn undisturbed([x, y]: [f64; 2]) -> [f64; 3] {
    // §5.3, Eq. 5, u = ∂ψ/∂y, v = −∂ψ/∂x: (1, 0), (0, 1) and (y, −x)
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
