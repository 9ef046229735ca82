//! Cost of a run: its ledger.

use crate::base::error::BoxedError;
use crate::stream::{Ledger, Machine};

use super::rig::Work;

/// Runs `work` twice and returns the ledger of the second run. The first compiles programs and uploads geometry.
pub fn ledger(machine: &Machine, work: &mut Work<'_>) -> Result<Ledger, BoxedError> {
    work(0)?;
    machine.take_ledger();
    work(1)?;
    Ok(machine.take_ledger())
}

/// Returns all results, or the first error.
pub fn all<T, E, const N: usize>(results: [Result<T, E>; N]) -> Result<[T; N], E> {
    let values: Vec<T> = results.into_iter().collect::<Result<_, _>>()?;
    match values.try_into() {
        Ok(values) => Ok(values),
        Err(_) => unreachable!("as many values as results"),
    }
}
