//! Cost of a run: its time and its ledger.

use web_time::Instant;

use crate::card::cost::bill;
use crate::error::BoxedError;
use crate::solver::Outcome;
use crate::stream::{Ledger, Machine};

use super::rig::{Effort, Work, median, warm_samples};

/// Cost of one run of a work.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Median seconds.
    pub seconds: f64,
    /// Seconds by the model of NV30, without target switches.
    pub nv30_seconds: f64,
    /// Work of the run.
    pub ledger: Ledger,
}

/// Runs `work` twice and returns the ledger of the second run. The first compiles programs and uploads geometry.
pub fn ledger(machine: &Machine, work: &mut Work<'_>) -> Result<Ledger, BoxedError> {
    work(0)?;
    machine.take_ledger();
    work(1)?;
    Ok(machine.take_ledger())
}

/// The costs of several works, timed alternately.
pub fn costs<const N: usize>(
    machine: &Machine,
    effort: Effort,
    mut works: [Work<'_>; N],
) -> Result<[Cost; N], BoxedError> {
    let ledgers = works.each_mut().map(|work| ledger(machine, work));
    let ledgers = all(ledgers)?;
    let mut samples = warm_samples(machine, effort, &mut works)?.into_iter();
    Ok(ledgers.map(|ledger| Cost {
        seconds: median(samples.next().unwrap_or_default()),
        nv30_seconds: bill(&ledger).total().nv30_seconds,
        ledger,
    }))
}

/// Returns all results, or the first error.
///
/// # Errors
/// The first of `results`.
pub fn all<T, E, const N: usize>(results: [Result<T, E>; N]) -> Result<[T; N], E> {
    let values: Vec<T> = results.into_iter().collect::<Result<_, _>>()?;
    match values.try_into() {
        Ok(values) => Ok(values),
        Err(_) => unreachable!("as many values as results"),
    }
}

/// Average cost of an iteration of a solver, including the start and the end of the solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Seconds, averaged over a sufficiently long solve.
    pub seconds: f64,
    /// Number of iterations.
    pub iterations: usize,
    /// Work of all iterations.
    pub ledger: Ledger,
}

impl Iteration {
    /// Times a solve. Its programs should have run before.
    pub fn of<E>(machine: &Machine, solve: impl FnOnce() -> Result<Outcome, E>) -> Result<Self, E> {
        machine.take_ledger();
        machine.finish();
        let start = Instant::now();
        let iterations = solve()?.iterations.max(1);
        machine.finish();
        Ok(Self {
            seconds: start.elapsed().as_secs_f64() / iterations as f64,
            iterations,
            ledger: machine.take_ledger(),
        })
    }

    /// Average of a count per iteration.
    pub fn each(&self, count: u64) -> f64 {
        count as f64 / self.iterations as f64
    }
}
