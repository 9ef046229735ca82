//! Multigrid over the levels of given prolongations (geveler2011), residuals in pairs of floats.

use super::error::SolveError;
use crate::geveler2011::{Discretisation, Precision, RowFormat, Settings, device};
use crate::layouts::ELLPACK_R;
use crate::layouts::ellpack::packed;
use crate::solver::multigrid::Cycle;
use crate::solver::{Criteria, Outcome};
use crate::stream::Machine;

use super::options::Levels;
use super::prepared::Prepared;

/// Solves A x = b from zero.
pub(super) fn solve(
    machine: &Machine,
    system: &Prepared,
    b: &[f64],
    levels: &Levels,
    (norm, criteria): (f64, &Criteria),
) -> Result<(Vec<f64>, Outcome), SolveError> {
    let is_ending = system.layout == ELLPACK_R;
    let rows = if is_ending { RowFormat::EllpackR } else { RowFormat::Ellpack };
    let settings = Settings {
        omega: levels.omega,
        cycle: Cycle::v(levels.before, levels.after),
        // From zero the first defect is b. The goal is half of the tolerance; the rest allows for rounding
        // errors.
        reduction: if norm > 0.0 { criteria.tolerance(norm) / norm / 2.0 } else { 1.0 },
        max_cycles: criteria.max_iterations,
        layout: packed(rows),
        ..Settings::paper_circle()
    };
    let prolongations = levels.prolongations.clone();
    let levels = Discretisation::galerkin((*system.a).clone(), prolongations, b.to_vec())?;
    let solved = device::solve(machine, &levels, &settings, Precision::Mixed)?;
    let [_, residual] = solved.residuals;
    let outcome = Outcome {
        reason: *solved.reason,
        iterations: solved.cycles(),
        residual,
        verified: Some(residual),
        history: solved.history,
        replacements: 0,
    };
    Ok((solved.u, outcome))
}
