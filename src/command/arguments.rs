//! Checks and names of options that several commands share.

use clap::ValueEnum;

use crate::arguments::{GridSize, SWEEPS, count};
use crate::gl::GlError;
use crate::solver::Cycle;
use crate::stream::Machine;

use super::failure::Failure;

/// The name of a choice as it is typed.
pub fn name_of(value: impl ValueEnum) -> String {
    let name = value.to_possible_value();
    name.map_or_else(String::new, |name| name.get_name().to_owned())
}

/// Checks that a cycle smooths.
pub fn check_sweeps(cycle: Cycle) -> Result<(), Failure> {
    match cycle.before + cycle.after {
        0 => Err(Failure::input("--pre and --post cannot both be 0")),
        _ => Ok(()),
    }
}

/// Checks, before memory is allocated, that a texture can hold the grid.
pub fn check_limit(machine: &Machine, size: GridSize) -> Result<(), GlError> {
    let limit = machine.context().description().rectangle_limit;
    let GridSize { columns, rows } = size;
    if columns.max(rows) <= limit {
        Ok(())
    } else {
        Err(GlError::TooLarge { width: columns, height: rows, limit })
    }
}

/// A size of memory, as in `2GB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let number =
        |(unit, factor)| Some(factor * text.strip_suffix(unit)?.trim().parse::<f64>().ok()?);
    let bytes = units.into_iter().find_map(number);
    let bytes = bytes.filter(|bytes| bytes.is_finite() && *bytes > 0.0);
    bytes.map(|bytes| bytes as u64).ok_or_else(|| "give a size of memory, as in 2GB".to_owned())
}

/// Sweeps before and after a coarser level, as in `4,4`.
pub fn sweeps(text: &str) -> Result<[usize; 2], String> {
    let number = |text: &str| count(0..=SWEEPS)(text.trim()).ok();
    text.split_once(',')
        .and_then(|(before, after)| Some([number(before)?, number(after)?]))
        .filter(|[before, after]| before + after > 0)
        .ok_or_else(|| "give two numbers of sweeps, as in 4,4".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory_have_units() {
        assert_eq!(bytes("1.5 GB"), Ok(1_500_000_000));
        for bad in ["2", "GB", "-1kB", "0MB", "infGB", "1TB", "10min"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
