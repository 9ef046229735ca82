//! Multigrid over the levels that prolongations lead to (geveler2011), residuals in pairs of floats.

use crate::geveler2011::multigrid::{Discretisation, Passes, Precision, Settings, device};
use crate::geveler2011::products::{EllpackLayout, Entries};
use crate::solver::multigrid::Cycle;
use crate::solver::{Criteria, Csr, Outcome};
use crate::stream::Machine;

use super::choice::Layout;
use super::error::SystemError;
use super::options::Levels;

/// Solves A x = b from zero.
pub(super) fn solve(
    machine: &Machine,
    (a, b): (&Csr<f64>, &[f64]),
    layout: Layout,
    levels: &Levels,
    (norm, criteria): (f64, &Criteria),
) -> Result<(Vec<f64>, Outcome), SystemError> {
    let rows = layout.row_format().ok_or(SystemError::NoLevels)?;
    let [before, after] = levels.sweeps;
    let settings = Settings {
        omega: levels.omega,
        cycle: Cycle::v(before, after),
        // From zero the first defect is b. Half of the goal, for the rounding of the last digits.
        reduction: match norm > 0.0 {
            true => criteria.tolerance(norm) / norm / 2.0,
            false => 1.0,
        },
        max_cycles: criteria.max_iterations,
        layout: EllpackLayout {
            rows,
            entries: Entries::Packed,
        },
        passes: Passes::Fused,
        ..Settings::paper_circle()
    };
    let prolongations = levels.prolongations.clone();
    let levels = Discretisation::galerkin(a.clone(), prolongations, b.to_vec())?;
    Ok(device::solve(
        machine,
        &levels,
        &settings,
        Precision::Mixed,
    )?)
}
