//! Checks and names of options that several commands share.

use crate::arguments::{GridSize, SWEEPS, count};
use crate::gl::GlError;
use crate::solver::Cycle;
use crate::stream::Machine;

use super::failure::Failure;

/// Checks that a cycle smooths.
pub fn check_sweeps(cycle: Cycle) -> Result<(), Failure> {
    match cycle.before + cycle.after {
        0 => Err(Failure::input("--pre and --post cannot both be 0")),
        _ => Ok(()),
    }
}

/// Checks, before memory is allocated, that a texture can hold the grid.
pub fn check_limit(machine: &Machine, size: GridSize) -> Result<(), GlError> {
    let limit = machine.description().rectangle_limit;
    let GridSize { columns, rows } = size;
    if columns.max(rows) <= limit {
        Ok(())
    } else {
        Err(GlError::TooLarge { width: columns, height: rows, limit })
    }
}

/// Sweeps before and after a coarser level, as in `4,4`.
pub fn sweeps(text: &str) -> Result<[usize; 2], String> {
    let number = |text: &str| count(0..=SWEEPS)(text.trim()).ok();
    text.split_once(',')
        .and_then(|(before, after)| Some([number(before)?, number(after)?]))
        .filter(|[before, after]| before + after > 0)
        .ok_or_else(|| "give two numbers of sweeps, as in 4,4".to_owned())
}
