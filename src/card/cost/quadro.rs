//! What passes would have taken on a Quadro FX, by a model with four numbers that were fitted to
//! printed timings, where [`Nv30`](super::Nv30) is what the papers call theoretical.

use crate::card::count::{CountError, count};
use crate::stream::Ledger;

/// Seconds that a pass waits for the change of its surface.
const SWITCH: f64 = 0.33e-3;

/// Cycles of a tuple for a fetch, or a result, of 16 bytes.
const FETCH: f64 = 4.0;

/// Fetches with a stride of two take so many times as long.
const STRIDED: f64 = 2.2;

/// Each pair of registers beyond the first makes instructions take so much longer.
const REGISTERS: f64 = 0.78;

/// Seconds of all passes at this clock (Hz; 300 MHz for the FX 1000, 400 MHz for the FX 2000): of
/// fetches, instructions and results what takes longest.
///
/// # Errors
/// A program that cannot be counted.
pub fn quadro_seconds(ledger: &Ledger, clock: f64) -> Result<f64, CountError> {
    let mut seconds = 0.0;
    for (name, account) in &ledger.kernels {
        let count = count(&account.text.fragment)?;
        let is_strided = name.starts_with("stream/reduce");
        let fetch = FETCH * if is_strided { STRIDED } else { 1.0 };
        let pairs = f64::from(count.registers.div_ceil(2).max(1));
        let issue = f64::from(count.instructions) * (1.0 + REGISTERS * (pairs - 1.0));
        let cycles = issue.max(fetch * f64::from(count.fetches)).max(FETCH);
        for (run, &times) in &account.runs {
            seconds += times as f64 * (SWITCH + run.tuples as f64 * cycles / clock);
        }
    }
    Ok(seconds)
}
