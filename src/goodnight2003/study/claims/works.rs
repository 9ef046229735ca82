//! Figures 2, 3, 4, 6 and 7: cycles and convergence tests, which are timed, and the clock of the drivers of 2003.

use rayon::ThreadPoolBuilder;

use crate::base::error::BoxedError;
use crate::card::cost::clock::{READ_BACK, SWITCH, WAIT};
use crate::experiment::{Experiment, Record, Study, Takes};
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::cases::{cycle, measure};
use crate::goodnight2003::{Reference, Solver};
use crate::timing::Work;
use crate::timing::rig::{program, work};

/// Settings on which a cycle depends.
pub(super) const OF_A_CYCLE: &str = "problem coordinates boundary size pre post cycle smoother coarsest_sweeps levels \
    storage hazard buffer programs red_black_map precision surface_limit";

/// Settings on which a residual depends.
const OF_A_RESIDUAL: &str =
    "problem coordinates boundary size programs red_black_map precision hazard";

/// A cycle.
pub static CYCLE: Study = Study::timing(
    "goodnight2003/cycle",
    "A cycle for a problem of the paper",
    Takes::of(&HEAT, "paper", OF_A_CYCLE),
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        Ok(cycle(place.machine, &one.problem()?, &one.method.settings())?)
    },
);

/// Settings on which a cycle on the CPU depends.
const ON_CPU: Takes = Takes::of(
    &HEAT,
    "paper",
    "problem coordinates boundary size pre post cycle smoother coarsest_sweeps levels",
);

/// A cycle on the CPU, on this number of threads; 0 stands for one per core.
fn on_cpu(experiment: &Experiment, threads: usize) -> Result<Work<'static>, BoxedError> {
    let one: heat::Settings = experiment.typed()?;
    let settings = one.method.settings();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let mut solver = Reference::<f32>::new(&one.problem()?, &settings)?;
    Ok(program(move |_| pool.install(|| solver.cycle(settings.cycle))))
}

/// A cycle on one core of the CPU.
pub static CPU_CYCLE: Study = Study::timing(
    "goodnight2003/cpu-cycle",
    "A cycle for a problem of the paper on one core of the CPU",
    ON_CPU,
    |experiment, _| on_cpu(experiment, 1),
);

/// A cycle on all cores of the CPU.
pub static CPU_CYCLE_ON_ALL: Study = Study::timing(
    "goodnight2003/cpu-cycle-on-all",
    "A cycle for a problem of the paper on all cores of the CPU",
    ON_CPU,
    |experiment, _| on_cpu(experiment, 0),
);

/// A test.
pub static TEST: Study = Study::timing(
    "goodnight2003/test",
    "A test for convergence with the residual that it needs",
    Takes::of(&HEAT, "paper", OF_A_RESIDUAL).and("norm test"),
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        Ok(measure(place.machine, &one.problem()?, &one.method.settings())?)
    },
);

/// The residual with which each test begins.
pub static RESIDUAL: Study = Study::timing(
    "goodnight2003/residual",
    "The residual with which a test for convergence begins",
    Takes::of(&HEAT, "paper", OF_A_RESIDUAL),
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        let solver = Solver::new(place.machine, &one.problem()?, &one.method.settings())?;
        Ok(work(move |_| solver.levels().residual(0)))
    },
);

/// What the drivers of 2003 took.
pub static CLOCK: Study = Study::measuring(
    "goodnight2003/clock",
    "Seconds of operations of the drivers of 2003, as bolz2003 and batty2003 print them",
    Takes::of(&HEAT, "paper", "size"),
    &[
        ("switch", "s", "a change of the buffer"),
        ("wait", "s", "a wait for all drawing"),
        ("read_back", "s", "a texel that is read back"),
        ("side", "", "columns of the grid"),
        ("nodes", "", "of the grid"),
    ],
    |experiment, _| {
        let one: heat::Settings = experiment.typed()?;
        let (columns, rows) = one.scene()?.nodes();
        let mut record = Record::new();
        record.one("switch", SWITCH.seconds);
        record.one("wait", WAIT.seconds);
        record.one("read_back", READ_BACK.seconds);
        record.one("side", columns);
        record.one("nodes", f64::from(columns * rows));
        Ok(record)
    },
);
