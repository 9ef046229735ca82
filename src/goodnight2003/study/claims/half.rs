//! §7.1: floats of 16 bits, in storage and in registers.

use crate::base::error::BoxedError;
use crate::card::cost::{GEFORCE_FX_5800_ULTRA, work as work_of};
use crate::card::count::{Count, count};
use crate::experiment::{Record, Study, Takes};
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::{Error, Norm, Reference, Settings, Solver, Test};
use crate::program::formats::Registers;
use crate::stream::{Format, Machine};
use crate::timing::cost::ledger;
use crate::timing::rig::work;

use super::works::OF_A_CYCLE;

/// Cycles, and what they leave in double precision.
pub static LEFT: Study = Study::measuring(
    "goodnight2003/left",
    "The residual that --maxiter cycles leave, in double precision",
    Takes::of(&HEAT, "paper", OF_A_CYCLE).and("maxiter"),
    &[
        ("first", "", "norm of the residual of the start"),
        ("left", "", "norm of the residual after the cycles, of the solution that is read back"),
        (
            "reduction",
            "",
            "logarithm of the reduction by the cycles after a first sweep, as the solver measures it",
        ),
    ],
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        // The problem's equations in double precision, whatever the precision of the cycles.
        let (exact, first) = exact(&one)?;
        let settings = Settings { norm: Norm::L2, test: Test::Reduction, ..one.method.settings() };
        let cycles = one.method.criteria.max_iterations;
        let solver =
            || Solver::new(place.machine, &one.problem()?, &settings).map_err(BoxedError::from);
        place.machine.take_ledger();
        let mut solved = solver()?;
        (0..cycles).try_for_each(|_| solved.cycle())?;
        let mut record = Record::new();
        record.ledger("", &place.machine.take_ledger());
        record.one("first", first);
        record.one("left", left(&exact, &solved)?);
        let mut swept = solver()?;
        swept.smooth(0, 1)?;
        let before = swept.residual()?.norm;
        (0..cycles).try_for_each(|_| swept.cycle())?;
        record.one("reduction", (swept.residual()?.norm / before).ln());
        Ok(record)
    },
);

/// The problem in double precision, and the residual of the start.
fn exact(settings: &heat::Settings) -> Result<(Reference<f64>, f64), BoxedError> {
    let exact = Reference::<f64>::new(&settings.problem()?, &settings.method.settings())?;
    let first = exact.check(&exact.level(0).start()).norm;
    Ok((exact, first))
}

/// The residual of what a solver has computed, in the problem's equations and in double precision: its own precision cannot
/// judge itself.
fn left(exact: &Reference<f64>, solver: &Solver) -> Result<f64, Error> {
    let u: Vec<f64> = solver.solution()?.into_iter().map(f64::from).collect();
    Ok(exact.check(&u).norm)
}

/// Settings of these cycles.
const CYCLES: Takes =
    Takes::of(&HEAT, "paper", "problem size pre post cycle smoother programs precision");

/// Cycles by the interpreter.
pub static BEST: Study = Study::measuring(
    "goodnight2003/best",
    "The best residual of --maxiter cycles by the interpreter, in double precision, relative to that of the start",
    CYCLES.and("maxiter"),
    &[
        ("best", "", "with registers of 32 bits"),
        ("best_in_half", "", "with registers of 16 bits, as those of NV30"),
    ],
    |experiment, _| {
        let one: heat::Settings = experiment.typed()?;
        let (exact, first) = exact(&one)?;
        let mut record = Record::new();
        for (name, registers) in
            [("best", Registers::Single), ("best_in_half", Registers::Nv30Half)]
        {
            let machine = Machine::interpreted(registers)?;
            let mut solver = Solver::new(&machine, &one.problem()?, &one.method.settings())?;
            let mut best = f64::INFINITY;
            for _ in 0..one.method.criteria.max_iterations {
                solver.cycle()?;
                best = best.min(left(&exact, &solver)? / first);
            }
            record.one(name, best);
        }
        Ok(record)
    },
);

/// A cycle in the model.
pub static MODEL: Study = Study::measuring(
    "goodnight2003/model",
    "A cycle in the model of the card, in which two registers of 16 bits are one with --precision half",
    CYCLES,
    &[("seconds", "s", "of a cycle without switches"), ("moved", "bytes", "by a cycle")],
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        let settings = one.method.settings();
        let is_half = settings.precision == Format::Rgba16F;
        let mut solver = Solver::new(place.machine, &one.problem()?, &settings)?;
        let work = ledger(place.machine, &mut work(move |_| solver.cycle()))?;
        let (mut seconds, mut bytes) = (0.0, 0);
        for (text, account) in &work.kernels {
            let mut count = Count::clone(&*count(&text.fragment)?);
            if is_half {
                count.registers = count.registers.div_ceil(2);
            }
            seconds += GEFORCE_FX_5800_ULTRA.account_seconds(account, &count);
            let moved =
                |(run, times): (&_, &u64)| times * work_of(run, &account.streams, &count).bytes();
            bytes += account.runs.iter().map(moved).sum::<u64>();
        }
        let mut record = Record::new();
        record.one("seconds", seconds);
        record.one("moved", bytes as f64);
        Ok(record)
    },
);
